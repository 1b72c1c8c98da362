"""`manyply play` as a process: a person at a pipe plays backgammon and Othello."""

from __future__ import annotations

import asyncio
import os
import pty
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from engine_ext.othello.transcript import boards_of
from master.cli.othello.play_othello import read_game_file
from master.games.backgammon.matches.files import read_match_file
from master.games.backgammon.matches.record import AnalysedMatch, Play
from master.games.othello.record import OthelloRecord
from tests.daemons.analyser_programs import HERE, listening, started
from tests.daemons.command_line import MANYPLY, RUN_S_MAX, Ended, Home, rest_of
from tests.daemons.person import PIPE, Person

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

QUICK = ("play", "--name", "Ann", "--plies", "0", "--analysis-plies", "0", "--seed", "3")


class Player(Person):
    """Plays what `hint 1` says, and takes whatever is doubled."""

    async def play(self, lines_max: int = 10_000) -> None:
        """Answer prompts until the match is over, or so many lines are typed."""
        shown = await self.heard("? ")
        while shown.endswith("? ") and self.lines_typed < lines_max:
            if "your move" in shown.rsplit("\n", 1)[-1]:
                self.type("hint 1")
                found = re.search(r"^1\.  (.*?)  ", await self.prompt(), re.MULTILINE)
                assert found is not None
                self.type(found[1])
            else:
                self.type("take" if "take, pass" in shown else "")
            shown = await self.heard("? ")


def saved(home: Home) -> AnalysedMatch:
    (path,) = (home.state / "matches").iterdir()
    return read_match_file(path)


def is_analysed(match: AnalysedMatch) -> bool:
    return all(
        match.of(game, place) is not None
        for game, one in enumerate(match.match.games)
        for place, action in enumerate(one.actions)
        if isinstance(action, Play)
    )


async def played(home: Home, *options: str) -> tuple[Player, Ended]:
    async with home.running(*QUICK, *options, **PIPE) as process:
        person = Player(process)
        await person.play()
        return person, await person.leave()


@pytest.mark.sockets
@pytest.mark.when_changed
async def test_a_match_is_played_reviewed_and_saved_with_its_analysis(home: Home) -> None:
    person, ended = await played(home, "--match", "1", "--local", "1")
    assert ended.code == 0, ended
    assert "in the match to 1." in person.out
    assert "Luck-adjusted result" in person.out
    assert "Saved as" in person.out
    match = saved(home)
    assert match.match.games[-1].result is not None
    assert is_analysed(match)


@pytest.mark.sockets
@pytest.mark.when_changed
async def test_an_end_of_input_saves_and_the_file_goes_on(home: Home) -> None:
    async with home.running(*QUICK, "--match", "1", "--local", "1", **PIPE) as process:
        person = Player(process)
        await person.play(lines_max=12)
        ended = await person.leave()
    assert ended.code == 0, ended
    assert "go on with: manyply play" in person.out
    begun = saved(home).match.games[0].actions
    (path,) = (home.state / "matches").iterdir()
    again = ("play", str(path), "--plies", "0", "--analysis-plies", "0", "--seed", "3")
    async with home.running(*again, "--local", "1", **PIPE) as process:
        person = Player(process)
        await person.play()
        assert (await person.leave()).code == 0
    whole = saved(home)
    assert whole.match.games[0].actions[: len(begun)] == begun
    assert is_analysed(whole)
    other = Home(home.directory / "straight")
    await played(other, "--match", "1", "--local", "1")
    assert saved(other).match.games == whole.match.games


@pytest.mark.sockets
@pytest.mark.when_changed
async def test_ctrl_c_leaves_at_once_and_saves(home: Home) -> None:
    async with home.running(*QUICK, "--match", "3", "--local", "1", **PIPE) as process:
        person = Player(process)
        await person.play(lines_max=6)
        process.send_signal(signal.SIGINT)
        ended = await person.leave()
    assert ended.code == 130, ended
    assert ended.complaint == ""
    assert saved(home).match.games[0].actions


