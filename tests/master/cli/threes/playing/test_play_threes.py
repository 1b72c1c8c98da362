"""`manyply play threes`: its options, and a game from the first line to the saved file.
What files of games of Threes! hold: master.cli.threes.playing.play_threes."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.errors import CommandError
from master.cli.playing.game_file import GameFile
from master.cli.terminal import HIDE_CURSOR, SHOW_CURSOR
from master.cli.threes.playing.play_threes import THREES_FORMATS, read_game_file
from master.games.errors import RecordError
from master.games.threes.record import LETTER_OF, RECORD_CHARACTERS_MAX, ThreesRecord
from tests.master.cli.sessions import Session, session

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
    [
        ("game.threes", "--seed", "3"),
        ("--plies", "9"),
        ("--plies", "3-2"),
        ("--rare", "1"),
        ("--seconds", "0"),
        ("--seed", "-1"),
    ],
)
def test_what_cannot_be_asked_is_refused(args: tuple[str, ...]) -> None:
    assert ran(*args).exit_code == 2


def test_the_help_says_that_chance_follows_the_moves() -> None:
    assert "meets the same" in ran("--help").stdout


@pytest.mark.parametrize("command", ["rollout", "play", "move"])
def test_look_ahead_has_two_names_and_help_says_both(command: str) -> None:
    assert "--plies, --depth N" in CliRunner().invoke(manyply, [command, "threes", "--help"]).stdout


# At a terminal.
PROMPT = "Your move? "
UP, DOWN, LEFT = "\x1b[A", "\x1bOB", "\x1b[D"


@contextmanager
def sat(*args: str, columns: int = 80, environ: dict[str, str] | None = None) -> Iterator[Session]:
    """Sit at a terminal with a game by seed 3, up to the first prompt."""
    words = ("-m", "master.cli", "play", "threes", "--seed", "3", *QUICK, *args)
    with session(*words, columns=columns, environ=environ) as begun:
        begun.until(PROMPT)
        yield begun


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.parametrize("columns", [80, 40])
def test_arrow_keys_move_at_once_and_the_board_stays_where_it_is(
    columns: int, state_dir: Path
) -> None:
    with sat(columns=columns) as tried:
        for key in (UP, LEFT, DOWN):
            tried.press(key)
            tried.until(PROMPT)
        assert tried.shown.count("moves  ") == 1
        assert "moves  3" in tried.shown
        tried.press("\x04")
        assert tried.ended() == 0
        assert tried.is_as_usual
    assert kept(state_dir).moves == "uld"


@pytest.mark.slow
@pytest.mark.sockets
def test_words_are_typed_and_edited_where_arrow_keys_move(state_dir: Path) -> None:
    with sat() as tried:
        tried.press("xx\x7f\x1b[D\x04ul\r")  # in a line an arrow moves the cursor
        tried.until(PROMPT)  # the line editor shows it again
        tried.until(PROMPT)
        assert "moves  2" in tried.shown
        tried.press("hnit\r")
        tried.until("try help")
        tried.until(PROMPT)
        tried.press(DOWN)
        tried.until("moves  3")
        tried.until(PROMPT)
        assert "try help" not in tried.shown
        assert tried.shown.count("moves  ") == 1
        tried.press("hint\r")
        tried.until("Final score")
        tried.until(PROMPT)
        tried.press("undo\r")
        tried.until("moves  2")
        tried.until(PROMPT)
        assert tried.shown.count("moves  ") == 2
        assert f"{PROMPT}hint\n" in tried.shown
        assert "\n1. " in tried.shown
        tried.press("quit\r")
        assert tried.ended() == 0
    assert kept(state_dir).moves == "uld"


@pytest.mark.slow
@pytest.mark.sockets
def test_an_arrow_that_moves_nothing_is_remarked_on_below_the_board() -> None:
    with sat() as tried:
        tried.press(UP * 30)
        for _ in range(30):
            tried.until(PROMPT)
        shown = tried.shown
    assert shown.count("moves  ") == 1
    assert shown.splitlines()[-2].startswith("up moves nothing; you may move ")


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.parametrize("key", ["\x03", ""])
def test_ctrl_c_stops_the_watching_and_loses_nothing(key: str, state_dir: Path) -> None:
    with sat("--plies", "4") as tried:
        tried.press("auto\r")
        tried.until("speed")
        if key:
            tried.press(key)
        else:
            os.kill(tried.process.pid, signal.SIGINT)
        tried.until("Stopped.")
        tried.until(PROMPT)
        assert "speed" not in tried.shown
        assert tried.shown.count("moves  ") == 1
        assert tried.sent.rindex(HIDE_CURSOR) < tried.sent.rindex(SHOW_CURSOR)
        tried.press(LEFT)
        tried.until(PROMPT)
        tried.press("\x03")
        assert tried.ended() == 130
    assert kept(state_dir).moves


@pytest.mark.slow
@pytest.mark.sockets
def test_a_terminal_that_grows_narrow_gets_a_narrow_board() -> None:
    with sat("--plies", "4") as tried:
        tried.press("auto\r")
        tried.until("   speed")
        tried.resize(columns=40, lines=24)
        tried.until("\nspeed")
        tried.press("\x03")
        tried.until("Stopped.")


@pytest.mark.slow
@pytest.mark.sockets
def test_a_dumb_terminal_gets_boards_one_below_the_other() -> None:
    with sat(environ={"TERM": "dumb"}) as tried:
        tried.press("u\n")
        tried.until(PROMPT)
        tried.press("auto 50\n")
        tried.until(PROMPT)
        assert tried.sent.count("moves  ") == 3
        assert "\x1b[K" not in tried.sent
        assert "Arrow keys" not in tried.sent


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.when_changed
def test_a_watched_game_leaves_one_board_and_its_result(state_dir: Path) -> None:
    words = ("-m", "master.cli", "play", "threes", "--seed", "3", "--auto", *QUICK)
    with session(*words, environ={"NO_COLOR": "1"}) as tried:
        assert tried.ended() == 0
    assert tried.shown.count("moves  ") == 1
    assert "The game is over: " in tried.shown
    assert "\x1b[1m" not in tried.sent
    assert kept(state_dir).game.is_over


RECORD = ThreesRecord(3).played("u").played("l").played("d")


def test_a_game_that_was_loaded_goes_on_in_its_own_file(tmp_path: Path) -> None:
    path = GameFile(THREES_FORMATS).save(RECORD, tmp_path / "game.threes")
    assert path.read_text() == "threes 1 seed=3\nuld\n"
    kept = GameFile(THREES_FORMATS)
    record = kept.load(path)
    assert record == RECORD
    before = record.undo()
    assert before is not None
    assert kept.save(before) == path
    assert read_game_file(path) == (ThreesRecord(3, "ul"), ".threes")


def test_only_files_of_that_ending_are_written(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"game.txt: expected a name that ends with .threes"):
        GameFile(THREES_FORMATS).save(RECORD, tmp_path / "game.txt")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "expected a first line such as threes 1 seed=7"),
        (b"\xff\x00\n", "expected a first line"),
        (b"threes 1 seed=3\nu?", "move 2 is '[?]'"),
        (b"threes 1 seed=3\n" + b"\n" * RECORD_CHARACTERS_MAX, "expected one game"),
    ],
)
def test_a_faulty_file_is_named_in_one_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "game.threes"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=f"^{path}: {message}") as refused:
        read_game_file(path)
    assert "\n" not in str(refused.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot read"):
        read_game_file(tmp_path / "none.threes")
