"""`manyply play chess`: its options, and a game from the first line to the saved file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import chess.pgn
import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.chess.play_files import read_game_file
from master.cli.errors import CommandError, ExitCode
from master.games.chess.record import ChessRecord

QUICK = ("--name", "Ann", "--depth", "2")
FORCED = "k6R/2r5/1K6/8/8/8/8/8 b - - 0 1"


def ran(*args: str, typed: str = "") -> Any:
    return CliRunner().invoke(manyply, ["play", "chess", *args], input=typed)


def kept(state_dir: Path) -> ChessRecord:
    (path,) = (state_dir / "matches").iterdir()
    return read_game_file(path)[0]


def test_a_game_is_saved_as_it_was_played_and_goes_on(state_dir: Path) -> None:
    result = ran(*QUICK, typed="e4\nhint 1\ngo\nquit\n")
    assert result.exit_code == 0, result.output
    found = re.search(r"go on with: manyply play chess (\S+)\n", result.stdout)
    assert found is not None
    record = kept(state_dir)
    assert (record.white, record.black, len(record.game.moves)) == ("Ann", "manyply depth 2", 4)
    again = ran(found[1], *QUICK[2:], typed="go\n")
    assert again.exit_code == 0
    assert "White Ann plays" in again.stdout
    more = kept(state_dir).game
    assert more.moves[:4] == record.game.moves
    assert len(more.moves) == 6
    with open(found[1], encoding="utf-8") as file:
        judged = chess.pgn.read_game(file)
    assert judged is not None
    assert [move.uci() for move in judged.mainline_moves()] == list(more.moves)
    assert re.fullmatch(r"\d{4}\.\d\d\.\d\d", judged.headers["Date"])


def test_the_same_moves_get_the_same_answers(state_dir: Path) -> None:
    games = []
    for number in range(2):
        path = state_dir.parent / f"{number}.pgn"
        ran(*QUICK, "--black", typed="go\n" * 5 + f"save {path}\n")
        games.append(read_game_file(path)[0].game)
    assert games[0] == games[1]
    assert len(games[0].moves) == 11


def test_nothing_is_saved_where_nothing_was_played(state_dir: Path) -> None:
    result = ran(typed="")
    assert (result.exit_code, (state_dir / "matches").exists()) == (0, False)
    assert "Saved" not in result.stdout


def test_going_on_with_black_says_so() -> None:
    assert "play chess --side black /" in ran(*QUICK, "--black", typed="quit\n").stdout


def test_a_game_may_begin_from_any_position(state_dir: Path) -> None:
    result = ran(*QUICK, "--fen", FORCED, "--side", "both", typed="\nrecord\n")
    assert "1... Rc8" in result.stdout
    assert kept(state_dir).game.start.is_black
    over = ran("--fen", "7k/5Q2/6K1/8/8/8/8/8 b - -", typed="")
    assert "The game is over, a draw: stalemate." in over.stdout


def test_an_engine_against_the_clock_moves(state_dir: Path) -> None:
    result = ran("--seconds", "0.1", "--name", "Ann", typed="e4\nquit\n")
    assert result.exit_code == 0, result.output
    assert (kept(state_dir).black, len(kept(state_dir).game.moves)) == ("manyply 0.1 s", 2)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--depth", "3", "--seconds", "1"), "--depth and --seconds exclude each other"),
        (("--depth", "0"), "Invalid value for '--depth'"),
        (("--side", "red"), "'red' is not one of 'white', 'black', 'both'"),
        (("--black", "--side", "white"), "give --black or --side white, not both"),
        (("--fen", "8/8"), "a FEN is six words"),
        (("game.pgn", "--fen", FORCED), "leave --fen"),
        (("--name", "\x1b"), "printable characters"),
        (("--time", "nan"), "expected 0.1 to 3600 seconds, not 'nan'"),
        (("--match", "3"), "No such option '--match'"),
    ],
)
def test_what_cannot_be_played_is_named(options: tuple[str, ...], expected: str) -> None:
    result = ran(*options)
    assert result.exit_code == 2
    assert expected in " ".join(result.stderr.split())


def test_a_file_that_is_not_there_is_named() -> None:
    result = ran("nowhere.pgn")
    assert isinstance(result.exception, CommandError)
    assert "cannot read nowhere.pgn: No such file or directory" in str(result.exception)
    assert result.exception.exit_code is ExitCode.BAD_INPUT
