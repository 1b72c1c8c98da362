"""A review's page is one file, whole without a script, and every board in it is the record's."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from hypothesis import given, settings

from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.match_state import GameState
from master.games.backgammon.matches.figures import match_figures
from master.games.backgammon.matches.judging import ActionChoice
from master.games.backgammon.matches.record import Play
from master.games.backgammon.matches.replay import apply, start_of, turned_to
from master.games.backgammon.review.page import (
    ERRORS_LISTED,
    checker,
    game_parts,
    head_parts,
    list_parts,
    review_page,
    row_shapes,
    trend_parts,
)
from master.games.backgammon.review.turns import MatchReview
from master.games.backgammon.review.wording import asked_state, cube_rows
from tests.master.games.backgammon.matches.random_analyses import analysed
from tests.master.games.backgammon.matches.random_matches import random_match
from tests.master.games.backgammon.review.page_reader import PageReader, boards_of
from tests.master.games.backgammon.review.reviews import played_review, review_of, reviews
from tests.master.reports.browser import asked, needs_chromium


def states_of(review: MatchReview) -> dict[tuple[int, int], GameState]:
    """Replay a match: the state before each action, the one who acts on roll (or the doubler)."""
    match, states = review.analysed.match, {}
    for number, game in enumerate(match.games):
        state = start_of(match, game)
        for index, action in enumerate(game.actions):
            states[number, index] = turned_to(state, action).game
            state = apply(state, action)
    return states


def check_boards(review: MatchReview) -> None:
    """Compare every board with a replay of the match up to its action."""
    boards = boards_of(review_page(review))
    decided = {(each.game, each.action) for each in review.figures.decisions}
    assert set(boards) == decided
    match = review.analysed.match
    for (game, action), state in states_of(review).items():
        if (game, action) not in boards:
            continue
        done, seen = match.games[game].actions[action], boards[game, action]
        own = "ld"[state.match.player_on_roll]
        other = "dl"[state.match.player_on_roll]
        slots = {own: state.position.on_roll, other: state.position.opponent}
        for colour, is_own in ((own, True), (other, False)):
            expected: Counter[int | str] = Counter()
            for slot, count in enumerate(slots[colour]):
                place = {0: "off", 25: "bar"}.get(slot, slot if is_own else 25 - slot)
                if count:
                    expected[place] = count
            assert seen.checkers[colour] == expected
        roll = done.dice if isinstance(done, Play) else ()
        assert [(colour, pips) for colour, pips, _ in seen.dice] == [(own, die) for die in roll]
        cube = state.match
        if cube.crawford:
            assert seen.cube is None
        elif cube.is_double_offered:
            assert seen.cube == (2 * cube.cube_value, "field")
        else:
            places = {-1: "middle", 0: "bottom", 1: "top"}
            assert seen.cube == (cube.cube_value, places[cube.cube_owner])


@pytest.mark.slow
@settings(max_examples=8)
@given(reviews)
def test_boards_of_any_match_are_those_of_its_replay(review: MatchReview) -> None:
    check_boards(review)


@pytest.mark.slow
def test_boards_of_a_played_match_are_those_of_its_replay() -> None:
    check_boards(played_review())


@pytest.mark.slow
@settings(max_examples=8)
@given(reviews)
def test_any_page_nests_and_refers_to_itself_alone(review: MatchReview) -> None:
    page = review_page(review)
    read = PageReader(page)
    assert max(Counter(read.names).values()) == 1
    names = set(read.names)
    assert {reference[:1] for reference in read.references} <= {"#"}
    assert {reference[1:] for reference in read.references} <= names
    assert read.handlers == []
    assert read.tags["script"] == read.tags["style"] == read.tags["title"] - steps(review) == 1


def steps(review: MatchReview) -> int:
    """How many steps have a title of their own: every action."""
    return sum(len(game.turns) for game in review.games)


def test_page_asks_for_nothing() -> None:
    page = review_page(played_review())
    assert "http://" not in page
    assert "https://" not in page
    assert set(re.findall(r"url\((.)", page)) == {"#"}
    assert "@import" not in page
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert policy[1] == (
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
    )


HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&"


def hostile_review() -> MatchReview:
    """The played match with markup wherever a file has text."""
    played = played_review()
    match = played.analysed.match
    games = (replace(match.games[0], comments=((0, HOSTILE), (3, HOSTILE))), *match.games[1:])
    tags = {"event": HOSTILE, HOSTILE: HOSTILE}
    match = replace(match, players=(HOSTILE, f"{HOSTILE}2"), games=games, tags=tags)
    known = replace(played.analysed, match=match, warnings=(HOSTILE,))
    return MatchReview(known, match_figures(known), played.settings, played.engine)


@pytest.mark.slow
def test_markup_in_names_comments_and_tags_is_text() -> None:
    page = review_page(hostile_review())
    read = PageReader(page)
    assert read.tags["script"] == 1
    assert "img" not in read.tags
    assert read.handlers == []
    assert any(HOSTILE in text for text in read.texts)
    check_boards(hostile_review())


@pytest.mark.slow
def test_the_same_match_and_settings_give_the_same_bytes() -> None:
    played = played_review()
    again = MatchReview(played.analysed, match_figures(played.analysed), played.settings,
                        played.engine)  # fmt: skip
    assert review_page(again) == review_page(played)
    other = replace(again, engine="0" * 16)
    assert review_page(other) != review_page(played)


def test_page_of_a_long_match_stays_small() -> None:
    review = played_review()
    actions = sum(1 for _ in review.turns)
    assert len(review_page(review).encode()) < 30_000 + 2_500 * actions


def test_every_turn_is_there_once_in_the_order_played() -> None:
    page = review_page(played_review())
    places = re.findall(r'<(?:article|p) class="[^"]*" id="m([0-9.]+)"', page)
    assert places == [f"{turn.game + 1}.{turn.index + 1}" for turn in played_review().turns]


def test_match_without_actions_has_a_page() -> None:
    played = played_review().analysed
    empty = replace(played, match=replace(played.match, games=()), analyses=())
    assert "Move by move" in review_page(review_of(empty))


PROBE = """
const violations = [];
addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective));
const root = document.documentElement, form = document.querySelector(".controls");
const shown = () => [...document.querySelectorAll("#moves > .turn")]
  .filter((each) => each.checkVisibility()).map((each) => each.dataset);
