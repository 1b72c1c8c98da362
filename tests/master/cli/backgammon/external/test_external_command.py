"""`manyply external` as a process, over pipes, a port and a Unix socket."""

from __future__ import annotations

import asyncio
import re
import signal
import socket
import stat
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_network
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from engine_ext.backgammon.xgid import state_from_xgid
from engine_ext.control import RunControl
from master.cli.app import manyply
from master.cli.backgammon.external import external_command
from master.cli.backgammon.external.external_command import CONNECTIONS_MAX, ExternalEndpoint
from master.cli.backgammon.external.external_opponent import (
    DEBUG_LINES_MAX,
    ExternalOpponent,
    OpponentGoneError,
    read_place,
)
from master.cli.errors import CommandError
from master.games.backgammon.external.best_action import Level
from master.games.backgammon.external.fibs_board import Due, DueQuestion, SessionRules
from master.games.backgammon.external.session import (
    LINE_BYTES_MAX,
    REPLY_BYTES_MAX,
    ExternalReaction,
    asking_line,
    receive,
)
from master.games.backgammon.matches.record import Play
from protocol.access.rules import NOBODY_ELSE, Access
from protocol.address import Address
from protocol.guards.access_control import AccessControl
from tests.daemons.command_line import Home, rest_of
from tests.master.cli.pipes import talked_to
from tests.master.games.backgammon.external.gnubg_lines import (
    BEAVER_OF_1,
    DOUBLE_OF_0,
    DOUBLE_OF_1,
    TURN_OF_1,
)

pytestmark = pytest.mark.sockets

MANYPLY = (sys.executable, "-m", "master.cli", "external")
STEP_S_MAX = 20.0


@pytest.mark.slow
@pytest.mark.when_changed
def test_questions_are_answered_over_pipes_to_the_end_of_the_input() -> None:
    with talked_to((*MANYPLY, "--plies", "0")) as board:
        board.send("version", TURN_OF_1, DOUBLE_OF_0, BEAVER_OF_1, "rubbish")
        lines = board.hear("Error: ")
        assert lines[0] == "Interface: 2"
        assert lines[4] == ""  # it stays on the bar
        assert lines[5] in ("take", "drop")
        assert lines[6] == "take"
        board.send("set debug on", BEAVER_OF_1)
        lines = board.hear("take")
        assert lines[0] == "Debug output ON"
        assert [line[:5] for line in lines[1:-1]] == ["DBG: ", "DBG: "]
        assert board.rest() == ("", "", 0)


@pytest.mark.slow
@pytest.mark.when_changed
async def test_port_is_reported_and_ctrl_c_ends_it_with_a_program_connected(tmp_path: Path) -> None:
    home = Home(tmp_path)
    async with home.running("external", "--listen", "127.0.0.1:0", "--plies", "0") as process:
        assert process.stderr is not None
        async with asyncio.timeout(STEP_S_MAX):
            said = (await process.stderr.readline()).decode()
            port = re.fullmatch(r"manyply: listening on 127\.0\.0\.1:([0-9]+)\n", said)
            assert port is not None
            reader, writer = await asyncio.open_connection("127.0.0.1", int(port[1]))
            writer.write(f"{BEAVER_OF_1}\n".encode())
            assert await reader.readline() == b"take\n"
            process.send_signal(signal.SIGINT)
            assert await reader.read() == b""
            writer.close()
            await writer.wait_closed()
        ended = await rest_of(process)
        assert (ended.code, ended.out, ended.err) == (0, "", "")


