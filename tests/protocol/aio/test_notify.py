import asyncio
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from protocol.aio.notify import keep_watchdog, notify_parent


@contextmanager
def systemd(address: str) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(address)
        listener.settimeout(10)
        yield listener


def test_state_reaches_the_socket_that_systemd_names(tmp_path: Path) -> None:
    path = str(tmp_path / "notify")
    with systemd(path) as listener:
        notify_parent("READY=1", {"NOTIFY_SOCKET": path})
        assert listener.recv(100) == b"READY=1"


def test_abstract_socket_is_reached() -> None:
    with systemd("") as listener:
        name = listener.getsockname()
        notify_parent("READY=1", {"NOTIFY_SOCKET": "@" + name[1:].decode()})
        assert listener.recv(100) == b"READY=1"


def test_nobody_asked_or_nobody_listens_is_no_error(tmp_path: Path) -> None:
    notify_parent("READY=1", {})
    notify_parent("READY=1", {"NOTIFY_SOCKET": str(tmp_path / "none")})


async def test_watchdog_is_told_again_and_again(tmp_path: Path) -> None:
    path = str(tmp_path / "notify")
    with systemd(path) as listener:
        environ = {"NOTIFY_SOCKET": path, "WATCHDOG_USEC": "2000"}
        telling = asyncio.create_task(keep_watchdog(environ))
        for _ in range(3):
            assert await asyncio.to_thread(listener.recv, 100) == b"WATCHDOG=1"
        telling.cancel()


async def test_watchdog_that_is_not_ours_or_not_wanted_is_left_alone() -> None:
    async with asyncio.timeout(10):
        await keep_watchdog({})
        await keep_watchdog({"WATCHDOG_USEC": "soon"})
        await keep_watchdog({"WATCHDOG_USEC": "2000", "WATCHDOG_PID": str(os.getppid())})