const choose = (name, value) => {
  form.elements[name].value = value;
  form.dispatchEvent(new Event("change"));
  return shown().map((each) => ({...each}));
};
const all = shown().length;
const sorted = choose("order", "error").map((each) => Number(each.e));
const back = choose("order", "game").length;
const cube = choose("show", "cube").map((each) => each.k);
choose("show", "all");
const own = choose("player", "1").map((each) => each.p);
choose("player", "");
document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "j", bubbles: true}));
const first = location.hash;
return {
  all, sorted, back, cube, own, first, width: root.scrollWidth, room: innerWidth,
  requests: performance.getEntriesByType("resource").map((each) => each.name), violations,
  scripts: document.scripts.length, images: document.images.length,
  markers: [...document.querySelectorAll(".b-kl")].map((each) => getComputedStyle(each).markerMid),
};
"""


@needs_chromium
@pytest.mark.reference
@pytest.mark.slow
@pytest.mark.when_changed
def test_browser_shows_it_offline_on_a_telephone_and_its_script_sorts_and_filters(
    tmp_path: Path,
) -> None:
    review, width = hostile_review(), 390
    seen = asked(review_page(review), PROBE, tmp_path, width)
    decided = {(each.game, each.action): each for each in review.figures.decisions}
    assert seen["all"] == seen["back"] == len(seen["sorted"]) == len(decided)
    assert seen["sorted"] == sorted(seen["sorted"], reverse=True)
    assert set(seen["cube"]) == {"c"}
    assert set(seen["own"]) == {"1"}
    assert seen["first"].startswith("#m1.")
    assert seen["requests"] == seen["violations"] == []
    assert (seen["scripts"], seen["images"]) == (2, 0)  # its own, and the one that asks
    assert set(seen["markers"]) == {'url("#b-kl")'}
    assert seen["room"] == width
    assert seen["width"] <= width


REVIEW = played_review()


def test_head_says_who_played_what_and_how_it_was_analysed() -> None:
    tags = {"event": "Open <5>", "date": "2026-11-27"}
    match = replace(REVIEW.analysed.match, tags=tags)
    review = replace(REVIEW, analysed=replace(REVIEW.analysed, match=match, warnings=("odd",)))
    head = "".join(head_parts(review))
    for words in ("Ann", "Bob", "3-point match", "Open &lt;5&gt;", "2026-11-27", "Warning: odd"):
        assert words in head
    assert str(REVIEW.engine) in head


def test_figures_are_those_of_both_or_of_the_one_asked_for() -> None:
    both, one = (
        "".join(head_parts(replace(REVIEW, players=players))) for players in ((0, 1), (1,))
    )
    prs = [f"<td>{own.pr:.2f}</td>" for own in REVIEW.figures.match]
    assert f'<th scope="row">PR</th>{prs[0]}{prs[1]}' in both
    assert f'<th scope="row">PR</th>{prs[1]}</tr>' in one


def test_games_and_errors_lead_to_their_moves() -> None:
    listed = "".join(list_parts(REVIEW))
    games = re.findall(r'<a href="#g(\d+)">', listed)
    assert games == [str(game.index + 1) for game in REVIEW.games]
    errors = re.findall(r'<a href="#m([0-9.]+)">', listed)
    largest = REVIEW.figures.errors()[:ERRORS_LISTED]
    assert errors == [f"{each.game + 1}.{each.action + 1}" for each in largest]


def test_a_checker_is_an_ornament() -> None:
    assert checker(1) == '<i class="c1"></i>'


def test_each_step_leads_to_its_action_and_tells_it() -> None:
    review = played_review()
    plot = "".join(trend_parts(review))
    steps = re.findall(r'<a href="#m([0-9.]+)"( tabindex="-1")?>.*?<title>(.*?)</title>', plot)
    turns = list(review.turns)
    assert [step[0] for step in steps] == [f"{t.game + 1}.{t.index + 1}" for t in turns]
    for (_, is_passed, text), turn in zip(steps, turns, strict=True):
        assert review.names[turn.player] in text
        assert (not is_passed) == (turn.error >= 0.0005)
    borders = re.findall(r'class="border" href="#g(\d+)"', plot)
    assert borders == [str(game.index + 1) for game in review.games]


def test_chances_run_from_half_to_the_end() -> None:
    review = played_review()
    plot = "".join(trend_parts(review))
    lines = re.findall(r'<path class="line" d="M([^"]*)"', plot)
    assert len(lines) == len(review.games) + 1
    ends = [[float(number) for number in point.split()] for point in lines[-2].split("L")[-1:]]
    assert ends[0][0] == sum(len(game.turns) for game in review.games)
    assert "Match winning chance" in plot


def test_luck_that_was_not_analysed_has_no_curve() -> None:
    review = played_review()
    assert "Luck so far" in "".join(trend_parts(review))
    games = tuple(
        tuple(None if each is None else replace(each, luck=None) for each in game)
        for game in review.analysed.analyses
    )
    without = review_of(replace(review.analysed, analyses=games))
    assert "Luck so far" not in "".join(trend_parts(without))


def test_money_is_written_in_points() -> None:
    session = review_of(analysed(random_match(7, 0, games_max=2), 1))
    plot = "".join(trend_parts(session))
    assert "Points ahead" in plot
    assert "%" not in re.sub(r'style="[^"]*"', "", plot)


def test_match_without_actions_has_no_plot() -> None:
    played = played_review().analysed
    empty = replace(played, match=replace(played.match, games=()), analyses=())
    assert list(trend_parts(review_of(empty))) == []


ANSWERS = (ActionChoice.TAKE, ActionChoice.PASS)
ROW = re.compile(r"<tr( class=\"played\")?><td>(\d+)\+?(?:<b.*?</b>)?<td>([^<]*)<td>([^<]*)<td>")
SHORT_REVIEW = played_review(3, 7)


def articles_of(review: MatchReview) -> dict[str, str]:
    parts = "\n".join(part for game in review.games for part in game_parts(review, game))
    return dict(re.findall(r'<article [^>]*id="m([0-9.]+)"(.*?)</article>', parts, re.DOTALL))


ARTICLES = articles_of(SHORT_REVIEW)


def test_candidates_stand_with_rank_move_and_equity_and_the_played_one_is_marked() -> None:
    for turn in SHORT_REVIEW.turns:
        if turn.move_decision is None:
            continue
        rows = ROW.findall(ARTICLES[f"{turn.game + 1}.{turn.index + 1}"])
        assert [(int(rank), unescape(move), bool(mark)) for mark, rank, move, _ in rows] == [
            (each.rank, each.move.text, each.is_played) for each in turn.candidates
        ]
        assert [float(row[3]) for row in rows] == [
            round(each.move.equity_cubeful, 3) for each in turn.candidates
        ]


def test_cube_question_is_a_table_where_it_was_close_or_acted_on() -> None:
    for turn in SHORT_REVIEW.turns:
        if turn.cube_decision is None or turn.cube is None:
            continue
        article = ARTICLES[f"{turn.game + 1}.{turn.index + 1}"]
        decision = turn.cube_decision
        is_panel = decision.is_close or decision.error > 0.0
        assert ('<table class="cube">' in article) == is_panel
        for name, value, _ in cube_rows(turn.cube):
            words = f"<td>{name}<td>{value:+.3f}" if is_panel else f"{name} {value:+.3f}"
            assert words in article
        assert f"Proper {'answer' if decision.choice in ANSWERS else 'cube action'}: " in article


def test_ids_read_back_to_what_was_asked() -> None:
    for turn in SHORT_REVIEW.turns:
        if not turn.decisions:
            continue
        found = re.findall("<code>(.*?)</code>", ARTICLES[f"{turn.game + 1}.{turn.index + 1}"])
        state = parse_id(found[-1])
        assert (state.position, state.match.dice) == (
            turn.state.position, asked_state(turn).match.dice,
        )  # fmt: skip


def test_errors_have_their_mark_and_cost() -> None:
    worst = max(SHORT_REVIEW.turns, key=lambda turn: turn.error)
    article = ARTICLES[f"{worst.game + 1}.{worst.index + 1}"]
    assert f"-{worst.error:.3f}, very bad" in article
    assert f"({100 * -worst.cost:+.2f}%)" in article


def test_comments_stand_at_their_move_and_at_the_end() -> None:
    match = SHORT_REVIEW.analysed.match
    first = replace(
        match.games[0], comments=((0, "good\n<move>"), (len(match.games[0].actions), "gg"))
    )
    match = replace(match, games=(first, *match.games[1:]))
    review = replace(SHORT_REVIEW, analysed=replace(SHORT_REVIEW.analysed, match=match))
    parts = "\n".join(game_parts(review, review.games[0]))
    assert 'class="comment">good\n&lt;move&gt;</p>' in articles_of(review)["1.1"]
    assert parts.index('class="comment">gg</p>') > parts.rindex("</article>")


def test_names_beside_a_board_are_defined_once_for_a_game_and_session() -> None:
    names = re.findall('<g id="(r[0-9-]+)">', "".join(row_shapes(SHORT_REVIEW)))
    assert len(names) == len(set(names)) <= 2 * len(SHORT_REVIEW.games)
    used = set(re.findall('href="#(r[0-9-]+)"', "".join(ARTICLES.values())))
    assert used == set(names)


def test_each_game_ends_with_its_own_figures() -> None:
    for game in SHORT_REVIEW.games:
        parts = "".join(game_parts(SHORT_REVIEW, game))
        prs = [f"<td>{own.pr:.2f}</td>" for own in game.figures]
        assert f'<th scope="row">PR</th>{"".join(prs)}' in parts


def test_the_name_below_a_board_is_that_of_who_sits_there() -> None:
    rows = dict(re.findall('<g id="(r[0-9-]+)">(.*?)</g>', "".join(row_shapes(SHORT_REVIEW))))
    for name, row in rows.items():
        texts = re.findall(r'<text class="b-s b-ink" x="\d+" y="(\d+)">([^<]+)', row)
        lower = max(texts, key=lambda text: int(text[0]))[1]
        assert lower == SHORT_REVIEW.names[int(name[-1])]
