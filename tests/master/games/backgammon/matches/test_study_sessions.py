"""Sessions as gnubg saves them that no server would have: edited, beavered, by rules of its own."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from engine_ext.backgammon.questions import DecisionKind
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.decisions import ask_about
from master.games.backgammon.matches.files import read_match_file
from master.games.backgammon.matches.levels import LEVELS
from master.games.backgammon.matches.record import Double, Play
from master.games.backgammon.matches.sgf import write_sgf
from tests.master.games.backgammon.matches.gnubg_program import (
    needs_gnubg,
    run_gnubg,
    self_play_commands,
)

pytestmark = [needs_gnubg, pytest.mark.reference, pytest.mark.slow]

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


def test_a_plain_session_by_hand_is_read_whole(tmp_path: Path) -> None:
    for found in saved(tmp_path, ["new session", *THREE_MOVES]).values():
        assert found.skipped == ()
        assert [len(game.actions) for game in found.match.games] == [4, 4]


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


def test_a_mat_file_from_an_edited_start_is_skipped_by_name(tmp_path: Path) -> None:
    edited = ["new session", "3 1", "set board 4HPwQSDgc/ABMA", "set turn 1"]
    found = saved(tmp_path, [*edited, "roll", "6 2", "move 24/18 13/11"])
    assert found["sgf"].skipped == ()
    assert found["sgf"].match.games[0].start is not None
    assert [each.number for each in found["mat"].skipped] == [1]


def test_automatic_doubles_are_the_same_in_both_of_its_formats(tmp_path: Path) -> None:
    """Of the last game no score tells in .mat."""
    commands = self_play_commands(0, seed=16)
    commands.insert(-1, "set automatic doubles 3")
    save = ["save match a.sgf", "export match mat a.mat"]
    run_gnubg(tmp_path, [*commands, *["new game"] * 7, *save])
    sgf, mat = (read_match_file(tmp_path / f"a.{name}") for name in ("sgf", "mat"))
    assert sgf.skipped == mat.skipped == ()
    cubes = [game.cube for game in sgf.match.games]
    assert max(cubes) > 1
    assert [game.cube for game in mat.match.games[:-1]] == cubes[:-1]
    assert [game.result for game in mat.match.games[:-1]] == [
        game.result for game in sgf.match.games[:-1]
    ]
    (tmp_path / "b.sgf").write_text(write_sgf(sgf))
    assert read_match_file(tmp_path / "b.sgf").match == sgf.match
    run_gnubg(tmp_path, ["load match b.sgf", "save match c.sgf"])
    assert read_match_file(tmp_path / "c.sgf").match.games == sgf.match.games


def test_a_match_without_a_cube_is_asked_nothing_about_it_and_keeps_the_rule(
    tmp_path: Path,
) -> None:
    commands = self_play_commands(3, seed=5)
    commands.insert(-1, "set cube use off")
    run_gnubg(tmp_path, [*commands, "save match a.sgf"])
    match = read_match_file(tmp_path / "a.sgf").match
    assert not match.uses_cube
    assert not any(isinstance(action, Double) for game in match.games for action in game.actions)
    asked = ask_about(match, LEVELS["quick"], "0" * 16)
    assert len(asked) == sum(isinstance(a, Play) for game in match.games for a in game.actions)
    assert all(one.question.kind is not DecisionKind.CUBE for one in asked)
    assert {one.question.settings.cube_ply for one in asked} == {None}
    (tmp_path / "b.sgf").write_text(write_sgf(AnalysedMatch(match)))
    run_gnubg(tmp_path, ["load match b.sgf", "save match c.sgf"])
    assert "NoCube" in (tmp_path / "c.sgf").read_text()
