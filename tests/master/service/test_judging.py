"""What a child process shows of a unit that analysers failed at."""

import asyncio
import os
import sys
from collections.abc import Coroutine
from dataclasses import replace

import pytest

from master.contract.commands import JudgeHere
from master.contract.events import Event, Judged, Verdict
from master.service import judging
from master.service.judging import Judge, no_judge
from tests.master.service import judged_child
from tests.master.service.judged_child import CONTEXT, ENGINE, SEQ, VALUES

pytestmark = pytest.mark.sockets

ASKED = JudgeHere(1, SEQ, "noop", ENGINE, CONTEXT)
STILL_S = 1.0


class Bench:
    """A judge whose children do what a test says, and what it has told."""

    def __init__(self, deed: str, argv: tuple[str, ...] | None = None) -> None:
        self.reported: asyncio.Queue[Event] = asyncio.Queue()
        self.tasks: list[asyncio.Task[None]] = []
        child = argv or judged_child.argv(deed)
        self.judge = Judge(self.spawn, self.reported.put_nowait, child, STILL_S)

    def spawn(self, work: Coroutine[None, None, None]) -> None:
        self.tasks.append(asyncio.ensure_future(work))

    async def verdict(self, command: JudgeHere = ASKED) -> Judged:
        self.judge.take(command)
        reported = await self.reported.get()
        assert isinstance(reported, Judged)
        return reported


@pytest.mark.slow
@pytest.mark.parametrize(
    ("deed", "verdict", "text"),
    [
        ("compute", Verdict.COMPUTED, ""),
        ("engine-error", Verdict.FAILED, "engine-error: boom"),
        ("bad-context", Verdict.FAILED, "bad-context: boom"),
        ("engine-mismatch", Verdict.UNKNOWN, "left before it was done"),
        ("stop", Verdict.UNKNOWN, "left before it was done"),
        ("SIGSEGV", Verdict.FAILED, "the engine was ended by SIGSEGV"),
        ("SIGABRT", Verdict.FAILED, "the engine was ended by SIGABRT"),
        ("SIGKILL", Verdict.UNKNOWN, "was killed 3 times"),
        ("exit", Verdict.FAILED, "it ended the engine with exit code 4"),
        ("leave", Verdict.UNKNOWN, "left at its start, exit code 3"),
        ("hang", Verdict.FAILED, "it stood still for 1 s"),
    ],
)
async def test_child_decides_by_what_it_does_with_the_unit(
    deed: str, verdict: Verdict, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    judged = await Bench(deed).verdict()
    assert (judged.job, judged.seq, judged.verdict) == (1, SEQ, verdict)
    assert judged.values == (VALUES if verdict is Verdict.COMPUTED else ())
    assert text in judged.text


@pytest.mark.slow
async def test_engine_that_is_not_here_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    judged = await Bench("compute").verdict(replace(ASKED, engine="0" * 16))
    assert judged.verdict is Verdict.UNKNOWN
    assert "this machine has no noop engine 0000000000000000" in judged.text


async def test_program_that_is_not_there_decides_nothing() -> None:
    judged = await Bench("", ("/does/not/exist",)).verdict()
    assert judged.verdict is Verdict.UNKNOWN
    assert "No such file" in judged.text


@pytest.mark.slow
async def test_units_of_an_ended_job_are_forgotten_and_the_next_job_has_its_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    bench = Bench("compute")
    for job, seq in ((1, SEQ), (1, 6), (2, SEQ)):
        bench.judge.take(replace(ASKED, job=job, seq=seq))
    await asyncio.sleep(0)
    bench.judge.forget(1)
    reported = [await bench.reported.get() for _ in range(3)]
    assert [(each.job, each.verdict) for each in reported if isinstance(each, Judged)] == [
        (1, Verdict.UNKNOWN), (1, Verdict.UNKNOWN), (2, Verdict.COMPUTED)
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.when_changed
async def test_analyser_of_this_installation_computes_a_trial() -> None:
    from engine_ext.noop.runner import engine_digest  # noqa: PLC0415

    command = JudgeHere(1, 3, "noop", engine_digest(), "noop/1 alternatives=1 rounds=10")
    bench = Bench("", judging.child_argv())
    judged = await bench.verdict(command)
    assert judged.verdict is Verdict.COMPUTED, judged.text
    assert len(judged.values) > 0
    bad = await bench.verdict(replace(command, context="noop/1 what"))
    assert bad.verdict is Verdict.FAILED
    assert bad.text.startswith("bad-context: ")


def test_master_without_a_judge_decides_nothing() -> None:
    assert no_judge(ASKED).verdict is Verdict.UNKNOWN
