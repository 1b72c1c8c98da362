"""Pages that are one file, and pages of analysed games."""

from __future__ import annotations

from dataclasses import replace
from html import unescape
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from master.reports.games_page import GamesPage, games_page, number_text
from master.reports.html_page import POLICY, controls, facts, html_page, review_html, table
from master.reports.markup import escaped, plain

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


def test_page_has_its_parts_in_order_and_its_title_as_text() -> None:
    page = html_page("a <b> & c", "p{color:red}", "go()", ["<p>one", "<p>two"])
    places = [page.index(words) for words in (
        "<!DOCTYPE html>", POLICY, "<title>a &lt;b&gt; &amp; c</title>", "<style>p{color:red}",
        "<body>", "<p>one", "<p>two", "<script>go()</script>", "</html>",
    )]  # fmt: skip
    assert places == sorted(places)
    assert page == html_page("a <b> & c", "p{color:red}", "go()", ["<p>one", "<p>two"])


def test_nothing_is_asked_for_from_anywhere() -> None:
    assert POLICY.startswith("default-src 'none';")
    assert "http" not in html_page("t", "", "", []).replace("http-equiv", "")


def test_reviews_look_alike_and_their_game_has_the_last_word() -> None:
    page = review_html("t", ".c0{color:green}", ["<p>one"])
    assert page.index(".c0,.c1{") < page.index(".c0{color:green}")
    assert "<p>one" in page
    assert 'getElementById("moves")' in page


def test_rows_of_a_table_have_headings() -> None:
    found = "".join(table(("a", "b"), [("x", "1"), ("y", "2")], "t"))
    assert found.count('<th scope="row">') == 2
    assert found.count("<td>") == 2


def test_facts_and_names_are_text() -> None:
    assert "<dt>who &lt;i&gt;</dt><dd>a &amp; b</dd>" in "".join(facts([("who <i>", "a & b")]))
    shown = "".join(controls((("all", "everything"),), ("<b>", "Bob")))
    assert '<option value="0">&lt;b&gt;</option><option value="1">Bob</option>' in shown
    assert '<option value="all">everything</option>' in shown
    assert "next and previous move" in shown


@given(st.text())
def test_any_text_is_the_content_of_an_element_and_of_an_attribute(text: str) -> None:
    element = ET.fromstring(f'<a b="{escaped(text)}">{escaped(text)}</a>')
    assert element.text == unescape(escaped(text)) or not text
    assert len(element) == 0
    assert len(element.attrib["b"]) == len(text)


def test_what_cannot_be_shown_becomes_a_question_mark() -> None:
    assert escaped("a\x00\u202eb\ud800<&>\"'") == "a??b?&lt;&amp;&gt;&quot;&#x27;"
    assert plain("a\x00\tb\nü<") == "a?\tb\nü<"
