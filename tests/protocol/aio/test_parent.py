"""What a parent process hands over, descriptors and pipes, and the states that it receives."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from protocol.aio.inherited import Inherited, InheritedKind, inherited
from protocol.aio.notify import keep_watchdog, notify_parent
from protocol.aio.pipes import LINE_BYTES_MAX, from_pipes, open_command
from protocol.messages import MasterHello
from protocol.sides import MasterSide, PeerClosed, ProtocolFailed
from tests.protocol.aio.peers import EXPECTED, analyse, analyser_side, roll_out
from tests.protocol.conftest import Run

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


@pytest.mark.sockets
@pytest.mark.slow
def test_pipes_as_ssh_gives_them() -> None:
    assert child(subprocess.PIPE, subprocess.DEVNULL).startswith("pipes pipe:")


@pytest.mark.sockets
@pytest.mark.slow
def test_two_unix_sockets_are_as_good_as_pipes() -> None:
    (a, b), (c, d) = socket.socketpair(), socket.socketpair()
    with a, b, c, d:
        assert child(a.fileno(), c.fileno()).startswith("pipes socket:")


@pytest.mark.sockets
@pytest.mark.slow
def test_accepted_connection_as_inetd_nowait_gives_it(listener: socket.socket) -> None:
    with listener, socket.create_connection(listener.getsockname()) as peer:
        accepted, _ = listener.accept()
        with accepted:
            found = child(accepted.fileno(), accepted.fileno())
        assert found == "connection /dev/null"
        assert peer.recv(100) == b"hello"  # and no stray print


@pytest.mark.sockets
@pytest.mark.slow
def test_listener_as_inetd_wait_gives_it(listener: socket.socket) -> None:
    with listener:
        assert child(listener.fileno(), listener.fileno()) == "listener /dev/null"


@pytest.mark.sockets
@pytest.mark.slow
def test_listener_as_systemd_gives_it(listener: socket.socket) -> None:
    prepare = (
        f"os.dup2({listener.fileno()}, 3); "
        "os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid()))"
    )
    with listener:
        found = child(subprocess.DEVNULL, subprocess.DEVNULL, prepare, (listener.fileno(),))
    assert found == "listener /dev/null"


@pytest.mark.sockets
def test_sockets_meant_for_another_process_are_not_ours() -> None:
    for environ in ({"LISTEN_FDS": "1", "LISTEN_PID": "1"}, {"LISTEN_FDS": "x"}, {}):
        # Under pytest fd 0 is no socket.
        assert inherited(environ) == Inherited(InheritedKind.PIPES)


ANALYSER = """
import asyncio, sys
sys.path.insert(0, "")
from protocol.aio import open_stdio
from tests.protocol.aio.peers import analyse, analyser_side
async def main():
    link = await open_stdio(analyser_side())
    print("a stray print", flush=True)
    await analyse(link)
asyncio.run(main())
"""


@pytest.mark.sockets
def test_pipes_carry_a_link(run: Run) -> None:
    async def scenario() -> None:
        down, up = os.pipe(), os.pipe()
        master = await from_pipes(up[0], down[1], MasterSide(), "them")
        analyser = await from_pipes(down[0], up[1], analyser_side(), "us")
        task = asyncio.ensure_future(analyse(analyser))
        assert await roll_out(master) == EXPECTED
        await asyncio.wait_for(task, 5)

    run(scenario())


@pytest.mark.sockets
@pytest.mark.slow
def test_command_speaks_on_its_stdin_and_stdout(run: Run) -> None:
    async def scenario() -> None:
        link = await open_command([sys.executable, "-c", ANALYSER], MasterSide())
        assert link.peer == f"exec:{sys.executable}"
        assert await roll_out(link) == EXPECTED
        assert link.process.returncode == 0

    run(scenario())


@pytest.mark.sockets
@pytest.mark.slow
def test_stdio_over_pipes_and_a_person_who_types() -> None:
    typed = "master 2.2 name=me\nhelp\n"
    done = subprocess.run(
        [sys.executable, "-c", ANALYSER],
        input=typed,
        capture_output=True,
        text=True,
        timeout=20,
        check=True,
    )
    lines = done.stdout.splitlines()
    assert lines[0].startswith("analyser 2.2 name=attic ")
    assert "ready 2" in lines
    assert any(line.startswith("info trials PART") for line in lines)
    assert done.stderr.strip() == "a stray print"


@pytest.mark.sockets
def test_command_that_is_no_analyser_is_distinguished(run: Run) -> None:
    async def scenario() -> None:
        link = await open_command(["echo", "hello"], MasterSide())
        events = [event async for event in link]
        assert [type(event) for event in events] == [ProtocolFailed]
        await link.aclose()
        link = await open_command(["true"], MasterSide())
        assert [type(event) async for event in link] == [PeerClosed]
        await link.aclose()

    run(scenario())


SAYS = """exec >&2
printf 'one\\n\\n two\\033[2J\\n'
head -c 5000 /dev/zero | tr '\\0' x
printf '\\nlast'
"""


@pytest.mark.sockets
async def test_lines_of_a_command_are_whole_bounded_and_harmless() -> None:
    lines: list[str] = []
    link = await open_command(["sh", "-c", SAYS], MasterSide(), on_line=lines.append)
    await link.aclose()
    assert lines == ["one", "two?[2J", "x" * LINE_BYTES_MAX, "last"]


@pytest.mark.sockets
async def test_command_does_not_report_to_the_parent_of_this_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", "/run/none")
    monkeypatch.setenv("KEPT", "kept")
    lines: list[str] = []
    says = ["sh", "-c", "echo $NOTIFY_SOCKET $KEPT >&2"]
    await (await open_command(says, MasterSide(), on_line=lines.append)).aclose()
    assert lines == ["kept"]


@pytest.mark.sockets
async def test_process_that_a_command_leaves_behind_holds_no_end_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("protocol.aio.pipes.WORDS_S_MAX", 0.05)
    lines: list[str] = []
    leaves = "sleep 20 <&- >&- & echo $! >&2"
    link = await open_command(["sh", "-c", leaves], MasterSide(), on_line=lines.append)
    async with asyncio.timeout(5):
        await link.aclose()
    os.kill(int(lines[0]), signal.SIGKILL)


@pytest.mark.sockets
async def test_command_that_does_not_exist_is_an_os_error() -> None:
    with pytest.raises(FileNotFoundError):
        await open_command(["/nonexistent/analyser"], MasterSide())


@pytest.mark.sockets
async def test_command_that_does_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocol.aio.pipes.EXIT_TIMEOUT_S", 0.05)
    deaf = "trap '' TERM; echo analyser 2.2 name=deaf cores=1; while :; do sleep 1 <&-; done"
    link = await open_command(["sh", "-c", deaf], MasterSide())
    await link.events()
    link.send(MasterHello(name="me"))
    await asyncio.wait_for(link.aclose(), 10)
    assert link.process.returncode == -9


@pytest.mark.sockets
@pytest.mark.parametrize("name", ["/dev/null", "file"])
def test_descriptor_that_cannot_be_waited_for_is_refused(
    run: Run, tmp_path: Path, name: str
) -> None:
    async def scenario() -> None:
        fd = os.open(tmp_path / name, os.O_RDWR | os.O_CREAT)
        with pytest.raises(ValueError, match="neither a pipe nor a socket nor a terminal"):
            await from_pipes(fd, fd, MasterSide(), "test")
        os.close(fd)

    run(scenario())


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


async def test_watchdog_is_notified_again_and_again(tmp_path: Path) -> None:
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
