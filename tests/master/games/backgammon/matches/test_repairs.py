"""Reading without the Crawford rule what breaks it: master.games.backgammon.matches.repairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from master.games.backgammon.matches.files import read_match_file
from master.games.backgammon.matches.record import (
    AnalysedMatch,
    Double,
    Game,
    Match,
    Resign,
    Result,
)
from master.games.backgammon.matches.repairs import (
    WITHOUT_RULE,
    CrawfordFlags,
    read_forgiving,
    resignation,
    stand_in,
)
from master.games.backgammon.matches.replay import check_match, state_after
from master.games.errors import RecordError
from master.games.skipped import SkippedGame
from tests.master.games.backgammon.matches.gnubg_program import needs_gnubg, run_gnubg
from tests.master.games.backgammon.matches.random_matches import matches, random_match

LATE = AnalysedMatch(Match(("Ann", "Bob"), 3, (Game((2, 0), (Double(0),)),)))


def reader(
    found: AnalysedMatch, fault: str = "", *, is_crawford: bool = True
) -> Callable[[CrawfordFlags | None], AnalysedMatch]:
    """Return a reader of a match that its rules do not allow, and perhaps nothing does."""

    def read(flags: CrawfordFlags | None) -> AnalysedMatch:
        if flags is None:
            raise RecordError("by the rules")
        flags.append(is_crawford)
        if fault:
            raise RecordError(fault)
        return replace(found, match=replace(found.match, uses_crawford=False))

    return read


def test_a_match_is_read_by_its_rules_where_it_can_be() -> None:
    asked: list[CrawfordFlags | None] = []

    def read(flags: CrawfordFlags | None) -> AnalysedMatch:
        asked.append(flags)
        return LATE

    assert read_forgiving(read, "a") is LATE
    assert asked == [None]


def test_what_breaks_the_rule_is_read_without_it_and_named() -> None:
    found = read_forgiving(reader(LATE), "a")
    assert found.warnings == (f"a: game 1: a double in the Crawford game{WITHOUT_RULE}",)


def test_a_fault_that_stays_without_the_rule_is_the_one_reported() -> None:
    with pytest.raises(RecordError, match="illegal play"):
        read_forgiving(reader(LATE, "illegal play"), "a")


def test_a_fault_that_is_no_breach_of_the_rule_is_not_forgiven() -> None:
    with pytest.raises(RecordError, match="by the rules"):
        read_forgiving(reader(LATE, is_crawford=False), "a")


def skipping(flags: CrawfordFlags | None, *, is_breach: bool) -> AnalysedMatch:
    """Skip a game by the rules; without the Crawford rule skip none, or the same."""
    skipped = (SkippedGame(1, "no double here"),)
    if flags is None:
        return AnalysedMatch(replace(LATE.match, games=(Game((2, 0)),)), skipped=skipped)
    flags.append(True if is_breach else None)
    found = replace(LATE, match=replace(LATE.match, uses_crawford=False))
    return found if is_breach else replace(found, skipped=skipped)


def test_a_game_that_is_skipped_for_the_rule_alone_is_read_without_it() -> None:
    found = read_forgiving(lambda flags: skipping(flags, is_breach=True), "a")
    assert found.skipped == ()
    assert found.warnings == (f"a: game 1: a double in the Crawford game{WITHOUT_RULE}",)


def test_a_game_that_is_skipped_with_and_without_the_rule_leaves_the_rule() -> None:
    found = read_forgiving(lambda flags: skipping(flags, is_breach=False), "a")
    assert found.match.uses_crawford
    assert (found.warnings, len(found.skipped)) == ((), 1)


@given(matches)
def test_resignation_is_the_one_that_gave_the_result(match: Match) -> None:
    for index, game in enumerate(match.games):
        if game.result is not None and isinstance(game.actions[-1], Resign):
            state = state_after(match, index, len(game.actions) - 1)
            assert resignation(state, game.result) == game.actions[-1]


def test_gammon_against_the_jacoby_rule_is_no_resignation() -> None:
    state = state_after(random_match(1, 0, jacoby=True), 0, 0)
    assert resignation(state, Result(0, 1)) == Resign(1, 1)
    assert resignation(state, Result(0, 2)) is None
    assert resignation(state_after(random_match(1, 5), 0, 0), Result(0, 2)) == Resign(1, 2)


def test_points_beside_the_cube_are_refused() -> None:
    state = state_after(random_match(1, 5), 0, 0)
    with pytest.raises(RecordError, match="expected a resignation of 1 to 3 times the cube, 1, "):
        resignation(state, Result(0, 4))
    doubled = replace(state.game.match, cube_value=2, cube_owner=0)
    state = replace(state, game=replace(state.game, match=doubled))
    with pytest.raises(RecordError, match="times the cube, 2, not of 3 points"):
        resignation(state, Result(0, 3))


BY_HAND = [
    *(f"set player {player} human" for player in (0, 1)),
    *(f"set automatic {what} off" for what in ("roll", "game", "move", "bearoff")),
    "set confirm new off",
    "set confirm save off",
    "set beavers 3",
    "set rng manual",
]
THREE_MOVES = [
    *("3 1", "move 8/5 6/5"),
    *("roll", "6 5", "move 24/18 18/13"),
    *("roll", "6 4", "move 24/14"),
]
RESIGNED = ["resign normal", "accept"]
"""Both sides are people: the first command that fits the game is taken, the others refused."""


def saved(folder: Path, first_game: Sequence[str]) -> dict[str, AnalysedMatch]:
    """Play a game and a plain one behind it, and read what gnubg saves of them."""
    second = [*RESIGNED, "new game", *THREE_MOVES, *RESIGNED]
    save = ["save match a.sgf", "export match mat a.mat"]
    run_gnubg(folder, [*BY_HAND, *first_game, *second, *save])
    return {name: read_match_file(folder / f"a.{name}") for name in ("sgf", "mat")}


@needs_gnubg
@pytest.mark.reference
@pytest.mark.slow
def test_a_plain_session_by_hand_is_read_whole(tmp_path: Path) -> None:
    for found in saved(tmp_path, ["new session", *THREE_MOVES]).values():
        assert found.skipped == ()
        assert [len(game.actions) for game in found.match.games] == [4, 4]


@needs_gnubg
@pytest.mark.reference
@pytest.mark.slow
@pytest.mark.parametrize(
    ("then", "kind", "reason"),
    [
        (["double", "redouble", "drop"], "sgf", "a passed beaver"),
        (["double", "redouble", "drop"], "mat", "a passed beaver"),
        (["double", "redouble", "redouble", "accept"], "sgf", "a beaver of a beaver"),
        (["double", "redouble", "redouble", "accept"], "mat", "a beaver of a beaver"),
        (["set board 4HPwATDgc/ABMA", "roll", "6 2", "move 24/16"], "sgf", "was edited"),
        (["set cube value 4", "roll", "6 2", "move 13/11 13/7"], "sgf", "was edited"),
        (["set turn 0", "roll", "6 2", "move 13/5"], "sgf", "it is player 1's turn"),
    ],
)
def test_a_game_that_no_record_can_keep_is_skipped_by_name(
    tmp_path: Path, then: list[str], kind: str, reason: str
) -> None:
    found = saved(tmp_path, ["new session", *THREE_MOVES, *then])[kind]
    (skipped,) = found.skipped
    assert skipped.number == 1
    assert reason in skipped.reason
    assert skipped.line is not None
    assert len(found.match.games[1].actions) == 4


@needs_gnubg
@pytest.mark.reference
@pytest.mark.slow
def test_a_mat_file_from_an_edited_start_is_skipped_by_name(tmp_path: Path) -> None:
    edited = ["new session", "3 1", "set board 4HPwQSDgc/ABMA", "set turn 1"]
    found = saved(tmp_path, [*edited, "roll", "6 2", "move 24/18 13/11"])
    assert found["sgf"].skipped == ()
    assert found["sgf"].match.games[0].start is not None
    assert [each.number for each in found["mat"].skipped] == [1]


MATCH = Match(("Ann", "Bob"), 5)
ONE_EACH = (Game((0, 0), (), Result(0, 3)), Game((3, 0), (), Result(1, 1)))


@pytest.mark.parametrize(
    ("given", "expected"),
    [((3, 1), (3, 1)), ((0, 0), (3, 1)), ((3, 2), (3, 1)), ((9, 9), (3, 1)), ((40_000, 0), (3, 1))],
)
def test_a_game_that_is_left_out_stands_at_a_score_that_may_be(
    given: tuple[int, int], expected: tuple[int, int]
) -> None:
    game = stand_in(MATCH, ONE_EACH, given)
    assert game == Game(expected)
    check_match(Match(("Ann", "Bob"), 5, (*ONE_EACH, game)))


def test_a_first_game_that_is_left_out_stands_where_the_file_says_or_at_nothing() -> None:
    assert stand_in(MATCH, (), (2, 3)) == Game((2, 3))
    assert stand_in(MATCH, (), (5, 3)) == Game((0, 0))


def test_a_crawford_game_that_is_left_out_is_called_so() -> None:
    before = (Game((0, 0), (), Result(0, 3)), Game((3, 0), (), Result(0, 1)))
    game = stand_in(MATCH, before, (4, 0))
    assert game == Game((4, 0), is_crawford=True)


def test_nothing_stands_for_a_game_after_the_match() -> None:
    assert stand_in(MATCH, (Game((4, 0), (), Result(0, 1), is_crawford=True),), (5, 0)) is None
