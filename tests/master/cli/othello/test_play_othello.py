"""`manyply play othello`: its options, and a game from the first line to the saved file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine_ext.othello.board import OthelloBoard
from master.cli.app import manyply
from master.cli.othello.play_files import read_game_file
from master.games.othello.record import OthelloRecord

QUICK = ("--name", "Ann", "--depth", "2", "--exact", "4")


def ran(*args: str, typed: str = "") -> Any:
    return CliRunner().invoke(manyply, ["play", "othello", *args], input=typed)


def kept(state_dir: Path) -> OthelloRecord:
    (path,) = (state_dir / "matches").iterdir()
    return read_game_file(path)[0]


def test_a_game_is_saved_as_it_was_played_and_goes_on(state_dir: Path) -> None:
    result = ran(*QUICK, "--eval", typed="f5\nhint 1\ngo\nquit\n")
    assert result.exit_code == 0, result.output
    found = re.search(r"go on with: manyply play othello (\S+)\n", result.stdout)
    assert found is not None
    record = kept(state_dir)
    assert (record.black, record.white, len(record.game.turns)) == ("Ann", "manyply depth 2", 4)
    assert all(turn.evaluation for turn in record.game.turns)
    again = ran(found[1], *QUICK[2:], typed="go\n")
    assert again.exit_code == 0
    assert "X Ann plays" in again.stdout
    more = kept(state_dir).game
    assert more.squares[:4] == record.game.squares
    assert len(more.turns) == 6


def test_the_same_moves_get_the_same_answers(state_dir: Path) -> None:
    games = []
    for number in range(2):
        ran(
            *QUICK, "--side", "white", typed="go\n" * 10 + f"save {state_dir.parent}/{number}.txt\n"
        )
        games.append((state_dir.parent / f"{number}.txt").read_text())
    assert games[0] == games[1]
    assert len(games[0]) == 2 * 21 + 1


def test_nothing_is_saved_where_nothing_was_played(state_dir: Path) -> None:
    result = ran(typed="")
    assert (result.exit_code, (state_dir / "matches").exists()) == (0, False)
    assert "Saved" not in result.stdout


def test_going_on_with_white_says_so() -> None:
    assert "play othello --side white /" in ran(*QUICK, "--side", "white", typed="quit\n").stdout


def test_a_game_may_begin_from_any_board() -> None:
    start = OthelloBoard.start(6).to_text()
    result = ran(*QUICK, "--board", start, "--side", "both", typed="record\n")
    assert f"{start}\nno move is made" in result.stdout
    over = ran("--board", "X" * 64 + " O", typed="")
    assert "The game is over: X" in over.stdout


def test_a_game_may_begin_from_a_transcript_and_its_opening_is_named() -> None:
    result = ran(*QUICK, "--board", "F5 d6", "--side", "both", typed="c4\nd3\nc5\nrecord\n")
    assert "X Ann plays c5\nOpening: Cat" in result.stdout
    assert "f5d6c4d3c5\nOpening: Cat" in result.stdout
    assert result.stdout.count("Opening") == 2


def test_two_people_have_one_name() -> None:
    result = ran(*QUICK, "--side", "both", typed="f5\nquit\n")
    assert "O Ann" in result.stdout


def test_an_engine_against_the_clock_moves(state_dir: Path) -> None:
    result = ran("--seconds", "0.1", "--name", "Ann", typed="f5\nquit\n")
    assert result.exit_code == 0, result.output
    assert (kept(state_dir).white, len(kept(state_dir).game.turns)) == ("manyply 0.1 s", 2)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--depth", "3", "--seconds", "1"), "--depth and --seconds exclude each other"),
        (("--depth", "0"), "Invalid value for '--depth'"),
        (("--exact", "61"), "Invalid value for '--exact'"),
        (("--side", "red"), "'red' is not one of 'black', 'white', 'both'"),
        (("--board", "---"), "a board is 64 characters"),
        (("game.ggf", "--board", OthelloBoard.start().to_text()), "leave --board"),
        (("--name", "a]"), "a name without ]"),
        (("--name", "\x1b"), "printable characters"),
        (("--seconds", "nan"), "expected 0.1 to 3600 seconds, not 'nan'"),
        (("--match", "3"), "No such option '--match'"),
    ],
)
def test_what_cannot_be_played_is_named(options: tuple[str, ...], expected: str) -> None:
    result = ran(*options)
    assert result.exit_code == 2
    assert expected in " ".join(result.stderr.split())
