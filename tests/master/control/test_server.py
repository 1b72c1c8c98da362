import asyncio
import socket
import stat
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from engine_ext.control import RunControl
from engine_ext.noop.question import noop_question
from engine_ext.noop.runner import noop_context
from engine_ext.services import answer
from master.contract.errors import MasterError
from master.control.server import ControlServer
from master.service.service import MasterService

pytestmark = pytest.mark.sockets
CONTEXT = noop_context().replace(" ", "%20")


class ByHand:
    """Somebody who types at the control socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def line(self) -> str:
        async with asyncio.timeout(5):
            return (await self._reader.readline()).decode("ascii").removesuffix("\n")

    async def ask(self, text: str) -> list[str]:
        """Type a line; return the answer up to its final line."""
        self._writer.write(text.encode() + b"\n")
        lines = [await self.line()]
        while lines[-1].split(" ")[0] not in ("ok", "refused", "error", ""):
            lines.append(await self.line())
        return lines

    async def close(self) -> None:
        self._writer.close()
        await self._writer.wait_closed()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run" / "c.sock"


@pytest.fixture
async def server(service: MasterService, path: Path) -> AsyncIterator[ControlServer]:
    server = ControlServer(service, "attic")
    await server.start(path)
    yield server
    await server.close()


@pytest.fixture
async def hand(server: ControlServer, path: Path) -> AsyncIterator[ByHand]:
    hand = ByHand(*await asyncio.open_unix_connection(path))
    assert (await hand.line()).startswith("control 1.8 name=attic pid=")
    yield hand
    await hand.close()


def test_socket_is_its_owners_only(server: ControlServer, path: Path) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


async def test_socket_is_gone_after_the_end(service: MasterService, path: Path) -> None:
    server = ControlServer(service, "attic")
    await server.start(path)
    await server.close()
    with pytest.raises(FileNotFoundError):
        await asyncio.open_unix_connection(path)


async def test_job_is_run_by_hand(service: MasterService, hand: ByHand, fake_analyser: Any) -> None:
    fake_analyser().join(service)
    assert await hand.ask(f"submit 1 context={CONTEXT} trials=5 label=mine") == ["ok 1 job=1"]
    lines = await hand.ask("attach 2 1 interval_s=0.05")
    assert lines[-2:] == ["updated 2 is_final=yes", "ok 2 job=1"]
    shown = await hand.ask("show 3 1")
    assert shown[0].startswith("job 3 1 state=done stopped_by=trials")
    assert shown[1].startswith("alternative 3 5 means=")
    assert await hand.ask("extend 4 1 5") == ["ok 4 job=1"]
    await hand.ask("attach 5 1")
    assert " folded=10 " in (await hand.ask("jobs 6"))[0]
    assert (await hand.ask("who 7"))[0].startswith("analyser 7 ready name=fake ")


async def test_job_is_forgotten_by_hand_once_it_stands_still(
    hand: ByHand, service: MasterService
) -> None:
    await hand.ask(f"submit 1 context={CONTEXT} trials=5")
    (refused,) = await hand.ask("forget 2 1")
    assert refused.startswith("refused 2 text=job%201%20is%20being%20run")
    await hand.ask("halt 3 1")
    assert await hand.ask("forget 4 1") == ["ok 4 job=1"]
    assert await hand.ask("forget 5 1") == ["refused 5 text=there%20is%20no%20job%201"]
    assert await hand.ask("jobs 6") == ["ok 6"]


async def test_damaged_job_is_listed_by_hand(hand: ByHand, service: MasterService) -> None:
    await hand.ask(f"submit 1 context={CONTEXT} trials=5")
    await hand.ask("halt 2 1")
    service._store._database.execute("UPDATE job SET context = 'x'")
    assert (await hand.ask("jobs 3"))[0].startswith("job 3 1 state=damaged stopped_by=failed")
    assert "manyply%20forget%201" in (await hand.ask("show 4 1"))[0]


async def test_idle_job_is_halted_and_resumed_by_hand(hand: ByHand) -> None:
    await hand.ask(f"submit 1 context={CONTEXT} trials=5")
    assert await hand.ask("halt 2 1") == ["ok 2 job=1"]
    assert (await hand.ask("show 3 1"))[0].startswith("job 3 1 state=halted stopped_by=halted")
    assert await hand.ask("resume 4 1") == ["ok 4 job=1"]


async def test_status_and_help_are_for_people(hand: ByHand) -> None:
    assert any("durability" in line for line in await hand.ask("status 1"))
    assert any(line.startswith("info 2 submit REQUEST") for line in await hand.ask("help 2"))


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("show 1 9", "refused 1 text=there%20is%20no%20job%209"),
        ("submit 1 context=go/1 trials=5", "refused 1 text=unknown%20kind"),
        ("submit 1 trials=5", "error bad-arguments"),
        ("submit 1 context=x trials=0", "error bad-field"),
        ("attach 1 1 interval_s=0", "error bad-field"),
        ("what 1", "error unknown-verb"),
        ("", "error empty-line"),
        ("show 1 \x00", "error bad-character"),
    ],
)
async def test_bad_request_gets_a_code_and_the_connection_goes_on(
    hand: ByHand, line: str, answer: str
) -> None:
    assert (await hand.ask(line))[0].startswith(answer)
    assert (await hand.ask("jobs 2"))[-1] == "ok 2"


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("submit 7 trials=5", " request=7"),
        ("what 8", " request=8"),
        ("what", ""),
        ("what -1", ""),
        ("what 9007199254740992", ""),
        ("what 99999999999999999999999999", ""),
        ("show \u0661 1", ""),
    ],
)
async def test_error_names_its_request_if_it_can_be_read(
    hand: ByHand, line: str, number: str
) -> None:
    (said,) = await hand.ask(line)
    assert said.startswith("error ")
    assert said.partition(" request=")[1:] == (number[:9], number[9:])


async def test_reply_sent_as_a_request_is_left_unanswered(hand: ByHand) -> None:
    assert await hand.ask("ok 1\njobs 2") == ["ok 2"]


async def test_socket_left_by_a_killed_master_is_replaced(
    service: MasterService, path: Path
) -> None:
    path.parent.mkdir()
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    server = ControlServer(service, "attic")
    await server.start(path)
    await server.close()


async def test_second_master_on_the_socket_is_refused(
    service: MasterService, server: ControlServer, path: Path
) -> None:
    with pytest.raises(MasterError, match="another master is running"):
        await ControlServer(service, "other").start(path)


@pytest.mark.parametrize("name", ["x" * 120, "file/c.sock"])
async def test_socket_that_cannot_be_made_is_one_line(
    service: MasterService, tmp_path: Path, name: str
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MasterError, match="control socket"):
        await ControlServer(service, "attic").start(tmp_path / name)


async def test_questions_are_asked_by_hand(
    service: MasterService, hand: ByHand, fake_analyser: Any
) -> None:
    fake_analyser().join(service)
    lines = [f"question 1 {i} context=noop-question/1%20rounds=10%20number={i}" for i in (0, 1)]
    said = await hand.ask("\n".join(["ask 1 2 priority=urgent", *lines]))
    assert said[-1] == "ok 1"
    assert sorted(said[:-1]) == [
        f"answer 1 {i} {answer(noop_question(10, i), RunControl())}" for i in (0, 1)
    ]
    said = await hand.ask("ask 1 1\nquestion 1 0 context=go/1")
    assert said == ["refused 1 text=unknown%20kind%20of%20context%20'go/1' index=0"]
    assert await hand.ask("cancel 2 1") == ["ok 2"]
    assert (await hand.ask("ask 1 513"))[0].startswith("error bad-field")