@pytest.mark.slow
@pytest.mark.when_changed
async def test_unix_socket_goes_with_the_command(tmp_path: Path) -> None:
    home, path = Home(tmp_path), tmp_path / "player"
    async with home.running("external", "--socket", str(path)) as process:
        assert process.stderr is not None
        async with asyncio.timeout(STEP_S_MAX):
            assert await process.stderr.readline() == f"manyply: listening on {path}\n".encode()
        assert path.is_socket()
        process.send_signal(signal.SIGTERM)
        assert (await rest_of(process)).code == 0
    assert not path.exists()


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (("--listen", ":4327"), "anybody who reaches :4327 could use it: give --libwrap"),
        (("--listen", "4327"), "'4327' is not an address: expected HOST:PORT"),
        (("--listen", "localhost:0", "--socket", "a"), "exclude each other"),
        (("--open",), "--allow, --libwrap and --open belong to --listen"),
        (("--listen", "localhost:0", "--allow", "attic"), "'attic' is no network"),
        (("--plies", "9"), "9 is not in the range"),
    ],
)  # fmt: skip
@pytest.mark.slow
def test_mistakes_say_what_was_expected(args: tuple[str, ...], text: str) -> None:
    result = CliRunner().invoke(manyply, ("external", *args), standalone_mode=False)
    assert isinstance(result.exception, click.UsageError | CommandError)
    assert text in str(result.exception)


HERE = Address("127.0.0.1", 0)
REPLY_S_MAX = 10.0


def endpoint_with(access: Access = NOBODY_ELSE, idle_s: float = 10.0) -> ExternalEndpoint:
    def react(line: str, is_debugging: bool) -> ExternalReaction:
        return receive(line, SessionRules(), "1", is_debugging=is_debugging)

    return ExternalEndpoint(react, Level(), AccessControl(access), idle_s)


@pytest.fixture
async def endpoint() -> AsyncIterator[ExternalEndpoint]:
    endpoint = endpoint_with()
    await endpoint.open(HERE)
    yield endpoint
    await endpoint.aclose()


