"""`manyply play othello` as a process: a person at a pipe."""

from __future__ import annotations

import asyncio
import os
import pty
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from engine_ext.othello.transcript import boards_of
from master.cli.othello.play_othello import read_game_file
from master.games.othello.record import OthelloRecord
from tests.daemons.command_line import Home, rest_of
from tests.daemons.person import PIPE, Person

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

PLAY = ("play", "othello", "--name", "Ann")
QUICK = (*PLAY, "--depth", "3", "--exact", "6")
LONG = (*PLAY, "--depth", "60", "--exact", "0", "--side", "white")


def saved(home: Home) -> OthelloRecord:
    (path,) = (home.state / "matches").iterdir()
    return read_game_file(path)[0]


async def played(home: Home, *options: str) -> OthelloRecord:
    """Let the engine play both sides to the end."""
    async with home.running(*QUICK, *options, **PIPE) as process:
        person = Person(process)
        while "The game is over: new" not in await person.prompt():
            person.type("go")
        ended = await person.leave()
    assert ended.code == 0, ended
    assert " wins by " in person.out or "a draw" in person.out
    assert "Saved as" in person.out
    assert "go on with" not in person.out
    return saved(home)


@pytest.mark.when_changed
async def test_a_whole_game_is_played_saved_and_the_same_again(home: Home) -> None:
    record = await played(home)
    assert record.game.side is None
    assert list(record.game.boards) == boards_of(record.game.squares, record.game.start)
    assert await played(Home(home.directory / "again")) == record


@pytest.mark.when_changed
async def test_an_end_of_input_saves_and_the_file_goes_on(home: Home) -> None:
    async with home.running(*QUICK, **PIPE) as process:
        person = Person(process)
        await person.prompt()
        person.type("f5")
        await person.prompt()
        assert (await person.leave()).code == 0
    assert "go on with: manyply play othello /" in person.out
    (path,) = (home.state / "matches").iterdir()
    whole = await played(home, str(path))
    assert whole.game.squares[0] == "f5"


@pytest.mark.when_changed
async def test_ctrl_c_stops_the_engine_and_then_leaves(home: Home) -> None:
    with terminal() as (shown, stderr):
        environ = home.environ | {"TERM": "xterm"}
        async with home.running(*LONG, **PIPE | {"stderr": stderr, "env": environ}) as process:
            person = Person(process)
            while b" nodes, " not in await asyncio.to_thread(os.read, shown, 65536):
                continue  # it does not think yet
            process.send_signal(signal.SIGINT)
            assert "Stopped." in await person.until("has not moved; Enter lets it? ")
            person.type("f5")
            await person.until("O, your move? ")
            process.send_signal(signal.SIGINT)
            ended = await person.leave()  # a signal just before the reading waits for its end
    assert ended.code == 130, ended
    assert "Saved as" in ended.out
    assert saved(home).game.squares == ("f5",)


@contextmanager
def terminal() -> Iterator[tuple[int, int]]:
    """Open a terminal; yield the end that shows it, and the end to write to."""
    shown, written = pty.openpty()
    try:
        yield shown, written
    finally:
        os.close(shown)
        os.close(written)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("nowhere.ggf",), "cannot read nowhere.ggf: No such file or directory"),
        (("--depth", "1", "--seconds", "1"), "--depth and --seconds exclude each other"),
        (("--board", "X"), "a board is 64 characters"),
    ],
)
async def test_what_cannot_be_played_is_one_line(
    home: Home, options: tuple[str, ...], expected: str
) -> None:
    ended = await home.run(*PLAY, *options, **PIPE)
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert expected in ended.complaint


async def test_a_reader_that_has_gone_ends_it_quietly(home: Home) -> None:
    async with home.running(*QUICK, **PIPE) as process:
        person = Person(process)
        await person.prompt()
        assert process.stdout is not None
        process.stdout._transport.close()  # type: ignore[attr-defined]
        person.type("f5")
        ended = await rest_of(process)
    assert (ended.code, ended.err) == (141, "")
