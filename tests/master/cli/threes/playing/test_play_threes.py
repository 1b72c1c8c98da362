"""`manyply play threes`: its options, and a game from the first line to the saved file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.errors import CommandError
from master.cli.threes.playing.play_files import read_game_file
from master.games.threes.record import LETTER_OF, ThreesRecord

QUICK = ("--name", "Ann", "--plies", "1")


def ran(*args: str, typed: str = "") -> Any:
    return CliRunner().invoke(manyply, ["play", "threes", *args], input=typed)


def kept(state_dir: Path) -> ThreesRecord:
    (path,) = (state_dir / "matches").iterdir()
    return read_game_file(path)[0]


def whole_game(seed: int) -> ThreesRecord:
    """Play the first legal move to the end."""
    record = ThreesRecord(seed)
    while moves := record.board.moves():
        record = record.played(LETTER_OF[moves[0]])
    return record


@pytest.mark.slow
def test_a_whole_game_is_typed_saved_and_shown(state_dir: Path) -> None:
    game = whole_game(3)
    result = ran("--seed", "3", *QUICK, typed="\n".join(game.moves) + "\nundo\nredo\nquit\n")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Seed 3\n")
    assert f"The game is over: {game.board.score:,} points" in result.stdout
    assert "go on with" not in result.stdout
    assert kept(state_dir) == game


def test_a_game_that_was_left_goes_on_from_its_file(state_dir: Path) -> None:
    result = ran("--seed", "3", *QUICK, typed="u\nhint\nld\nauto 3\n")
    found = re.search(r"go on with: manyply play threes (\S+)\n", result.stdout)
    assert found is not None
    record = kept(state_dir)
    assert (record.moves[:3], len(record.moves)) == ("uld", 6)
    assert ran(found[1], *QUICK, typed="auto 2\nquit\n").exit_code == 0
    assert kept(state_dir).moves[:6] == record.moves
    assert len(kept(state_dir).moves) == 8


def test_the_same_seed_and_look_ahead_play_the_same(state_dir: Path) -> None:
    for name in ("a", "b"):
        ran("--seed", "4", *QUICK, typed=f"auto 20\nsave {state_dir.parent}/{name}.threes\n")
    texts = [(state_dir.parent / f"{name}.threes").read_text() for name in ("a", "b")]
    assert texts[0] == texts[1]
    assert texts[0].startswith("threes 1 seed=4\n")


@pytest.mark.slow
def test_a_watched_game_is_played_to_its_end(state_dir: Path) -> None:
    result = ran("--seed", "3", "--auto", *QUICK)
    assert result.exit_code == 0, result.output
    assert "Your move?" not in result.stdout
    assert kept(state_dir).game.is_over


def test_a_seed_by_chance_is_said() -> None:
    first, second = (ran(typed="").stdout.splitlines()[0] for _ in range(2))
    assert re.fullmatch("Seed [0-9]+", first)
    assert first != second


def test_nothing_is_saved_where_nothing_was_played(state_dir: Path) -> None:
    result = ran(typed="quit\n")
    assert (result.exit_code, (state_dir / "matches").exists()) == (0, False)


def test_a_faulty_file_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "game.threes"
    path.write_text("threes 1 seed=3\nuq\n")
    result = ran(str(path))
    assert isinstance(result.exception, CommandError)
    assert str(result.exception) == f"{path}: move 2 is 'q', expected u, d, l or r"


@pytest.mark.parametrize(
    "args",
    [("game.threes", "--seed", "3"), ("--plies", "0"), ("--plies", "5"), ("--seed", "-1")],
)
def test_what_cannot_be_asked_is_refused(args: tuple[str, ...]) -> None:
    assert ran(*args).exit_code == 2


def test_the_help_says_that_chance_follows_the_moves() -> None:
    assert "meets the same" in ran("--help").stdout
