"""`manyply-analyser` as a process: its port, pipes, signals, handed sockets, and inetd."""

import asyncio
import os
import pwd
import re
import shutil
import signal
import socket
import struct
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

import protocol
from engine_ext.services import engine_digest
from protocol.aio import from_socket, open_command
from protocol.line import unquote
from protocol.messages import Drain, PartRequest, Progress, Stop, context_digest
from protocol.sides import MasterSide
from tests.analyser.driven_master import (
    ENDLESS,
    ENDLESS_QUESTION,
    LeftError,
    by_part,
    expected,
)
from tests.daemons.analyser_programs import (
    ANALYSER,
    ENVIRON,
    HERE,
    LAUNCH,
    ROOT,
    Process,
    ended,
    free_port,
    line_with,
    listening,
    master_of,
    only_master_of,
    started,
    works_with,
)
from tests.daemons.relay_programs import RELAY

pytestmark = [pytest.mark.sockets, pytest.mark.slow]
SPEC = Path(protocol.__file__).with_name("SPEC.md")


@pytest.mark.when_changed
async def test_second_master_gets_busy_and_the_first_works_on() -> None:
    async with listening() as (_, port):
        alice = await only_master_of(port)
        request = alice.ask(1, 50)
        assert await alice.results(51) == expected(request)
        await alice.link.aclose()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGUSR1, signal.SIGUSR2])
@pytest.mark.when_changed
async def test_signal_lets_the_part_at_hand_finish(number: signal.Signals) -> None:
    async with listening("--workers", "1") as (process, port):
        master = await master_of(port)
        await master.begin()
        request = master.ask(1, 200, context="noop/1 alternatives=1 rounds=1000000")
        await master.results(1)
        process.send_signal(number)
        assert (await master.results(200))[-1] == expected(request)[-1]
        master.ack()
        with pytest.raises(LeftError, match="drained"):
            await master.results(1)
        assert await ended(process) == 0


@pytest.mark.when_changed
async def test_second_signal_ends_it_at_once() -> None:
    async with listening() as (process, port):
        master = await master_of(port)
        await master.begin()
        master.ask(1, 1, context=ENDLESS)
        process.send_signal(signal.SIGTERM)
        await master.hear(Drain)
        process.send_signal(signal.SIGTERM)
        assert await ended(process) == 0
        with pytest.raises(LeftError):
            await master.results(1)


@pytest.mark.when_changed
async def test_idle_analyser_ends_with_the_first_signal() -> None:
    async with listening() as (process, _):
        process.send_signal(signal.SIGTERM)
        assert await ended(process) == 0


@pytest.mark.when_changed
async def test_killed_analyser_is_noticed_before_any_deadline() -> None:
    async with listening() as (process, port):
        master = await master_of(port)
        await master.begin()
        master.ask(1, 1, context=ENDLESS)
        process.kill()
        async with asyncio.timeout(4.0):  # the first ping would go out after 5 s
            with pytest.raises(LeftError):
                await master.results(1)


@pytest.mark.when_changed
async def test_dialling_analyser_works_for_a_listening_master() -> None:
    with socket.create_server((HERE, 0)) as server:
        server.settimeout(20)
        port = server.getsockname()[1]
        async with started(*ANALYSER, "--connect", f"{HERE}:{port}", stderr=None) as process:
            for _ in range(2):
                sock, _address = await asyncio.to_thread(server.accept)
                await works_with(await from_socket(sock, MasterSide()))
            process.send_signal(signal.SIGTERM)
            assert await ended(process) == 0


@pytest.mark.when_changed
async def test_stdio_over_a_socket_pair_ends_with_its_master() -> None:
    link = await open_command((*ANALYSER, "--stdio"), MasterSide())
    await works_with(link)
    assert await ended(link.process) == 0


async def test_address_in_use_is_one_clear_line() -> None:
    with socket.create_server((HERE, 0)) as taken:
        address = f"{HERE}:{taken.getsockname()[1]}"
        async with started(*ANALYSER, "--listen", address) as process:
            line = await line_with(process, "cannot listen")
            assert line == f"manyply-analyser: cannot listen on {address}: Address already in use"
            assert await ended(process) == 1


