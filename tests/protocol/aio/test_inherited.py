"""Each case runs in a child process, whose descriptors are the parent's gift."""

import os
import socket
import subprocess
import sys

import pytest

from protocol.aio.inherited import Inherited, InheritedKind, inherited

pytestmark = pytest.mark.sockets

REPORT = """
import os, sys
{prepare}
from protocol.aio.inherited import inherited
found = inherited()
print("a stray print")
sys.stdout.flush()
if found.sock is not None:
    address = found.sock.getsockname()
    if found.kind.value == "connection":
        found.sock.sendall(b"hello")
os.write({report_fd}, f"{{found.kind.value}} {{os.readlink('/proc/self/fd/0')}}".encode())
"""


def child(stdin: int, stdout: int, prepare: str = "", pass_fds: tuple[int, ...] = ()) -> str:
    read_fd, write_fd = os.pipe()
    try:
        subprocess.run(
            [sys.executable, "-c", REPORT.format(report_fd=write_fd, prepare=prepare)],
            stdin=stdin,
            stdout=stdout,
            stderr=subprocess.DEVNULL,
            pass_fds=(write_fd, *pass_fds),
            check=True,
            timeout=20,
        )
        return os.read(read_fd, 1_000).decode()
    finally:
        os.close(read_fd)
        os.close(write_fd)


@pytest.fixture
def listener() -> socket.socket:
    return socket.create_server(("127.0.0.1", 0))


@pytest.mark.slow
def test_pipes_as_ssh_gives_them() -> None:
    assert child(subprocess.PIPE, subprocess.DEVNULL).startswith("pipes pipe:")


@pytest.mark.slow
def test_two_unix_sockets_are_as_good_as_pipes() -> None:
    (a, b), (c, d) = socket.socketpair(), socket.socketpair()
    with a, b, c, d:
        assert child(a.fileno(), c.fileno()).startswith("pipes socket:")


@pytest.mark.slow
def test_accepted_connection_as_inetd_nowait_gives_it(listener: socket.socket) -> None:
    with listener, socket.create_connection(listener.getsockname()) as peer:
        accepted, _ = listener.accept()
        with accepted:
            found = child(accepted.fileno(), accepted.fileno())
        assert found == "connection /dev/null"
        assert peer.recv(100) == b"hello"  # and no stray print


@pytest.mark.slow
def test_listener_as_inetd_wait_gives_it(listener: socket.socket) -> None:
    with listener:
        assert child(listener.fileno(), listener.fileno()) == "listener /dev/null"


@pytest.mark.slow
def test_listener_as_systemd_gives_it(listener: socket.socket) -> None:
    prepare = (
        f"os.dup2({listener.fileno()}, 3); "
        "os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))"
    )
    with listener:
        found = child(subprocess.DEVNULL, subprocess.DEVNULL, prepare, (listener.fileno(),))
    assert found == "listener /dev/null"


def test_sockets_meant_for_another_process_are_not_ours() -> None:
    for environ in ({"LISTEN_FDS": "1", "LISTEN_PID": "1"}, {"LISTEN_FDS": "x"}, {}):
        # Under pytest fd 0 is no socket.
        assert inherited(environ) == Inherited(InheritedKind.PIPES)
