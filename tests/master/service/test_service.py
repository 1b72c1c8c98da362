import asyncio
import gc
import math
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from master.config.fleet_list import ExecAddress, FleetEntry
from master.contract.commands import JobEnded, StoppedBy, Unsuited
from master.contract.errors import NoAnalyserError
from master.contract.events import JobHalted, JobSpec, JobSubmitted
from master.contract.goals import Goal
from master.contract.job_words import JobState
from master.contract.views import AnalyserLine, Notice
from master.scheduler import SchedulerOptions
from master.service.analysers.sessions import SessionTable
from master.service.collector import YOUNG_MAX, relax_collector
from master.service.core import Core
from master.service.service import START_S_MIN, MasterService, Patience, are_hopeless, is_computing
from master.store.errors import StoreError
from master.store.records import NewJob
from master.store.store import Store
from protocol.address import Address
from protocol.messages import Drain, Message, PartRequest, Trial, Trials
from tests.master.service.watching import REQUEST, silent, until, watch


async def noticed(service: MasterService, job: int, word: str) -> str:
    """Return the first notice with a word in it."""
    async for update in service.subscribe(job, interval_s=0.01):
        for notice in update.notices:
            if word in notice.text:
                return notice.text
    raise AssertionError(f"no notice about {word}")


async def test_analyser_that_drains_is_given_nothing_more(
    service: MasterService, fake_analyser: Any
) -> None:
    leaving = fake_analyser("leaving", lambda request: [Drain()]).join(service)
    job = await service.submit(REQUEST)
    await leaving.request_came.wait()
    await until(lambda: [line.state for line in service.analysers()] == ["draining"])
    await leaving.leave("drained")
    fake_analyser("other").join(service)
    assert (await watch(service, job)).job.state is JobState.DONE


async def test_unreachable_analyser_is_a_warning_and_the_job_goes_on(
    service: MasterService, fake_analyser: Any
) -> None:
    with_nobody = FleetEntry("attic", Address("127.0.0.1", 9))
    assert await service.add_analyser(with_nobody) == "cannot connect: Connection refused"
    fake_analyser().join(service)
    job = await service.submit(REQUEST)
    final = await watch(service, job)
    assert final.job.state is JobState.DONE
    text = await noticed(service, job, "refused")
    assert text == "analyser 127.0.0.1:9: cannot connect: Connection refused"
    states = {line.name: line.state for line in final.analysers}
    assert states == {"attic": "connecting", "fake": "ready"}


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo hello", "not-manyply"),
        ("printf '\\000\\377\\n'", "not-manyply"),
        ("echo analyser 99.0 name=x cores=1", "wrong-version"),
        ("exit 0", "the peer closed the connection"),
    ],
)
@pytest.mark.slow
async def test_analyser_that_speaks_nonsense_is_a_warning(
    service: MasterService, script: str, reason: str
) -> None:
    entry = FleetEntry("odd", ExecAddress(("sh", "-c", script)))
    assert reason in await service.add_analyser(entry)


async def test_command_that_does_not_exist_is_a_warning(service: MasterService) -> None:
    entry = FleetEntry("none", ExecAddress(("/no/such/command",)))
    assert await service.add_analyser(entry) == "cannot connect: No such file or directory"


async def test_bad_values_quarantine_an_analyser(
    service: MasterService, fake_analyser: Any, honest: Any
) -> None:
    def lie(request: Trials) -> list[Message]:
        first, *rest = honest(request)
        return [first.model_copy(update={"values": (0.1,)}), *rest]

    liar = fake_analyser("liar", lie).join(service)
    job = await service.submit(REQUEST)
    assert "liar" in await noticed(service, job, "refused from now on")
    again = fake_analyser("liar").join(service)
    await until(lambda: liar.link.is_closed and again.link.is_closed)
    fake_analyser("good").join(service)
    assert (await watch(service, job)).job.state is JobState.DONE


async def test_status_tells_the_durability(service: MasterService) -> None:
    assert any("synchronous=FULL" in line for line in await service.status())


async def test_a_task_that_dies_of_our_mistake_ends_the_job_with_an_error(
    service: MasterService, fake_analyser: Any, caplog: pytest.LogCaptureFixture
) -> None:
    class BrokenLink:
        peer = "broken"

        def __getattr__(self, name: str) -> Any:
            raise AssertionError("a mistake of ours")

    fake_analyser(answer=silent).join(service)
    job = await service.submit(REQUEST)
    service.add_link(BrokenLink())  # type: ignore[arg-type]
    view = (await watch(service, job)).job
    assert view.stopped_by == "halted"
    assert "internal error: AssertionError: a mistake of ours" in view.error
    assert "a task of the master died" in caplog.text


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
    monkeypatch.setattr("master.service.service.START_S_MIN", 0.1)
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


SPEC = JobSpec(1, "noop/1", "noop", "e", 1, 1, Goal(2))
KNOWN = [(0, (0.5,)), (1, (0.25,))]


class Bench:
    def __init__(self, directory: Path) -> None:
        self.store = Store(directory)
        self.store.create_job(NewJob("noop/1", "d", "noop", "e", ("a",), ("v",), Goal(2)))
        self.ended: list[JobEnded] = []
        self.failed: list[StoreError] = []
        self.noticed: list[Notice] = []
        self.core = Core(
            self.store.path,
            SessionTable("bench"),
            SchedulerOptions(),
            self.ended.append,
            self.failed.append,
            self.noticed.append,
        )


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    await bench.core.close()
    bench.store.close()


async def test_job_that_has_all_its_trials_ends_at_once(bench: Bench) -> None:
    bench.core.feed(JobSubmitted(SPEC, KNOWN))
    assert bench.ended == [JobEnded(1, StoppedBy.TRIALS, "")]


async def test_events_of_one_feed_are_worked_off_in_order(bench: Bench) -> None:
    bench.core.feed(JobSubmitted(SPEC), JobHalted(1))
    assert bench.ended == [JobEnded(1, StoppedBy.HALTED, "")]


async def test_snapshot_is_durable_when_the_wait_for_it_ends(bench: Bench) -> None:
    assert await bench.core.store_snapshot(1, 2, "text")
    assert bench.store.snapshot(1) == (2, "text")
    assert bench.core.stored_ticket() == bench.core._writer.last_ticket == 1


async def test_failing_store_halts_every_job_and_ends_every_wait(bench: Bench) -> None:
    bench.core.feed(JobSubmitted(SPEC))
    bench.core._writer.database.execute("PRAGMA max_page_count = 1")
    assert not await bench.core.store_snapshot(1, 2, "text" * 20_000)
    assert [str(error).endswith("the disk is full") for error in bench.failed] == [True]
    assert bench.ended == [JobEnded(1, StoppedBy.HALTED, "")]


async def test_what_the_scheduler_says_is_shown(bench: Bench) -> None:
    bench.core._actions[Unsuited](Unsuited(1, 1, "another engine"))
    assert [notice.text for notice in bench.noticed] == ["another engine"]
    await asyncio.sleep(0)


@pytest.fixture
def thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


@pytest.mark.usefixtures("thresholds")
def test_collector_waits_for_more_objects_and_stays_on() -> None:
    relax_collector()
    assert gc.get_threshold()[0] == YOUNG_MAX > 700
    assert gc.isenabled()