@pytest.mark.sockets
@pytest.mark.when_changed
async def test_an_analyser_killed_midway_changes_nothing(home: Home) -> None:
    alone = Home(home.directory / "alone")
    await played(alone, "--match", "1", "--local", "1")
    async with listening("--workers", "1") as (victim, port), listening() as (_, other):
        fleet = ("--local", "0", "--analyser", f"{HERE}:{port}", "--analyser", f"{HERE}:{other}")
        async with home.running(*QUICK, "--match", "1", *fleet, **PIPE) as process:
            person = Player(process)
            await person.play(lines_max=10)
            victim.send_signal(signal.SIGKILL)
            person.type("board")
            await person.play()
            assert (await person.leave()).code == 0
    assert saved(home) == saved(alone)


@pytest.mark.sockets
@pytest.mark.when_changed
async def test_an_analyser_that_cannot_be_used_is_said(home: Home) -> None:
    async with home.running(*QUICK, "--local", "1", "--analyser", "exec:false", **PIPE) as process:
        assert process.stderr is not None
        async with asyncio.timeout(RUN_S_MAX):
            warning = (await process.stderr.readline()).decode()
        assert (await Player(process).leave()).code == 0
    assert warning.startswith("manyply: ")
    assert "exec:false" in warning


@pytest.mark.sockets
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--match", "3", "--money"), "--match and --money exclude each other"),
        (("--seed", "1", "--manual-dice"), "--manual-dice leaves them to you"),
        (("--match", "0"), "Invalid value for '--match'"),
        (("--name", "a\x1b[31m"), "printable characters"),
        (("--name", "\udcff"), "printable characters"),
        (("--name", 101 * "a"), "printable characters"),
        (("nowhere.sgf",), "nowhere.sgf"),
        (("nowhere.sgf", "--money"), "FILE has its players and length"),
    ],
)
@pytest.mark.when_changed
async def test_what_cannot_be_played_is_one_line(
    home: Home, options: tuple[str, ...], expected: str
) -> None:
    ended = await home.run("play", *options)
    assert ended.code == 2
    assert expected in ended.complaint


@pytest.mark.sockets
@pytest.mark.when_changed
@pytest.mark.parametrize("waits", [True, False])
@pytest.mark.parametrize(
    ("begun", "typed", "shown"),
    [
        (("chess", "--level", "novice"), ("e4", "go", "go"), "record"),
        (("othello", "--level", "novice"), ("f5", "go", "go"), "record"),
        (("threes", "--plies", "1"), ("u", "l", "d"), "board"),
        (
            ("backgammon", "--level", "novice", "--match", "3", "--local", "1"),
            ("dice 31",),
            "board",
        ),
    ],
)
async def test_a_game_that_was_killed_goes_on(
    home: Home, begun: tuple[str, ...], typed: tuple[str, ...], shown: str, *, waits: bool
) -> None:
    """The last move may be lost where the kill comes in the middle of it, and no other."""
    command = ("play", *begun, "--name", "Ann", "--seed", "3")
    async with home.running(*command, **PIPE) as process:
        person = Person(process)
        await person.prompt()
        for line in typed:
            person.type(line)
            await person.prompt()
        if begun[0] == "backgammon":
            person.type("hint 1")
            found = re.search(r"^1\.  (.*?)  ", await person.prompt(), re.MULTILINE)
            assert found is not None
            person.type(found[1])
            await person.prompt()
        if not waits:
            person.type(typed[-1])
        process.kill()
        await process.wait()
    (path,) = (home.state / "matches").iterdir()
    whole = path.read_text()
    async with home.running("play", begun[0], "--continue", **PIPE) as process:
        person = Person(process)
        await person.prompt()
        person.type(shown)
        ended = await person.leave()
    assert ended.code == 0, ended
    assert f"Saved as {path}" in person.out
    assert path.read_text()[:40] == whole[:40]
    if waits and begun[0] != "backgammon":
        assert path.read_text() == whole


PLAY = ("play", "othello", "--name", "Ann")
OTHELLO_QUICK = (*PLAY, "--depth", "3", "--exact", "6")
OTHELLO_LONG = (*PLAY, "--depth", "60", "--exact", "0", "--side", "white")


def saved_othello(home: Home) -> OthelloRecord:
    (path,) = (home.state / "matches").iterdir()
    return read_game_file(path)[0]


