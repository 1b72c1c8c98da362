"""`manyply external`: an opponent for gnubg, and for other programs that speak its protocol."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path

import click

from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.play import SearchStopped
from engine_ext.control import RunControl
from master.cli.arguments import reads
from master.cli.backgammon.rule_options import level_of, level_options
from master.cli.errors import CommandError, ExitCode
from master.cli.input_lines import input_lines
from master.cli.interruptible import interruptible
from master.cli.output import echo_exactly, echo_notice
from master.games.backgammon.external.best_action import Level
from master.games.backgammon.external.fibs_board import SessionRules
from master.games.backgammon.external.session import (
    LINE_BYTES_MAX,
    ExternalReaction,
    carry_out,
    error_line,
    receive,
)
from master.games.text_decoding import LineSplitter
from protocol.access.addresses import Network, parse_network
from protocol.access.rules import Access, EndpointRefusedError
from protocol.address import Address
from protocol.aio.descriptors import is_for_strangers
from protocol.aio.event_loop import new_runner
from protocol.aio.reasons import reason_of
from protocol.aio.tcp import listening_hosts
from protocol.guards.access_control import AccessControl
from protocol.guards.address_option import read_address
from protocol.guards.libwrap import LibwrapError, load_libwrap

CONNECTIONS_MAX = 16
"""At a time: matches of a few boards on one machine.  A further one is turned away in a line."""

IDLE_S_MAX = 86_400.0
"""A board may wait a day for the next question: the other player may be a person."""

SEND_S_MAX = 30.0
"""A client that does not read an answer of a line in this time never will."""

END_S_MAX = 1.0
"""Time limit for sending the last answer."""

READ_BYTES = 4_096

SOCKET_PATH_BYTES_MAX = 107
"""Linux: sockaddr_un has 108, one of them a zero."""

HOW_TO_GUARD = (
    "give --libwrap, or --open to let everybody play who reaches it or whom --allow names; or"
    " listen on localhost"
)

REFUSED = "not-allowed"


class ExternalEndpoint:
    """Answers programs that connect, several at a time.

    Args:
        receive: returns the action for a line, given whether debugging output is wanted.
        level: the engine's search depth.
        keeper: admits clients by address, and counts those turned away.
        idle_s: how long a connection may be silent.
    """

    def __init__(
        self,
        receive: Callable[[str, bool], ExternalReaction],
        level: Level,
        keeper: AccessControl,
        idle_s: float = IDLE_S_MAX,
    ) -> None:
        self._receive = receive
        self._level = level
        self._keeper = keeper
        self._idle_s = idle_s
        self._pool = ThreadPoolExecutor(len(os.sched_getaffinity(0)), "external")
        self._tasks: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._path: Path | None = None

    @property
    def port(self) -> int:
        """The port that it listens on."""
        assert self._server is not None, "it is open"
        return int(self._server.sockets[0].getsockname()[1])

    async def open(self, address: Address) -> None:
        """Listen on an address.

        Raises:
            CommandError: it cannot be used, or anybody beyond this machine could play.
        """
        host = address.host or None
        try:
            hosts = await listening_hosts(host, address.port)
            self._keeper.access.by_address().check_endpoint(str(address), hosts, HOW_TO_GUARD)
            self._server = await asyncio.start_server(
                self._accept, host, address.port, limit=READ_BYTES
            )
        except OSError as error:
            raise CommandError(f"cannot listen on {address}: {reason_of(error)}") from None
        except EndpointRefusedError as error:
            raise CommandError(str(error)) from None

    async def open_path(self, path: Path) -> None:
        """Listen on a Unix socket, which only its owner can use; one left behind is replaced.

        Raises:
            CommandError: it cannot be made, or somebody listens there.
        """
        if len(os.fsencode(path)) > SOCKET_PATH_BYTES_MAX:
            raise CommandError(f"cannot listen on {path}: the path is too long for a socket")
        try:
            sock = await asyncio.to_thread(_bound_socket, path)
        except OSError as error:
            reason = error.strerror or error
            raise CommandError(f"cannot listen on {path}: {reason}", ExitCode.STORAGE) from None
        self._path = path
        self._server = await asyncio.start_unix_server(self._accept, sock=sock, limit=READ_BYTES)

    async def aclose(self) -> None:
        """Listen no more, and end all computations and all connections."""
        if self._server is not None:
            self._server.close()
        if self._path is not None:
            self._path.unlink(missing_ok=True)
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._pool.shutdown(cancel_futures=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Begin with a connection, or turn it away; not a coroutine, so that the task is ours."""
        sock = writer.get_extra_info("socket")
        host = ""
        if sock.family != socket.AF_UNIX:  # its mode already restricts its users
            peer = writer.get_extra_info("peername")
            host = str(peer[0]) if peer else "unknown"
            if refusal := self._keeper.access.refusal(host):
                self._keeper.note(host, REFUSED, refusal)
                writer.transport.abort()
                return
        if not is_for_strangers(sock.fileno()):
            writer.transport.abort()
            return
        if len(self._tasks) >= CONNECTIONS_MAX:
            text = error_line(f"expected at most {CONNECTIONS_MAX} connections at a time")
            writer.write(f"{text}\n".encode("ascii"))
            writer.close()
            return
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        splitter = LineSplitter(LINE_BYTES_MAX)
        reaction = ExternalReaction()
        try:
            while True:
                async with asyncio.timeout(self._idle_s):
                    chunk = await reader.read(READ_BYTES)
                # The last line may have no end; the NUL byte that gnubg leaves is not a line.
                lines = splitter.feed(chunk or b"\n")
                for line in lines if chunk else [line for line in lines if line.strip("\0 ")]:
                    reaction = await self._answer(line, writer, reaction)
                    if reaction.is_over:
                        return
                if not chunk:
                    return
        except (OSError, TimeoutError):
            return  # the program has gone, or sleeps
        except asyncio.CancelledError:
            writer.transport.abort()
            raise
        finally:
            await _end(writer)

    async def _answer(
        self, line: str, writer: asyncio.StreamWriter, before: ExternalReaction
    ) -> ExternalReaction:
        """Answer a line; return the reaction, which the next line follows."""
        reaction = self._receive(line, before.is_debugging)
        replies = list(reaction.replies)
        if reaction.wish is not None:
            control = RunControl()
            try:
                replies.append(
                    await asyncio.get_running_loop().run_in_executor(
                        self._pool, carry_out, reaction.wish, self._level, control
                    )
                )
            except SearchStopped:
                return replace(reaction, is_over=True)
            finally:
                control.stop()  # without effect unless the wait was cancelled
        for reply in replies:
            writer.write(f"{reply}\n".encode("ascii"))
        async with asyncio.timeout(SEND_S_MAX):
            await writer.drain()
        return reaction