@pytest.mark.parametrize("name", ["/dev/null", "file"])
async def test_what_cannot_be_waited_for_is_one_clear_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("who\n")
    with (tmp_path / name).open() as stdin, (tmp_path / name).open("a") as stdout:
        async with started(*ANALYSER, "--stdio", stdin=stdin, stdout=stdout) as process:
            line = await line_with(process, "manyply-analyser: stdin and stdout cannot be used")
            assert line.endswith(": neither a pipe nor a socket nor a terminal")
            assert await ended(process) == 1


async def test_closed_stdin_is_one_clear_line() -> None:
    argv = ("/bin/sh", "-c", 'exec "$@" <&-', "sh", *ANALYSER, "--stdio")
    async with started(*argv) as process:
        assert "what was handed over cannot be used: " in await line_with(process, "manyply")
        assert await ended(process) == 1


@pytest.mark.when_changed
async def test_urgent_question_overtakes_a_long_part_and_changes_no_bit_of_it() -> None:
    async with listening("--workers", "1") as (_, port):
        master = await master_of(port)
        await master.begin()
        rollout = master.ask(1, 300, context="noop/1 alternatives=1 rounds=1000000")
        master.ask(2, 1, context=ENDLESS)
        results = await master.results(1)
        asked: list[PartRequest] = [master.wonder(3 + number, urgent=True) for number in range(3)]
        results += await master.results(301 + 6 - len(results))
        assert by_part(results) == {each.part: expected(each) for each in [*asked, rollout]}
        urgent = master.wonder(9, urgent=True)  # while the endless part runs
        assert await master.results(2) == expected(urgent)
        master.link.send(Stop(part=2, attempt=0))
        await master.results(1)
        await master.link.aclose()


@pytest.mark.when_changed
async def test_signal_ends_an_analyser_with_a_paused_part() -> None:
    async with listening("--workers", "1") as (process, port):
        master = await master_of(port)
        await master.begin()
        master.ask(1, 1, context=ENDLESS)
        master.wonder(2, ENDLESS_QUESTION, urgent=True)
        await master.hear(Progress)
        process.send_signal(signal.SIGTERM)
        await master.hear(Drain)
        master.link.send(Stop(part=2, attempt=0), Stop(part=1, attempt=0))
        await master.results(2)
        master.ack()
        with pytest.raises(LeftError, match="drained"):
            await master.results(1)
        assert await ended(process) == 0


def spec_dialogue() -> list[str]:
    """The lines of SPEC.md's dialogue by hand, behind the netcat command.

    Othello's engine is ours instead of the one that was written down.
    """
    block = SPEC.read_text().split("## 9.")[1].split("```")[1]
    (asked,) = re.findall("> search .* context=(.*)", block)
    (engine,) = re.findall("engine othello digest=([0-9a-f]{16})", block)
    question = unquote(asked)
    block = block.replace(engine, engine_digest("othello"))
    ours = question.replace(engine, engine_digest("othello"))
    block = block.replace(context_digest(question), context_digest(ours))
    return [line for line in block.strip().splitlines() if line[:2] in ("< ", "> ")]


def is_as_written(line: str, written: str) -> bool:
    """Whether a line is SPEC.md's, but for what differs from engine to engine."""
    pattern = re.escape(written)
    if written.startswith("engine "):
        pattern = re.sub("digest=[0-9a-f]+", "digest=[0-9a-f]{16}", pattern)
        pattern = re.sub(r"power=[0-9.\\]+", r"power=[0-9.e+]+", pattern)
    if " nodes=" in written:  # and what was searched on the way to the bounds
        pattern = re.sub(r"nodes=.*", "nodes=[0-9]+ best=[0-9]+ moves=[-0-9:,]+", pattern)
    return re.fullmatch(pattern, line) is not None