class Board:
    """A program at the other end."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def ask(self, line: str) -> str:
        self.writer.write(f"{line}\n".encode())
        return await self.hear()

    async def hear(self) -> str:
        async with asyncio.timeout(REPLY_S_MAX):
            return (await self.reader.readline()).decode()

    async def rest(self) -> bytes:
        async with asyncio.timeout(REPLY_S_MAX):
            return await self.reader.read()

    async def leave(self) -> None:
        self.writer.close()
        with suppress(OSError):
            async with asyncio.timeout(REPLY_S_MAX):
                await self.writer.wait_closed()


async def board_at(endpoint: ExternalEndpoint) -> Board:
    return Board(*await asyncio.open_connection(HERE.host, endpoint.port))


async def test_debugging_output_is_one_connections_alone(endpoint: ExternalEndpoint) -> None:
    board, other = await board_at(endpoint), await board_at(endpoint)
    assert await board.ask("set debug on") == "Debug output ON\n"
    assert (await board.ask(DOUBLE_OF_1)).startswith("DBG: ")
    assert (await board.hear()).startswith("DBG: ")
    assert await board.hear() == "take\n"
    assert await other.ask(DOUBLE_OF_1) == "take\n"
    assert await board.ask("set debug off") == "Debug output OFF\n"
    assert await board.ask(DOUBLE_OF_1) == "take\n"
    for each in (board, other):
        await each.leave()


async def test_questions_are_answered_one_after_the_other(endpoint: ExternalEndpoint) -> None:
    board = await board_at(endpoint)
    assert await board.ask(DOUBLE_OF_1) == "take\n"
    assert await board.ask(f"\0{TURN_OF_1}") == "\n"  # no legal move
    assert await board.ask("rubbish") == (
        "Error: expected a FIBS board (board:...), evaluation fibsboard BOARD, set debug on,"
        " version, help or quit, not 'rubbish'\n"
    )
    assert await board.ask("quit") == ""
    await board.leave()


async def test_several_programs_play_at_a_time(endpoint: ExternalEndpoint) -> None:
    boards = [await board_at(endpoint) for _ in range(CONNECTIONS_MAX)]
    answers = await asyncio.gather(*(board.ask(DOUBLE_OF_1) for board in boards))
    assert answers == ["take\n"] * CONNECTIONS_MAX
    one_more = await board_at(endpoint)
    assert (await one_more.hear()).startswith("Error: expected at most 16 connections")
    assert await one_more.rest() == b""
    boards[0].writer.close()
    assert await boards[0].rest() == b""
    for board in (*boards, one_more):
        await board.leave()


async def test_place_is_free_again_when_a_program_has_gone(endpoint: ExternalEndpoint) -> None:
    for _ in range(2 * CONNECTIONS_MAX):
        board = await board_at(endpoint)
        assert await board.ask("quit") == ""
        await board.leave()


async def test_line_may_come_in_pieces_and_the_last_without_its_end(
    endpoint: ExternalEndpoint,
) -> None:
    board = await board_at(endpoint)
    for sign in DOUBLE_OF_1:
        board.writer.write(sign.encode())
        await board.writer.drain()
    board.writer.write_eof()
    assert await board.rest() == b"take\n"
    await board.leave()


async def test_nul_alone_at_the_end_is_no_line(endpoint: ExternalEndpoint) -> None:
    board = await board_at(endpoint)
    board.writer.write(f"{DOUBLE_OF_1}\n\0".encode())
    board.writer.write_eof()
    assert await board.rest() == b"take\n"
    await board.leave()


async def test_endless_line_is_kept_no_longer_than_a_line_may_be(
    endpoint: ExternalEndpoint,
) -> None:
    board = await board_at(endpoint)
    for _ in range(100):
        board.writer.write(b"x" * LINE_BYTES_MAX)
        await board.writer.drain()
    assert await board.ask("") == f"Error: expected lines of at most {LINE_BYTES_MAX} bytes\n"
    assert await board.ask(DOUBLE_OF_1) == "take\n"
    await board.leave()


async def test_silent_program_is_left() -> None:
    endpoint = endpoint_with(idle_s=0.05)
    await endpoint.open(HERE)
    board = await board_at(endpoint)
    assert await board.rest() == b""
    await board.leave()
    await endpoint.aclose()


async def test_what_is_computed_stops_with_the_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    began, controls = asyncio.Event(), list[RunControl]()
    loop = asyncio.get_running_loop()

    def compute(wish: object, level: Level, control: RunControl) -> str:
        controls.append(control)
        loop.call_soon_threadsafe(began.set)
        while not control.is_stopped:
            pass
        return "roll"

    monkeypatch.setattr(external_command, "carry_out", compute)
    endpoint = endpoint_with()
    await endpoint.open(HERE)
    board = await board_at(endpoint)
    board.writer.write(f"{DOUBLE_OF_1}\n".encode())
    async with asyncio.timeout(REPLY_S_MAX):
        await began.wait()
        await endpoint.aclose()
    assert controls[0].is_stopped
    assert await board.rest() == b""
    await board.leave()


async def test_nothing_listens_beyond_this_machine_unless_asked_to() -> None:
    endpoint = endpoint_with()
    with pytest.raises(CommandError, match="anybody who reaches :0 could use it: give --libwrap"):
        await endpoint.open(Address("", 0))
    await endpoint.aclose()
    opened = endpoint_with(Access(is_open=True))
    await opened.open(Address("", 0))
    await opened.aclose()


async def test_programs_of_other_networks_are_turned_away() -> None:
    endpoint = endpoint_with(Access(allowed=(ip_network("192.0.2.0/24"),)))
    await endpoint.open(HERE)
    board = await board_at(endpoint)
    with suppress(ConnectionResetError):
        assert await board.rest() == b""
    await board.leave()
    await endpoint.aclose()


async def test_port_in_use_is_named(endpoint: ExternalEndpoint) -> None:
    other = endpoint_with()
    with pytest.raises(CommandError, match=f"cannot listen on 127.0.0.1:{endpoint.port}: "):
        await other.open(Address(HERE.host, endpoint.port))
    await other.aclose()


async def test_unix_socket_is_its_owners_and_goes_with_the_endpoint(tmp_path: Path) -> None:
    path = tmp_path / "player"
    with socket.socket(socket.AF_UNIX) as left:  # as a killed endpoint leaves it
        left.bind(str(path))
    endpoint = endpoint_with()
    await endpoint.open_path(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    board = Board(*await asyncio.open_unix_connection(path))
    assert await board.ask(DOUBLE_OF_1) == "take\n"
    other = endpoint_with()
    with pytest.raises(CommandError, match="another program listens there"):
        await other.open_path(path)
    await other.aclose()
    assert await board.ask(DOUBLE_OF_1) == "take\n"
    await board.leave()
    await endpoint.aclose()
    assert not path.exists()


async def test_paths_that_cannot_be_sockets_are_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    endpoint = endpoint_with()
    for path, text in (
        (tmp_path / "file", "Address already in use"),
        (tmp_path / "none" / "socket", "No such file"),
        (tmp_path / ("x" * 110), "too long"),
    ):
        with pytest.raises(CommandError, match=text):
            await endpoint.open_path(path)
    await endpoint.aclose()
    assert (tmp_path / "file").read_text() == "kept"


LOOPBACK = "127.0.0.1"
QUESTION = DueQuestion(Due.MOVE, state_from_xgid("-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"))


@contextmanager
def program(reply: bytes) -> Iterator[tuple[Address, list[bytes]]]:
    """Answer each line of one connection; where it listens, and what it hears."""
    heard: list[bytes] = []
    with socket.create_server((LOOPBACK, 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            # We may hang up before the program has seen that.
            with suppress(ConnectionError), connection, connection.makefile("rb") as lines:
                for line in lines:
                    heard.append(line)
                    if not reply:
                        return
                    connection.sendall(reply)

        thread = threading.Thread(target=serve)
        thread.start()
        yield Address(LOOPBACK, server.getsockname()[1]), heard
        thread.join()


def test_debugging_output_before_an_answer_is_passed_over() -> None:
    reply = b"DBG: [1]\nDBG: \nDBG:  | X |\n8/5 6/5 \n"
    with program(reply) as (place, _), ExternalOpponent(place) as opponent:
        for _ in range(2):
            assert opponent.decide(QUESTION, 1) == Play(1, (3, 1), ((8, 5), (6, 5)))


def test_debugging_output_without_end_is_no_answer() -> None:
    reply = b"DBG: \n" * (DEBUG_LINES_MAX + 1)
    with (
        program(reply) as (place, _),
        ExternalOpponent(place) as opponent,
        pytest.raises(OpponentGoneError, match="begin with DBG:"),
    ):
        opponent.decide(QUESTION, 1)


def test_question_goes_out_as_a_line_and_the_answer_is_an_action() -> None:
    with program(b"8/5 6/5 \n") as (place, heard), ExternalOpponent(place) as opponent:
        for _ in range(2):
            move = opponent.decide(QUESTION, 1)
            assert move == Play(1, (3, 1), ((8, 5), (6, 5)))
        assert heard == [f"{asking_line(QUESTION)}\n".encode()] * 2
        assert opponent.name == str(place)


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (b"", "is lost: it has ended the connection"),
        (b"8/3\n", "expected a move of 3-1, not '8/3'"),
        (b"x" * (REPLY_BYTES_MAX + 1), "expected a move of 3-1, not 'xxx"),
        (b"\xff\n", "expected a move of 3-1"),
        (b"8/5", "is lost: it does not answer"),
    ],
)
def test_program_that_does_not_play_is_named(reply: bytes, text: str) -> None:
    with program(reply) as (place, _), ExternalOpponent(place, reply_s=0.1) as opponent:
        with pytest.raises(OpponentGoneError, match=text) as caught:
            opponent.decide(QUESTION, 1)
        assert str(place) in str(caught.value)


def test_nobody_there_is_named(tmp_path: Path) -> None:
    with socket.create_server((LOOPBACK, 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(
        OpponentGoneError, match=f"cannot reach {LOOPBACK}:{port}: Connection refused"
    ):
        ExternalOpponent(Address(LOOPBACK, port))
    with pytest.raises(OpponentGoneError, match="No such file"):
        ExternalOpponent(tmp_path / "none")


def test_unix_socket_is_a_place_too(tmp_path: Path) -> None:
    path = tmp_path / "player"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        with ExternalOpponent(path) as opponent:
            assert opponent.name == str(path)


def test_places_are_read() -> None:
    assert read_place("external:attic:4327") == Address("attic", 4327)
    assert read_place("external:/run/player") == Path("/run/player")
    for text in ("gnubg", "external:", "external:attic"):
        with pytest.raises(ValueError, match="expected "):
            read_place(text)
