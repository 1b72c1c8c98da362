"""Pages of games: sections in order, those without content left out, words as words."""

from __future__ import annotations

from dataclasses import replace

from master.reports.games_page import GamesPage, games_page, number_text

PAGE = GamesPage(
    kind="go",
    names=[("Ann <x>", "Bob")],
    subtitle="1-0",
    facts_shown=[("analysis", "deep & slow")],
    style=".own{}",
    shapes='<g id="stone"/>',
    sections=[("One", ["<p>1</p>"]), ("Nothing", ()), ("Two", ["<p>2</p>"])],
    shown=[("all", "everything")],
    sides=("Black", "White"),
    moves=["<p>move</p>"],
)


def test_parts_stand_in_their_order_and_empty_ones_are_left_out() -> None:
    html = games_page(PAGE)
    places = [html.index(each) for each in (
        ".own{}", '<g id="stone"/>', "<h1>Ann &lt;x&gt; - Bob</h1>", "<p>1-0</p>",
        "deep &amp; slow", "<h2>One</h2><p>1</p>", "<h2>Two</h2><p>2</p>", 'id="moves"',
        "<p>move</p>",
    )]  # fmt: skip
    assert places == sorted(places)
    assert "Nothing" not in html


def test_several_games_are_counted() -> None:
    page = replace(PAGE, names=[("Ann", "Bob")] * 3)
    assert page.title == "3 games"
    assert "<p>1-0</p>" not in games_page(page)


def test_figure_that_is_not_there_is_a_dash() -> None:
    assert number_text(None, 1) == "-"
    assert number_text(12.345, 1, " %") == "12.3 %"
