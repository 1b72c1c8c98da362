import asyncio
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from engine_ext.noop.runner import noop_context
from master.contract.events import AnalyserReady, EngineOffer
from master.contract.views import ANALYSER_STATES, AnalyserLine, JobRequest
from master.scheduler.scheduler import AnalyserStatus
from master.service.analysers.endpoints import Endpoint
from master.service.analysers.incident_book import IncidentBook
from master.service.service import MasterService
from master.service.showing import (
    LivingTimeline,
    analyser_lines,
    durability_line,
    figures,
    status_lines,
)
from protocol.messages import Fail, Message


async def test_endpoints_without_an_analyser_are_shown_with_their_reason(
    service: MasterService, fake_analyser: Any
) -> None:
    fake_analyser("zoe").join(service, "z:1")
    endpoint = Endpoint("attic", "a:1", text="refused")
    lines = analyser_lines(service._core, [endpoint, Endpoint("x", "z:1", state="ready")], {})
    assert [(line.name, line.state, line.text) for line in lines][:1] == [
        ("attic", "connecting", "refused")
    ]


def test_analyser_that_loads_its_engines_is_shown_all_the_while() -> None:
    endpoint = Endpoint("local", "exec:analyser")
    known: list[AnalyserStatus] = []
    core: Any = SimpleNamespace(
        sessions=[SimpleNamespace(number=3, endpoint=endpoint, offers={}, round_trip_s=None)],
        incidents=IncidentBook(),
        scheduler=SimpleNamespace(analysers=lambda: known),
    )
    assert [(line.name, line.state) for line in analyser_lines(core, [endpoint], {})] == [
        ("local", "connecting")
    ]
    known.append(AnalyserStatus(3, "m1", 1, "ready", 0, 2, 0, 0.0))
    assert [line.name for line in analyser_lines(core, [endpoint], {})] == ["m1"]


async def test_status_counts_workers_of_ready_analysers(service: MasterService) -> None:
    endpoints = [Endpoint("attic", "a:1", text="refused")]
    core, searches = service._core, service._searches
    assert status_lines(core, searches, [])[0] == "analysers: 0 ready of 0, 0 workers"
    assert status_lines(core, searches, endpoints)[0] == "analysers: 0 ready of 1, 0 workers"


async def test_figures_tell_what_waits_and_who_is_there(
    service: MasterService, fake_analyser: Any
) -> None:
    assert (await service.figures()).parts_waiting == 0
    job = await service.submit(JobRequest(noop_context(), 40))
    before = await service.figures()
    assert (before.parts_waiting, before.workers_busy) == (40, 0)
    assert before.jobs == {"running": 1, "halted": 0, "done": 0, "damaged": 0}
    assert "parts: 40 wait for further analysers, 0 workers are busy" in await service.status()
    silent = fake_analyser("a", answer=lambda request: []).join(service)
    await silent.request_came.wait()
    during = await service.figures()
    assert (during.parts_waiting, during.workers_busy) == (38, 1)  # one of the two is prefetched
    assert during.analysers == {state: int(state == "ready") for state in ANALYSER_STATES}
    silent.die()
    fake_analyser("b").join(service)
    await ended(service, job)
    after = await service.figures()
    assert (after.parts_waiting, after.results) == (0, 40)
    assert after.jobs == {"running": 0, "halted": 0, "done": 1, "damaged": 0}


async def ended(service: MasterService, job: int) -> None:
    async for update in service.subscribe(job):
        if update.is_final:
            return


async def test_endpoints_that_are_closed_are_counted_by_their_state(service: MasterService) -> None:
    endpoints = [Endpoint("attic", "a:1"), Endpoint("x", "x:1", state="quarantined")]
    seen = figures(service._core, service._searches, endpoints, {})
    assert (seen.analysers["connecting"], seen.analysers["quarantined"]) == (1, 1)
    assert sum(seen.analysers.values()) == 2


def test_durability_names_the_file() -> None:
    assert "committed to jobs.sqlite3 (WAL" in durability_line(Path("/x/jobs.sqlite3"))


async def test_analyser_is_shown_with_what_it_offers_holds_and_did_wrong(
    service: MasterService, fake_analyser: Any
) -> None:
    failed: list[int] = []

    def answer(request: Any) -> list[Message]:
        if failed:
            return []
        failed.append(request.first_seq)
        return [Fail(part=request.part, attempt=request.attempt, code="internal", text="no luck")]

    def is_known(lines: Sequence[AnalyserLine]) -> bool:
        return any(line.round_trip_s is not None and line.incidents for line in lines)

    joined = fake_analyser("a", answer=answer).join(service)
    job = await service.submit(JobRequest(noop_context(), 40))
    async with asyncio.timeout(5):
        while not is_known(service.analysers()):  # noqa: ASYNC110  # nobody else tells
            await asyncio.sleep(0)
    (shown,) = service.analysers()
    assert shown.powers == (("noop", 1000.0),)
    assert shown.part is not None
    assert (shown.part.job, shown.part.count > 0) == (job, True)
    assert shown.incident_counts == (("part-failed", 1),)
    assert [(one.kind, "no luck" in one.text) for one in shown.incidents] == [("part-failed", True)]
    joined.die()


def test_events_are_shown_at_the_clocks_time() -> None:
    now = [10.0]
    living = LivingTimeline(lambda: now[0])
    living.log(10.0, [AnalyserReady(1, "attic", 2, (EngineOffer("noop", "e" * 16, 1.0),))], [])
    now[0] = 12.0
    shown = living.shown()
    news, is_anew = shown.since(None)
    assert is_anew
    assert [lane.name for lane in news.lanes] == ["attic"]
    assert living.shown().epoch != shown.epoch
