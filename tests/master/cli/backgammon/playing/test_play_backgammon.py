"""`manyply play backgammon`: its options, and a match from the first line to the saved file."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.errors import CommandError, ExitCode
from master.games.backgammon.matches.files import read_match_file
from master.games.backgammon.matches.record import Match, Play

QUICK = ("--plies", "0", "--analysis-plies", "0", "--local", "1")


def ran(*args: str, typed: str = "") -> Any:
    return CliRunner().invoke(manyply, ["play", "backgammon", *args], input=typed)


def kept(state_dir: Path) -> Match:
    (path,) = (state_dir / "matches").iterdir()
    return read_match_file(path).match


@pytest.mark.slow
def test_a_match_is_saved_as_it_was_played_and_goes_on(state_dir: Path) -> None:
    result = ran(*QUICK, "--name", "Ann", "--match", "3", "--seed", "4", typed="8/5 6/5\nquit\n")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Dice by seed 4.  help lists what you can type.\n")
    found = re.search(r"\nSaved as \S+; go on with: manyply play (\S+)\n$", result.stdout)
    assert found is not None
    match = kept(state_dir)
    assert (match.players, match.length) == (("Ann", "manyply 0-ply"), 3)
    assert len(match.games[0].actions) == 2
    again = ran(found[1], *QUICK, "--seed", "4", typed="resign bg\ny\n")
    assert again.exit_code == 0, again.output
    assert "the match to 3.\n" in again.stdout
    assert "Luck-adjusted result" in again.stdout
    assert again.stdout.endswith(f"\n\nSaved as {found[1]}\n")
    assert len(kept(state_dir).games[0].actions) == 3


@pytest.mark.slow
def test_money_games_have_beavers_and_no_length(state_dir: Path) -> None:
    result = ran(*QUICK, "--money", "--manual-dice", typed="31\n8/5 6/5\nquit\n")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("\nMoney game, game 1 at 0-0.\n")
    match = kept(state_dir)
    assert (match.length, match.beavers, match.jacoby) == (0, True, True)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--match", "3", "--money"), "--match and --money exclude each other"),
        (("--seed", "1", "--manual-dice"), "--manual-dice leaves them to you"),
        (("--match", "65"), "Invalid value for '--match'"),
        (("--name", "a\x1b[31m"), "printable characters"),
        (("nowhere.sgf", "--match", "3"), "FILE has its players and length"),
    ],
)
def test_what_cannot_be_played_is_named(options: tuple[str, ...], expected: str) -> None:
    result = ran(*options)
    assert result.exit_code == 2
    assert expected in " ".join(result.stderr.split())


@pytest.mark.sockets
def test_opponent_that_is_not_there_is_named(state_dir: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    result = ran(*QUICK, "--against", f"external:127.0.0.1:{port}")
    assert isinstance(result.exception, CommandError)
    assert result.exception.exit_code is ExitCode.UNREACHABLE
    assert f"cannot reach 127.0.0.1:{port}: " in str(result.exception)
    assert not state_dir.exists()
    assert "expected external:HOST:PORT" in ran("--against", "gnubg").stderr


@pytest.mark.slow
def test_match_begins_at_a_position_and_goes_on_from_its_file(state_dir: Path) -> None:
    xgid = "XGID=-b----E-C---eE---c-e----B-:1:1:1:31:3:5:0:7:10"
    result = ran(*QUICK, "--from", xgid, "--name", "Ann", "--seed", "4", typed="8/5 6/5\nquit\n")
    assert result.exit_code == 0, result.output
    assert "cube 2" in result.stdout
    assert "5 of 7 points" in result.stdout
    found = re.search(r"go on with: manyply play (\S+)\n$", result.stdout)
    assert found is not None
    (game,) = kept(state_dir).games
    assert game.start is not None
    assert (game.score, game.start.match.cube_value, game.start.match.dice) == ((3, 5), 2, (3, 1))
    assert game.actions[0] == Play(0, (3, 1), ((8, 5), (6, 5)))
    again = ran(found[1], *QUICK, "--seed", "4", typed="new\nquit\n")
    assert again.exit_code == 0, again.output
    assert again.stdout.count("X 3-1, your move?") == 1  # another begins there again
    assert len(kept(state_dir).games[0].actions) == len(game.actions)


def test_position_has_its_own_length_and_score() -> None:
    start = ("--from", "4HPwATDgc/ABMA")
    for options, expected in (
        ((*start, "--match", "3"), "--from has its length and score"),
        ((*start, "--money"), "--from has its length and score"),
        (
            (*start, "nowhere.sgf"),
            "FILE has its players and length: leave --match, --money, --from",
        ),
        (("--from", "nonsense"), "an ID is a position ID"),
        (("--from", "4HPwATDgc/ABMA:cCEAAAAAAAAA"), "a game cannot start with a resignation"),
    ):
        result = ran(*options)
        said = " ".join(result.stderr.split()) + str(result.exception)
        assert result.exit_code != 0
        assert expected in said
