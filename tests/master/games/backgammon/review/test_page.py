"""A review's page is one file, whole without a script, and every board in it is the record's."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from engine_ext.backgammon.match_state import GameState
from master.games.backgammon.matches.figures import match_figures
from master.games.backgammon.matches.record import Play
from master.games.backgammon.matches.replay import apply, start_of, turned_to
from master.games.backgammon.review.page import review_page
from master.games.backgammon.review.turns import MatchReview
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
