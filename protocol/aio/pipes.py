"""Links over file descriptors: stdin and stdout, and the pipes of a command that we start."""

import asyncio
import contextlib
import os
import signal
import socket
import stat
from collections.abc import Callable, Sequence

from protocol.aio.inherited import is_one_socket, shield_stdio
from protocol.aio.link import Link
from protocol.aio.notify import OWN_VARIABLES
from protocol.aio.tcp import bind_socket, from_socket
from protocol.sides import Connection

EXIT_TIMEOUT_S = 5.0
"""For a command to end by itself, and again after SIGTERM."""


WORDS_S_MAX = 0.5
"""For the last lines of a command that has ended. A process that it left behind may keep its stderr
open for hours: ssh's ControlPersist does."""

LINE_BYTES_MAX = 1000
"""Of a line that is shown to people."""


class _PipeTransport:
    """Two one-way pipes as one transport."""

    def __init__(self, reading: asyncio.ReadTransport, writing: asyncio.WriteTransport) -> None:
        self._reading = reading
        self._writing = writing

    def write(self, data: bytes) -> None:
        self._writing.write(data)

    def pause_reading(self) -> None:
        self._reading.pause_reading()

    def resume_reading(self) -> None:
        self._reading.resume_reading()

    def close(self) -> None:
        self._reading.close()
        self._writing.close()

    def abort(self) -> None:
        self._reading.close()
        self._writing.abort()


class _WriteEnd(asyncio.BaseProtocol):
    """Passes the flow control of the outgoing pipe on to the link."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def pause_writing(self) -> None:
        self._link.pause_writing()

    def resume_writing(self) -> None:
        self._link.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self._link.connection_lost(exc)


class _ReadEnd(asyncio.Protocol):
    """Passes the bytes of the incoming pipe on to the link."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def data_received(self, data: bytes) -> None:
        self._link.data_received(data)

    def eof_received(self) -> bool:
        return self._link.eof_received()


def _check_waitable(fd: int) -> None:
    """Refuse a file or a device such as /dev/null: with one, uvloop ends the process."""
    mode = os.fstat(fd).st_mode
    if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(fd)):
        raise ValueError("neither a pipe nor a socket nor a terminal")


async def from_pipes(read_fd: int, write_fd: int, side: Connection, peer: str) -> Link:
    """Bind a core to two descriptors, which it owns from now on.

    Raises:
        ValueError: a descriptor is a file or a device that cannot be waited for.
    """
    for fd in (read_fd, write_fd):
        _check_waitable(fd)
    loop = asyncio.get_running_loop()
    link = Link(side)
    link.peer = peer
    read_file = os.fdopen(read_fd, "rb", buffering=0)
    write_file = os.fdopen(write_fd, "wb", buffering=0)
    writing, _ = await loop.connect_write_pipe(lambda: _WriteEnd(link), write_file)
    reading, _ = await loop.connect_read_pipe(lambda: _ReadEnd(link), read_file)
    link.attach(_PipeTransport(reading, writing))
    return link


async def open_stdio(side: Connection) -> Link:
    """Return a link over stdin and stdout: a socket under inetd, pipes under ssh."""
    if is_one_socket():
        sock = socket.socket(fileno=os.dup(0))
        shield_stdio()
        return await from_socket(sock, side)
    read_fd, write_fd = os.dup(0), os.dup(1)
    shield_stdio()
    return await from_pipes(read_fd, write_fd, side, "stdio")


class _Lines(asyncio.Protocol):
    """Passes on the lines of a command's stderr, without characters that control a terminal."""

    def __init__(self, on_line: Callable[[str], None]) -> None:
        self._on_line = on_line
        self._rest = b""
        self.ended = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._pass_on(line)
        self._rest = self._rest[: LINE_BYTES_MAX + 1]

    def connection_lost(self, exc: Exception | None) -> None:
        self._pass_on(self._rest)
        self.ended.set()

    def _pass_on(self, line: bytes) -> None:
        text = line[:LINE_BYTES_MAX].decode(errors="replace").strip()
        if text:
            self._on_line("".join(each if each.isprintable() else "?" for each in text))


class CommandLink(Link):
    """A link to the stdin and stdout of a command that we started; both end together."""

    process: asyncio.subprocess.Process
    lines: tuple[asyncio.ReadTransport, _Lines] | None = None

    async def aclose(self, reason: str = "") -> None:
        """Close the link, then wait for the command's end; send SIGTERM, then SIGKILL."""
        await super().aclose(reason)
        try:
            await self._end_command()
        finally:
            if self.lines is not None:
                transport, lines = self.lines
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(WORDS_S_MAX):
                        await lines.ended.wait()
                transport.close()

    async def _end_command(self) -> None:
        for number in (None, signal.SIGTERM, signal.SIGKILL):
            if number is not None:
                with contextlib.suppress(ProcessLookupError):
                    self.process.send_signal(number)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(EXIT_TIMEOUT_S):
                    await self.process.wait()
                return


async def open_command(
    argv: Sequence[str], side: Connection, *, is_apart: bool = False,
    on_line: Callable[[str], None] | None = None,
) -> CommandLink:  # fmt: skip
    """Start a command and return a link over its stdin and stdout; its stderr stays ours.

    Args:
        argv: the command.
        side: our end of the link.
        is_apart: the command is apart from the terminal: no Ctrl-C, and its stderr is dropped.
        on_line: called with each line of its stderr; None: stderr is not read.

    Raises:
        OSError: the command cannot be started.
    """
    own, its = socket.socketpair()
    said, says = os.pipe() if on_line is not None else (None, None)
    try:
        process = await asyncio.create_subprocess_exec(
            *argv,
            stdin=its.fileno(),
            stdout=its.fileno(),
            stderr=asyncio.subprocess.DEVNULL if is_apart else says,
            start_new_session=is_apart,
            env={name: text for name, text in os.environ.items() if name not in OWN_VARIABLES},
        )
    except BaseException:
        own.close()
        if said is not None:
            os.close(said)
        raise
    finally:
        its.close()
        if says is not None:
            os.close(says)
    link = CommandLink(side)
    if on_line is not None and said is not None:
        link.lines = await _read_lines(said, on_line)
    link.process = process
    link.peer = f"exec:{argv[0]}"
    await bind_socket(own, link)
    return link


async def _read_lines(
    descriptor: int, on_line: Callable[[str], None]
) -> tuple[asyncio.ReadTransport, _Lines]:
    loop, lines = asyncio.get_running_loop(), _Lines(on_line)
    file = os.fdopen(descriptor, "rb", buffering=0)
    transport, _ = await loop.connect_read_pipe(lambda: lines, file)
    return transport, lines
