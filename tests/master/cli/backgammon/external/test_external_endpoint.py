import asyncio
import socket
import stat
from collections.abc import AsyncIterator
from contextlib import suppress
from ipaddress import ip_network
from pathlib import Path

import pytest

from engine_ext.control import RunControl
from master.cli.backgammon.external import external_endpoint
from master.cli.backgammon.external.external_endpoint import CONNECTIONS_MAX, ExternalEndpoint
from master.cli.errors import CommandError
from master.games.backgammon.external.best_action import Level
from master.games.backgammon.external.commands import LINE_BYTES_MAX
from master.games.backgammon.external.fibs_state import SessionRules
from master.games.backgammon.external.session import ExternalReaction, receive
from protocol.access.rules import NOBODY_ELSE, Access
from protocol.address import Address
from protocol.guards.access_control import AccessControl
from tests.master.games.backgammon.external.gnubg_lines import DOUBLE_OF_1, TURN_OF_1

pytestmark = pytest.mark.sockets

HERE = Address("127.0.0.1", 0)
STEP_S_MAX = 10.0


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
        async with asyncio.timeout(STEP_S_MAX):
            return (await self.reader.readline()).decode()

    async def rest(self) -> bytes:
        async with asyncio.timeout(STEP_S_MAX):
            return await self.reader.read()

    async def leave(self) -> None:
        self.writer.close()
        with suppress(OSError):
            async with asyncio.timeout(STEP_S_MAX):
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

    monkeypatch.setattr(external_endpoint, "carry_out", compute)
    endpoint = endpoint_with()
    await endpoint.open(HERE)
    board = await board_at(endpoint)
    board.writer.write(f"{DOUBLE_OF_1}\n".encode())
    async with asyncio.timeout(STEP_S_MAX):
        await began.wait()
        await endpoint.aclose()
    assert controls[0].is_stopped
    assert await board.rest() == b""
    await board.leave()


async def test_nothing_listens_beyond_this_machine_unless_told_to() -> None:
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