async def _end(writer: asyncio.StreamWriter) -> None:
    """Close a connection after its last output is sent."""
    writer.close()
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(END_S_MAX):
            await writer.wait_closed()


def _bound_socket(path: Path) -> socket.socket:
    """Return a socket bound to the path, only its owner's; OSError where it cannot be."""
    if path.is_socket():
        _remove_stale(path)
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    mask = os.umask(0o177)
    try:
        sock.bind(str(path))
    except OSError:
        sock.close()
        raise
    finally:
        os.umask(mask)
    return sock


def _remove_stale(path: Path) -> None:
    """Remove a socket without a listener; CommandError if it has one."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink(missing_ok=True)
            return
    raise CommandError(f"cannot listen on {path}: another program listens there")


LIBWRAP_NAME = "manyply-external"


def _read_networks(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> tuple[object, ...]:
    return tuple(reads(parse_network)(ctx, param, text) for text in texts)


@click.command("external")
@click.option(
    "--listen", metavar="HOST:PORT", callback=read_address,
    help="Listen on this address, such as localhost:4327. Access from other machines needs "
    "--libwrap or --open.",
)  # fmt: skip
@click.option(
    "--socket", "path", metavar="PATH", type=click.Path(path_type=Path),
    help="Listen on a Unix socket, which only you can use.",
)  # fmt: skip
@level_options
@click.option(
    "--jacoby/--no-jacoby", default=True, show_default=True,
    help="Jacoby rule in money play.",
)  # fmt: skip
@click.option(
    "--beavers/--no-beavers", default=False, show_default=True,
    help="Beavers in money play, as after gnubg's `set beavers`.",
)  # fmt: skip
@click.option(
    "--allow", multiple=True, metavar="NETWORK", callback=_read_networks,
    help="Accept connections from this network only, such as 192.168.1.0/24; repeat for more.",
)  # fmt: skip
@click.option(
    "--libwrap", is_flag=True,
    help=f"Apply hosts.allow and hosts.deny, by the name {LIBWRAP_NAME}.",
)  # fmt: skip
@click.option(
    "--open",
    "is_open",
    is_flag=True,
    help="Accept connections from any machine that reaches the address.",
)
def external_command(
    listen: Address | None,
    path: Path | None,
    ply: int,
    cube_ply: int | None,
    table: MatchTable | None,
    jacoby: bool,
    beavers: bool,
    allow: tuple[Network, ...],
    libwrap: bool,
    is_open: bool,
) -> None:
    """Play as an external player in GNU Backgammon, or in a program with the same protocol.

    In gnubg, `set player 1 external localhost:4327` lets player 1 be this engine. A line is a
    FIBS board (board:You:Other:5:0:0:...), and is answered by a move (8/5 6/5), roll, double,
    take, drop or beaver; also understood are evaluation fibsboard BOARD, version, help and quit.
    Without --listen and --socket lines are read from standard input and answered on standard
    output.
    """
    if listen is not None and path is not None:
        raise click.UsageError("--listen and --socket exclude each other")
    if listen is None and (allow or libwrap or is_open):
        raise click.UsageError("--allow, --libwrap and --open belong to --listen")
    level = level_of(ply, cube_ply, table)
    rules = SessionRules(jacoby=jacoby, beavers=beavers)
    if listen is None and path is None:
        _answer_stdin(level, rules)
        return
    keeper = AccessControl(_access(allow, is_open=is_open, is_libwrap=libwrap), echo_notice)
    with new_runner() as runner:
        runner.run(_serve(listen, path, level, rules, keeper))


def _access(allow: tuple[Network, ...], *, is_open: bool, is_libwrap: bool) -> Access:
    try:
        is_let_in = load_libwrap(LIBWRAP_NAME) if is_libwrap else None
    except LibwrapError as error:
        raise click.UsageError(str(error)) from error
    return Access(allowed=allow, is_let_in=is_let_in, is_open=is_open)


def _answer_stdin(level: Level, rules: SessionRules) -> None:
    is_debugging = False
    for line in input_lines(LINE_BYTES_MAX):
        reaction = receive(line, rules, version("manyply"), is_debugging=is_debugging)
        is_debugging = reaction.is_debugging
        for reply in reaction.replies:
            echo_exactly(reply)
        if reaction.wish is not None:
            echo_exactly(interruptible(partial(carry_out, reaction.wish, level)))
        if reaction.is_over:
            return


async def _serve(
    listen: Address | None,
    path: Path | None,
    level: Level,
    rules: SessionRules,
    keeper: AccessControl,
) -> None:
    """Serve until SIGINT or SIGTERM."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    software = version("manyply")

    def react(line: str, is_debugging: bool) -> ExternalReaction:
        return receive(line, rules, software, is_debugging=is_debugging)

    endpoint = ExternalEndpoint(react, level, keeper)
    try:
        if listen is not None:
            await endpoint.open(listen)
            echo_notice(f"listening on {replace(listen, port=endpoint.port)}")
        else:
            assert path is not None, "one of them is given"
            await endpoint.open_path(path)
            echo_notice(f"listening on {path}")
        await stop.wait()
    finally:
        await endpoint.aclose()