@pytest.mark.when_changed
async def test_dialogue_of_the_specification_is_answered_byte_for_byte() -> None:
    options = ("--stdio", "--name", "attic", "--workers", "4")
    pipe = asyncio.subprocess.PIPE
    async with started(*ANALYSER, *options, stdin=pipe, stdout=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        async with asyncio.timeout(20):
            for line in spec_dialogue():
                mark, text = line.split(" ", 1)
                if mark == ">":
                    process.stdin.write(f"{text}\n".encode("ascii"))
                    continue
                answer = (await process.stdout.readline()).decode("ascii")
                assert is_as_written(answer.removesuffix("\n"), text), (answer, text)
            assert await process.stdout.read() == b""
            assert await ended(process) == 0


async def test_conversation_in_literal_bytes_over_a_port() -> None:
    async with listening("--name", "attic", "--workers", "1") as (_, port):
        reader, writer = await asyncio.open_connection(HERE, port)
        async with asyncio.timeout(20):
            assert await reader.readline() == (
                b"analyser 2.2 name=attic cores=1 session="
                b" games=backgammon,chess,noop,othello,threes line_bytes_max=32768"
                b" unacked_max=65536 first_unacked=1\n"
            )
            writer.write(b"who\r\n")
            assert await reader.readline() == b"info serves nobody\n"
            writer.write(b"\nmaster 2.2 name=by%20hand future=1\n")
            assert (await reader.readline()).startswith(b"error empty-line ")
            assert (await reader.readline()).startswith(b"engine backgammon digest=")
            assert (await reader.readline()).startswith(b"engine chess digest=")
            assert (await reader.readline()).startswith(b"engine noop digest=")
            offer = await reader.readline()
            assert offer.startswith(b"engine othello digest=")
            assert offer.endswith(b" services=looks,search name=\n")
            assert (await reader.readline()).startswith(b"engine threes digest=")
            assert await reader.readline() == b"ready 1\n"
            writer.write(b"who\n")
            assert await reader.readline() == b"info serves by hand\n"
            writer.write(b"trials 1 0 0 1 context=go/1\n")
            assert (await reader.readline()).startswith(b"fail 1 0 bad-context text=")
            writer.write(b"ping here\nbye\n")
            assert await reader.read() == b"pong here\n"
        writer.close()
        await writer.wait_closed()


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


async def test_readiness_and_the_end_are_reported_to_systemd(tmp_path: Path) -> None:
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


INETD = shutil.which("inetd", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")

needs_inetd = pytest.mark.skipif(INETD is None, reason="openbsd-inetd is not installed")


def children_of(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@asynccontextmanager
async def inetd(tmp_path: Path, way: str) -> AsyncIterator[tuple[Process, int]]:
    """Run inetd with one line like that of `manyply service show inetd`; yield it and the port."""
    port, user = free_port(), pwd.getpwuid(os.getuid()).pw_name
    conf = tmp_path / "inetd.conf"
    server = f"{sys.executable} {sys.executable} -m analyser --stdio --workers 1 --name attic"
    conf.write_text(f"{HERE}:{port} stream tcp {way} {user} {server}\n")
    assert INETD is not None
    async with started(INETD, "-d", str(conf), env=ENVIRON) as process:
        await line_with(process, "ADD")
        try:
            yield process, port
        finally:
            for child in children_of(process.pid) if process.returncode is None else ():
                with suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)


@needs_inetd
@pytest.mark.when_changed
async def test_nowait_starts_an_analyser_for_each_connection(tmp_path: Path) -> None:
    async with inetd(tmp_path, "nowait") as (process, port):
        for _ in range(2):
            await works_with((await master_of(port)).link)
            await line_with(process, "status 0")  # the analyser ended with its connection
        alice, bob = await master_of(port), await master_of(port, "bob")
        await asyncio.gather(alice.begin(), bob.begin())
        assert len(children_of(process.pid)) == 2
        await alice.link.aclose()
        await bob.link.aclose()


@needs_inetd
@pytest.mark.when_changed
async def test_wait_starts_one_analyser_for_all_connections(tmp_path: Path) -> None:
    async with inetd(tmp_path, "wait") as (process, port):
        for _ in range(2):
            await works_with((await master_of(port)).link)
        await only_master_of(port)
        (analyser,) = children_of(process.pid)
        os.kill(analyser, signal.SIGTERM)
        await line_with(process, "status 0")
        await works_with((await master_of(port)).link)  # inetd listens again


@needs_inetd
async def test_nothing_but_the_protocol_reaches_the_peer(tmp_path: Path) -> None:
    """Inetd makes stderr the connection as well: a warning must not go there."""
    async with inetd(tmp_path, "nowait") as (_, port):
        reader, writer = await asyncio.open_connection(HERE, port)
        async with asyncio.timeout(20):
            writer.write(b"fold everything\nwho\n")
            assert (await reader.readline()).startswith(b"analyser 2.2 name=attic ")
            assert (await reader.readline()).startswith(b"error unknown-verb ")
            assert await reader.readline() == b"info serves nobody\n"
            writer.write(b"bye\n")
            assert await reader.read() == b""
        writer.close()
        await writer.wait_closed()
