"""Games that are left out: of matches, and of sessions as gnubg saves them and no server does."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from master.games.backgammon.matches.files import read_match_file
from master.games.backgammon.matches.record import AnalysedMatch, Game, Match, Result
from master.games.backgammon.matches.repairs import stand_in
from master.games.backgammon.matches.replay import check_match
from tests.master.games.backgammon.matches.gnubg_program import needs_gnubg, run_gnubg

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
