import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from protocol.aio.pipes import from_pipes, open_command
from protocol.messages import MasterHello
from protocol.sides import MasterSide, PeerClosed, ProtocolFailed
from tests.protocol.aio.peers import EXPECTED, analyse, analyser_side, roll_out
from tests.protocol.conftest import Run

pytestmark = pytest.mark.sockets

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


def test_pipes_carry_a_link(run: Run) -> None:
    async def scenario() -> None:
        down, up = os.pipe(), os.pipe()
        master = await from_pipes(up[0], down[1], MasterSide(), "them")
        analyser = await from_pipes(down[0], up[1], analyser_side(), "us")
        task = asyncio.ensure_future(analyse(analyser))
        assert await roll_out(master) == EXPECTED
        await asyncio.wait_for(task, 5)

    run(scenario())


@pytest.mark.slow
def test_command_speaks_on_its_stdin_and_stdout(run: Run) -> None:
    async def scenario() -> None:
        link = await open_command([sys.executable, "-c", ANALYSER], MasterSide())
        assert link.peer == f"exec:{sys.executable}"
        assert await roll_out(link) == EXPECTED
        assert link.process.returncode == 0

    run(scenario())


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


def test_command_that_is_no_analyser_is_told_apart(run: Run) -> None:
    async def scenario() -> None:
        link = await open_command(["echo", "hello"], MasterSide())
        events = [event async for event in link]
        assert [type(event) for event in events] == [ProtocolFailed]
        await link.aclose()
        link = await open_command(["true"], MasterSide())
        assert [type(event) async for event in link] == [PeerClosed]
        await link.aclose()

    run(scenario())


async def test_command_that_does_not_exist_is_an_os_error() -> None:
    with pytest.raises(FileNotFoundError):
        await open_command(["/nonexistent/analyser"], MasterSide())


async def test_command_that_does_not_end_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocol.aio.pipes.EXIT_TIMEOUT_S", 0.05)
    deaf = "trap '' TERM; echo analyser 2.2 name=deaf cores=1; while :; do sleep 1 <&-; done"
    link = await open_command(["sh", "-c", deaf], MasterSide())
    await link.events()
    link.send(MasterHello(name="me"))
    await asyncio.wait_for(link.aclose(), 10)
    assert link.process.returncode == -9


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
