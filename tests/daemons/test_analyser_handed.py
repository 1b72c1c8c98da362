"""Sockets handed over by a parent as systemd does: LISTEN_PID and LISTEN_FDS, or fd 0."""

import asyncio
import os
import shutil
import signal
import socket
import struct
import sys
from pathlib import Path
from typing import Any

import pytest

from protocol.aio import from_socket
from protocol.sides import MasterSide
from tests.daemons.analyser_programs import (
    ANALYSER,
    HERE,
    LAUNCH,
    ROOT,
    ended,
    line_with,
    master_of,
    only_master_of,
    started,
    works_with,
)
from tests.daemons.relay_programs import RELAY

pytestmark = [pytest.mark.sockets, pytest.mark.slow]

ACTIVATE = shutil.which("systemd-socket-activate")
needs_activate = pytest.mark.skipif(
    ACTIVATE is None, reason="systemd-socket-activate is not installed"
)


@pytest.mark.when_changed
async def test_listening_socket_is_served_to_one_master_after_another() -> None:
    with socket.create_server((HERE, 0)) as server:
        port, fd = server.getsockname()[1], server.fileno()
        argv = (sys.executable, "-c", LAUNCH, str(fd), "analyser", "--name", "attic")
        async with started(*argv, pass_fds=(fd,)) as process:
            await works_with((await master_of(port)).link)
            await only_master_of(port)
            process.send_signal(signal.SIGTERM)
            assert await ended(process) == 0


@pytest.mark.when_changed
async def test_accepted_socket_is_served_to_its_end() -> None:
    ours, its = socket.socketpair()
    argv = (sys.executable, "-c", LAUNCH, str(its.fileno()), "analyser")
    async with started(*argv, pass_fds=(its.fileno(),)) as process:
        its.close()
        await works_with(await from_socket(ours, MasterSide()))
        assert await ended(process) == 0


@pytest.mark.parametrize("program", [ANALYSER, (*RELAY, "--local", "1")])
@pytest.mark.parametrize("is_by_name", [True, False], ids=["LISTEN_FDS", "stdin"])
@pytest.mark.when_changed
async def test_client_that_is_gone_already_is_no_error(
    program: tuple[str, ...], is_by_name: bool
) -> None:
    with socket.create_server((HERE, 0)) as server:
        with socket.create_connection(server.getsockname()) as client:
            its, _ = server.accept()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        with its:  # it was reset, and has no peer any more
            argv = (*program, "--stdio")
            given: dict[str, Any] = {"stdin": its, "stdout": its}
            if is_by_name:
                module = program[program.index("-m") + 1 :]
                argv = (sys.executable, "-c", LAUNCH, str(its.fileno()), *module)
                given = {"pass_fds": (its.fileno(),)}
            async with started(*argv, **given) as process:
                assert process.stderr is not None
                assert await process.stderr.read() == b""
                assert await ended(process) == 0


async def test_listener_at_stdin_is_served_as_inetd_wait_hands_it() -> None:
    with socket.create_server((HERE, 0)) as server:
        port = server.getsockname()[1]
        async with started(*ANALYSER, "--stdio", stdin=server, stdout=server) as process:
            for _ in range(2):
                await works_with((await master_of(port)).link)
            process.send_signal(signal.SIGTERM)
            assert await ended(process) == 0


async def test_readiness_and_the_end_are_told_to_systemd(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(20)
        env = os.environ | {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "50000"}
        async with started(*ANALYSER, "--listen", f"{HERE}:0", env=env) as process:
            await line_with(process, "listening")
            heard = [await asyncio.to_thread(systemd.recv, 100) for _ in range(3)]
            assert sorted(heard) == [b"READY=1", b"WATCHDOG=1", b"WATCHDOG=1"]
            process.send_signal(signal.SIGTERM)
            while heard[-1] != b"STOPPING=1":
                heard.append(await asyncio.to_thread(systemd.recv, 100))
            assert await ended(process) == 0


@needs_activate
@pytest.mark.parametrize("mode", [(), ("--accept",), ("--accept", "--inetd")])
@pytest.mark.when_changed
async def test_systemd_socket_activate_starts_it(mode: tuple[str, ...], tmp_path: Path) -> None:
    assert ACTIVATE is not None
    path = tmp_path / "door"
    stdio = ("--stdio",) if "--inetd" in mode else ()
    setenv = (f"--setenv=PYTHONPATH={ROOT}", *(("--setenv=HOME",) if "HOME" in os.environ else ()))
    argv = (ACTIVATE, *mode, *setenv, f"--listen={path}", *ANALYSER, *stdio)
    async with started(*argv) as process:
        await line_with(process, "Listening on")
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        sock.connect(str(path))
        await works_with(await from_socket(sock, MasterSide()))