async def played_othello(home: Home, *options: str) -> OthelloRecord:
    """Let the engine play both sides to the end."""
    async with home.running(*OTHELLO_QUICK, *options, **PIPE) as process:
        person = Person(process)
        while "The game is over: new" not in await person.prompt():
            person.type("go")
        ended = await person.leave()
    assert ended.code == 0, ended
    assert " wins by " in person.out or "a draw" in person.out
    assert "Saved as" in person.out
    assert "go on with" not in person.out
    return saved_othello(home)


@pytest.mark.when_changed
async def test_a_whole_game_is_played_saved_and_the_same_again(home: Home) -> None:
    record = await played_othello(home)
    assert record.game.side is None
    assert list(record.game.boards) == boards_of(record.game.squares, record.game.start)
    assert await played_othello(Home(home.directory / "again")) == record


@pytest.mark.when_changed
async def test_an_end_of_input_saves_othello_and_the_file_goes_on(home: Home) -> None:
    async with home.running(*OTHELLO_QUICK, **PIPE) as process:
        person = Person(process)
        await person.prompt()
        person.type("f5")
        await person.prompt()
        assert (await person.leave()).code == 0
    assert "go on with: manyply play othello /" in person.out
    (path,) = (home.state / "matches").iterdir()
    whole = await played_othello(home, str(path))
    assert whole.game.squares[0] == "f5"


@pytest.mark.when_changed
async def test_ctrl_c_stops_the_engine_and_then_leaves(home: Home) -> None:
    with terminal() as (shown, stderr):
        environ = home.environ | {"TERM": "xterm"}
        async with home.running(
            *OTHELLO_LONG, **PIPE | {"stderr": stderr, "env": environ}
        ) as process:
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
    assert saved_othello(home).game.squares == ("f5",)


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
        (("--depth", "1", "--seconds", "1"), "--plies and --seconds exclude each other"),
        (("--board", "X"), "a board is 64 characters"),
    ],
)
async def test_othello_that_cannot_be_played_is_one_line(
    home: Home, options: tuple[str, ...], expected: str
) -> None:
    ended = await home.run(*PLAY, *options, **PIPE)
    assert (ended.code, ended.err.count("\n")) == (2, 1)
    assert expected in ended.complaint


async def test_a_reader_that_has_gone_ends_it_quietly(home: Home) -> None:
    async with home.running(*OTHELLO_QUICK, **PIPE) as process:
        person = Person(process)
        await person.prompt()
        assert process.stdout is not None
        process.stdout._transport.close()  # type: ignore[attr-defined]
        person.type("f5")
        ended = await rest_of(process)
    assert (ended.code, ended.err) == (141, "")


BACKGAMMON = ("play", "--name", "Ann", "--plies", "0", "--analysis-plies", "0", "--local", "1")
OTHELLO = ("play", "othello", "--name", "Ann", "--depth", "3", "--exact", "6")


@pytest.mark.parametrize("game", [BACKGAMMON, OTHELLO], ids=["backgammon", "othello"])
@pytest.mark.when_changed
async def test_a_closed_input_is_the_end_of_it(home: Home, game: tuple[str, ...]) -> None:
    closing = ("sh", "-c", 'exec "$@" <&-', "sh", *MANYPLY, *game)
    pipes: dict[str, Any] = {"stdout": asyncio.subprocess.PIPE, "env": home.environ}
    async with started(*closing, **pipes) as process:
        ended = await rest_of(process)
    assert (ended.code, ended.complaint) == (0, "")


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        pytest.param(BACKGAMMON, "is no command and no move", id="backgammon"),
        pytest.param(OTHELLO, "is no command and no square", id="othello"),
    ],
)
@pytest.mark.when_changed
async def test_a_byte_of_another_encoding_is_a_mistyped_line(
    home: Home, game: tuple[str, ...], expected: str
) -> None:
    strict = home.environ | {"PYTHONIOENCODING": "utf-8:strict"}
    async with home.running(*game, **PIPE, env=strict) as process:
        person = Person(process)
        await person.prompt()
        assert process.stdin is not None
        process.stdin.write(b"\xe4\n")
        assert expected in await person.prompt()
        assert (await person.leave()).code == 0
