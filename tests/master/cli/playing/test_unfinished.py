"""`play --continue`: the last unfinished game of each game, and damaged notes."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.chess.play_chess import read_game_file
from master.cli.errors import CommandError, ExitCode

BEGUN = ("--name", "Ann", "--level", "novice", "--seed", "5")


def ran(*args: str, typed: str = "") -> Any:
    return CliRunner().invoke(manyply, ["play", *args], input=typed)


def refused(*args: str) -> str:
    error = ran(*args).exception
    assert isinstance(error, CommandError)
    assert error.exit_code is ExitCode.BAD_INPUT
    assert "\n" not in str(error)
    return str(error)


def notes(state_dir: Path, game: str = "chess") -> list[Path]:
    return sorted((state_dir / "unfinished" / game).glob("*"))


def saved_in(out: str) -> Path:
    found = re.search(r"Saved as ([^;\n]+)", out)
    assert found is not None, out
    return Path(found[1])


@pytest.mark.parametrize(
    ("game", "options", "typed"),
    [
        ("chess", ("--black", "--level", "novice", "--seed", "5"), "e5\nquit\n"),
        ("chess", ("--depth", "1"), "e4\nquit\n"),
        ("othello", ("--side", "white", "--level", "novice"), "go\nquit\n"),
        ("othello", ("--depth", "2", "--exact", "4", "--eval"), "f5\nquit\n"),
        ("threes", ("--seed", "5", "--plies", "1"), "u\nd\nquit\n"),
    ],
)
def test_the_last_game_goes_on_as_it_was_begun(
    state_dir: Path, game: str, options: tuple[str, ...], typed: str
) -> None:
    first = ran(game, "--name", "Ann", *options, typed=typed)
    assert first.exit_code == 0, first.output
    (note,) = notes(state_dir, game)
    again = ran(game, "--continue", typed="quit\n")
    assert again.exit_code == 0, again.output
    assert saved_in(again.stdout) == saved_in(first.stdout)
    assert first.stdout.endswith(again.stdout.split("\n\n")[-1])
    assert notes(state_dir, game) == [note]


@pytest.mark.slow
def test_a_match_goes_on_with_the_dice_that_it_would_have_had(state_dir: Path) -> None:
    begun = ("--match", "3", "--seed", "4", "--level", "novice", "--name", "Ann", "--local", "1")
    first = ran("backgammon", *begun, typed="8/5 6/5\nquit\n")
    assert first.exit_code == 0, first.output
    (note,) = notes(state_dir, "backgammon")
    options = json.loads(note.read_text())["options"]
    assert options["seed"] == "4"
    assert not {"length", "name", "file"} & set(options)
    again = ran("backgammon", "--continue", typed="roll\nquit\n")
    straight = ran("backgammon", *begun, typed="8/5 6/5\nroll\nquit\n")
    rolled = [re.findall(r"X rolled (\d-\d)", each.stdout)[-1] for each in (again, straight)]
    assert rolled[0] == rolled[1]
    assert "Dice seed: 4." in again.stdout


@pytest.mark.when_changed
def test_the_same_seed_and_moves_are_the_same_game_with_a_stop_between(state_dir: Path) -> None:
    ran("chess", *BEGUN, typed="e4\nquit\n")
    stopped = read_game_file(saved_in(ran("chess", "--continue", typed="go\ngo\nquit\n").stdout))
    straight = read_game_file(saved_in(ran("chess", *BEGUN, typed="e4\ngo\ngo\nquit\n").stdout))
    first, second = (record.game.sans for record, _ in (stopped, straight))
    assert first[:2] == second[:2]
    assert len(first) == len(second) == 6


def test_a_seed_by_chance_is_kept(state_dir: Path) -> None:
    ran("chess", "--name", "Ann", "--level", "novice", typed="e4\nquit\n")
    seed = json.loads(notes(state_dir)[0].read_text())["options"]["seed"]
    ran("chess", "--continue", typed="go\nquit\n")
    assert json.loads(notes(state_dir)[0].read_text())["options"]["seed"] == seed


def test_a_finished_game_is_not_taken_up_but_the_one_before(state_dir: Path) -> None:
    before = saved_in(ran("chess", *BEGUN, typed="e4\nquit\n").stdout)
    mate = ("--fen", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
    ended = saved_in(ran("chess", *BEGUN, *mate, typed="Ra8\nquit\n").stdout)
    os.utime(ended, (2e9, 2e9))
    assert saved_in(ran("chess", "--continue", typed="quit\n").stdout) == before


def test_a_game_begun_at_a_position_goes_on_there(state_dir: Path) -> None:
    fen = ("--fen", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "--depth", "1", "--name", "Ann")
    first = ran("chess", *fen, typed="Kf2\nquit\n")
    again = ran("chess", "--continue", typed="quit\n")
    assert (again.exit_code, saved_in(again.stdout)) == (0, saved_in(first.stdout))


def test_what_is_typed_replaces_what_was_begun_with(state_dir: Path) -> None:
    ran("chess", *BEGUN, typed="e4\nquit\n")
    ran("chess", "--continue", "--depth", "2", typed="quit\n")
    assert json.loads(notes(state_dir)[0].read_text())["options"]["depth"] in (2, "2")
    again = ran("chess", "--continue", "--level", "expert", "--seed", "1", typed="level\nquit\n")
    assert "level expert" in again.stdout


def test_a_level_that_is_set_at_the_table_is_kept(state_dir: Path) -> None:
    ran("chess", "--name", "Ann", "--depth", "1", typed="level club\ne4\nquit\n")
    assert "level club" in ran("chess", "--continue", typed="level\nquit\n").stdout
    ran("chess", "--continue", typed="level 0.1s\ngo\nquit\n")
    assert "level 0.1 s" in ran("chess", "--continue", typed="level\nquit\n").stdout


def test_without_an_unfinished_game_a_line_says_how_one_is_begun() -> None:
    said = refused("othello", "--continue")
    assert said == "there is no unfinished game of othello: begin one with manyply play othello"
    assert "manyply play backgammon" in refused("--continue")


def test_a_file_beside_it_is_refused() -> None:
    ran("chess", *BEGUN, typed="e4\nquit\n")
    result = ran("chess", "--continue", "game.pgn")
    assert result.exit_code == 2
    assert "--continue has its file: leave FILE" in result.stderr


@pytest.mark.parametrize(
    "damage",
    [b"", b"\xff\xfe", b"{}", b"[1]", b'{"file": 1, "options": {}}', b'{"file": "", "options": {}}',
     b'{"file": "a\\u0000", "options": {}}', b'{"file": "a", "options": 3}', b"[" * 100_000],
)  # fmt: skip
def test_a_damaged_note_is_named_and_the_game_is_not_lost(state_dir: Path, damage: bytes) -> None:
    path = saved_in(ran("chess", *BEGUN, typed="e4\nquit\n").stdout)
    whole = path.read_bytes()
    (note,) = notes(state_dir)
    note.write_bytes(damage)
    said = refused("chess", "--continue")
    assert said.startswith(f"{note} is damaged: name the game's file")
    assert str(state_dir / "matches") in said
    assert (path.read_bytes(), note.read_bytes()) == (whole, damage)
    assert saved_in(ran("chess", str(path), *BEGUN, typed="go\nquit\n").stdout) == path
    assert ran("chess", "--continue", typed="quit\n").exit_code == 0


def test_a_damaged_game_is_named_and_left_as_it_is(state_dir: Path) -> None:
    path = saved_in(ran("chess", *BEGUN, typed="e4\nquit\n").stdout)
    path.write_text("1. e4 e4 *\n")
    assert str(path) in refused("chess", "--continue")
    assert path.read_text() == "1. e4 e4 *\n"
    assert notes(state_dir)


def test_a_game_whose_file_is_gone_is_passed_over(state_dir: Path) -> None:
    before = saved_in(ran("chess", *BEGUN, typed="e4\nquit\n").stdout)
    gone = saved_in(ran("chess", *BEGUN, typed="d4\nquit\n").stdout)
    assert gone != before
    gone.unlink()
    assert saved_in(ran("chess", "--continue", typed="quit\n").stdout) == before


def test_a_note_that_cannot_be_written_does_not_end_the_game(state_dir: Path) -> None:
    state_dir.mkdir(parents=True)
    (state_dir / "unfinished").write_text("no folder")
    result = ran("chess", *BEGUN, typed="e4\nquit\n")
    assert result.exit_code == 0
    assert "--continue will not find this game" in result.stderr
    assert saved_in(result.stdout).exists()
