"""What waits for analysers in vain is ended, and says why."""

import asyncio
import math
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from master.contract.errors import NoAnalyserError
from master.contract.job_words import JobState
from master.contract.views import AnalyserLine
from master.service import patience
from master.service.patience import START_S_MIN, Patience, are_hopeless, is_computing
from master.service.service import MasterService
from protocol.messages import Message, PartRequest, Trial
from tests.master.service.watching import REQUEST, silent, watch

QUESTION = "noop-question/1 rounds=1 number=1"
AWAY = AnalyserLine("attic", "attic:1", "connecting", text="cannot connect: refused")
AT_WORK = AnalyserLine("attic", "attic:1", "ready", parts=1)


def test_wait_is_over_when_nothing_was_computed_for_so_long() -> None:
    waiting = Patience(60.0)
    assert not waiting.is_over(is_served=False, now=0.0)
    assert not waiting.is_over(is_served=False, now=59.9)
    assert not waiting.is_over(is_served=True, now=60.0)
    assert not waiting.is_over(is_served=False, now=70.0)
    assert not waiting.is_over(is_served=False, now=129.0)
    assert waiting.is_over(is_served=False, now=130.0)
    assert not waiting.is_over(is_served=False, now=130.5)  # it is said once


@pytest.mark.parametrize(("wait_s", "bound_s"), [(0.0, START_S_MIN), (7.0, 7.0)])
def test_short_wait_lasts_as_long_as_links_take(wait_s: float, bound_s: float) -> None:
    waiting = Patience(wait_s)
    waiting.is_over(is_served=False, now=0.0)
    assert not waiting.is_over(is_served=False, now=bound_s - 0.1)
    assert waiting.is_over(is_served=False, now=bound_s)


@pytest.mark.parametrize("wait_s", [0.0, 3.0])
def test_short_wait_for_analysers_that_are_all_refused_is_as_short_as_asked(wait_s: float) -> None:
    refused = AnalyserLine("a", "a:1", "quarantined", text="quarantined: a: an answer: bad")
    assert are_hopeless((refused, AnalyserLine("b", "b:1", "unsuited")))
    assert not are_hopeless((refused, AWAY))
    assert not are_hopeless(())
    waiting = Patience(wait_s)
    assert waiting.is_over(is_served=False, now=0.0, is_hopeless=True) is (wait_s == 0.0)
    assert waiting.is_over(is_served=False, now=wait_s, is_hopeless=True)
    waited = f" for {wait_s:g} s" if wait_s else ""
    reported = f"no analyser could be used{waited} (a quarantined: a: an answer: bad)"
    assert waiting.text((refused,)) == reported


def test_endless_wait_is_never_over() -> None:
    waiting = Patience(math.inf)
    waiting.is_over(is_served=False, now=0.0)
    assert not waiting.is_over(is_served=False, now=1e9)


def test_reason_names_a_few_analysers_and_what_is_wrong_with_them() -> None:
    text = Patience(60.0).text((AWAY, *[AnalyserLine(f"a{n}", "", "suspect") for n in range(4)]))
    assert text == (
        "no analyser could be used for 60 s (attic connecting: cannot connect: refused; "
        "a0 stands still; a1 stands still; 2 more)"
    )
    assert Patience(60.0).text(()) == "no analyser could be used for 60 s (there is none)"
    idle = AnalyserLine("attic", "attic:1", "ready")
    assert "attic ready: it cannot compute this" in Patience(60.0).text((idle,))


def test_analyser_computes_that_has_something_in_hand_and_moves() -> None:
    assert is_computing((AWAY, AT_WORK))
    assert not is_computing((AWAY, AnalyserLine("b", "", "ready")))
    assert not is_computing((AnalyserLine("b", "", "suspect", parts=3),))


@pytest.fixture
async def hasty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[MasterService]:
    """A master that gives up at once."""
    monkeypatch.setattr(patience, "START_S_MIN", 0.1)
    monkeypatch.setattr("master.service.service.CHECK_S", 0.02)
    async with MasterService(tmp_path, wait_s=0.0) as service:
        yield service


async def test_job_without_an_analyser_is_halted_and_says_why(hasty: MasterService) -> None:
    final = await watch(hasty, await hasty.submit(REQUEST))
    assert final.job.state is JobState.HALTED
    assert final.job.error.startswith("no analyser could be used for 0.1 s")


async def test_questions_without_an_analyser_end_with_an_error(hasty: MasterService) -> None:
    with pytest.raises(NoAnalyserError, match="no analyser could be used"):
        await hasty.ask([QUESTION])


async def test_job_whose_only_analyser_was_caught_is_halted(
    hasty: MasterService, fake_analyser: Any
) -> None:
    def lie(request: PartRequest) -> list[Message]:
        bad = (1e9, 1e9)
        return [Trial(part=request.part, attempt=request.attempt, seq=99_999, values=bad)]

    fake_analyser("liar", lie).join(hasty)
    final = await watch(hasty, await hasty.submit(REQUEST))
    assert final.job.state is JobState.HALTED
    assert final.job.error.startswith("no analyser could be used")


async def test_job_that_is_computed_slowly_goes_on(
    hasty: MasterService, fake_analyser: Any
) -> None:
    analyser = fake_analyser("slow", silent).join(hasty)
    job = await hasty.submit(REQUEST)
    watching = asyncio.create_task(watch(hasty, job))
    await analyser.request_came.wait()
    done, _ = await asyncio.wait([watching], timeout=0.3)
    assert not done
    await hasty.halt(job)
    final = await watching
    assert final.job.error == ""
