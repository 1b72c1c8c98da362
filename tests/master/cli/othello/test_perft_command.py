"""`manyply perft othello`, and the list of Othello's commands."""

import json
from typing import Any

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.othello.commands import COMMANDS


def ran(*args: str, game: str = "othello") -> Any:
    return CliRunner().invoke(manyply, ["perft", game, *args])


EMPTY_BUT_FOUR = "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + " X"


@pytest.mark.parametrize(("depth", "count"), [(1, 4), (2, 12), (9, 3005288)])
def test_othello_is_counted_from_the_start(depth: int, count: int) -> None:
    counted = json.loads(ran(str(depth), "--json", game="othello").stdout)
    assert counted.pop("seconds") >= 0
    assert counted == {"board": EMPTY_BUT_FOUR, "depth": depth, "games": count}


@pytest.mark.parametrize("board", [[EMPTY_BUT_FOUR], EMPTY_BUT_FOUR.split()])
def test_any_othello_board_is_counted(board: list[str]) -> None:
    assert f"{EMPTY_BUT_FOUR} depth 3: 56 games" in ran(*board, "3", game="othello").stdout
    small = "-----OX--XO----- X"
    assert f"{small} depth 16: 60,060 games" in ran(small, "16", game="othello").stdout


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ((), "expected [BOARD] DEPTH"),
        ((EMPTY_BUT_FOUR,), "expected [BOARD] DEPTH"),
        (("0",), "DEPTH is 1 to 20, not 0"),
        (("21",), "DEPTH is 1 to 20, not 21"),
        (("XO", "1"), "a board is 64 characters X, O or -"),
    ],
)
def test_mistake_about_othello_is_named(args: tuple[str, ...], complaint: str) -> None:
    result = ran(*args, game="othello")
    assert result.exit_code == 2
    assert complaint in result.stderr


WORDS = [*((verb, "othello") for verb in COMMANDS.verbs), *((name,) for name in COMMANDS.own)]


def test_commands_are_those_of_the_manual() -> None:
    assert list(COMMANDS.own) == ["nboard"]
    assert set(COMMANDS.verbs) == {"analyse", "play", "search", "simulate", "perft", "bench"}


@pytest.mark.parametrize("words", WORDS)
def test_each_command_is_found_by_its_words_and_helps(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(manyply, [*words, "--help"])
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: manyply {' '.join(words)} ")
