import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import pytest

from master.api.match_analyses import (
    KEPT_MAX,
    RUNNING_MAX,
    Analyses,
    MatchAnalysis,
    MatchState,
    TooManyMatchesError,
)
from master.api.site import Background
from master.contract.errors import MasterError
from master.contract.job_words import Priority
from master.games.handlers import MatchPlan, MatchReport

PLAN = MatchPlan(
    "Ann - Bob", (), ("one", "two"), lambda answers: MatchReport("<p>", " and ".join(answers)), ""
)


class Asker:
    """Answers one question at once and the others when it may."""

    def __init__(self) -> None:
        self.has_begun = asyncio.Event()
        self.may_end = asyncio.Event()
        self.error: Exception | None = None

    async def ask(
        self,
        questions: Sequence[str],
        *,
        priority: Priority = Priority.ASKED,
        on_answer: Callable[[int, str], None] | None = None,
    ) -> list[str]:
        assert on_answer is not None
        on_answer(0, "first")
        on_answer(0, "first, again")
        self.has_begun.set()
        await self.may_end.wait()
        if self.error is not None:
            raise self.error
        return [each.upper() for each in questions]


@pytest.fixture
async def asker() -> Asker:
    return Asker()


@pytest.fixture
async def analyses(asker: Asker) -> AsyncIterator[Analyses]:
    background = Background()
    yield Analyses(asker.ask, background)
    await background.aclose()


def begin(analyses: Analyses) -> MatchAnalysis:
    return analyses.begin("nim", "a.nim", "deep", PLAN)


async def ended(analysis: MatchAnalysis) -> None:
    assert analysis.task is not None
    await asyncio.wait([analysis.task])


async def test_progress_is_how_many_are_answered_each_once(
    analyses: Analyses, asker: Asker
) -> None:
    analysis = begin(analyses)
    await asker.has_begun.wait()
    shown = analysis.shown()
    assert (shown.state, shown.questions, shown.answered) == ("running", 2, 1)
    asker.may_end.set()
    await ended(analysis)
    assert analysis.state is MatchState.DONE
    shown = analysis.shown()
    assert (shown.error, shown.summary) == (None, "ONE and TWO")


@pytest.mark.parametrize(
    ("error", "reported"),
    [(MasterError("the fleet left"), "the fleet left"), (KeyError("ours"), "the master made a")],
)
async def test_what_goes_wrong_is_said(
    analyses: Analyses, asker: Asker, error: Exception, reported: str
) -> None:
    faults: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context))
    asker.error = error
    asker.may_end.set()
    analysis = begin(analyses)
    await ended(analysis)
    assert analysis.state is MatchState.FAILED
    assert analysis.error.startswith(reported)
    await asyncio.sleep(0)
    assert len(faults) == isinstance(error, KeyError), "a fault of ours is said in the log"


async def test_forgotten_one_is_computed_no_further(analyses: Analyses) -> None:
    analysis = begin(analyses)
    analyses.forget(analysis)
    await ended(analysis)
    assert analysis.task is not None
    assert analysis.task.cancelled()
    assert analyses.find(analysis.match) is None


async def test_so_many_are_analysed_and_so_many_kept(analyses: Analyses, asker: Asker) -> None:
    running = [begin(analyses) for _ in range(RUNNING_MAX)]
    with pytest.raises(TooManyMatchesError):
        begin(analyses)
    asker.may_end.set()
    for each in running:
        await ended(each)
    for _ in range(KEPT_MAX):
        await ended(begin(analyses))
    numbers = [each.match for each in analyses.all()]
    assert numbers == list(range(RUNNING_MAX + 1, RUNNING_MAX + KEPT_MAX + 1))
    assert analyses.find(1) is None


def test_states_are_words() -> None:
    assert [*MatchState] == ["running", "done", "failed"]
