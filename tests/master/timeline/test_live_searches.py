"""Running searches, by what is sent and received."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from master.contract.events import AnswerArrived, Outcome, PartEnded
from master.scheduler import SchedulerOptions
from master.search.running.run import Send
from master.search.running.search_sessions import to_wire
from master.service.service import MasterService
from master.timeline.job_turns import JobTurns
from master.timeline.live_searches import LiveSearches
from master.timeline.spans import Ending, Kind
from master.timeline.timeline import Timeline
from protocol.messages import Ping, Search, Stop
from tests.master.service.test_searches import Searcher, searched
from tests.master.timeline.streams import all_rows, check_laws

PART = to_wire(2, 5)


def begun() -> tuple[Timeline, LiveSearches]:
    timeline = Timeline()
    timeline.advance(10.0)
    timeline.come(7, "attic", 1)
    searches = LiveSearches(timeline)
    searches.begin(2, "chess")
    message = Search(part=PART, attempt=1, context="x", urgent=True)
    searches.send(2, Send(7, message), 11.0)
    return timeline, searches


def test_a_part_is_sent_and_answered() -> None:
    timeline, searches = begun()
    answer = AnswerArrived(7, PART, 1, "answer")
    searches.receive([answer, PartEnded(7, PART, 1, Outcome.DONE)], 12.0)
    (row,) = all_rows(timeline)
    assert (row.kind, row.job, row.part) == (Kind.SEARCH, 2, PART)
    assert (row.begin, row.end, row.ending) == (1_000_000, 2_000_000, Ending.DONE)
    assert timeline.news().names == {(Kind.SEARCH, 2): "chess"}


def test_a_hot_spot_is_shot_down() -> None:
    timeline, searches = begun()
    searches.send(2, Send(7, Stop(part=PART, attempt=1), is_shot=True), 11.5)
    searches.receive([PartEnded(7, PART, 1, Outcome.STOPPED)], 12.0)
    (row,) = all_rows(timeline)
    assert (row.stop, row.ending) == (1_500_000, Ending.SHOT)


def test_other_messages_are_nothing() -> None:
    timeline, searches = begun()
    searches.send(2, Send(7, Ping(token="1")), 12.0)
    assert timeline.open_count == 1


@pytest.fixture
async def watched(tmp_path: Path) -> AsyncIterator[tuple[Timeline, MasterService]]:
    timeline = Timeline()
    options = SchedulerOptions(log=JobTurns(timeline).turn)
    watch = LiveSearches(timeline)
    async with MasterService(tmp_path, options=options, watch=watch) as service:
        yield timeline, service


async def test_all_that_a_running_search_hands_out_is_shown(
    watched: tuple[Timeline, MasterService],
) -> None:
    timeline, service = watched
    searchers = [Searcher(name).join(service) for name in ("attic", "cellar")]
    status = await searched(service)
    async with asyncio.timeout(10):
        while timeline.open_count:  # noqa: ASYNC110  # nothing else tells
            await asyncio.sleep(0)
    rows = check_laws(timeline)
    asked = {(one.part, one.attempt) for searcher in searchers for one in searcher.asked}
    assert {(row.part, row.attempt) for row in rows} == asked
    assert len(rows) == status.parts
    assert sum(row.ending == Ending.SHOT for row in rows) <= status.shot
    assert {lane.name for lane in timeline.news().lanes} == {"attic", "cellar"}
    for searcher in searchers:
        await searcher.leave()


async def test_who_vanishes_has_lost_its_parts(watched: tuple[Timeline, MasterService]) -> None:
    timeline, service = watched
    attic = Searcher().join(service)
    cellar = Searcher("cellar")
    cellar.is_deaf = True
    cellar.join(service)
    running = asyncio.create_task(searched(service))
    async with asyncio.timeout(10):
        while len({row.lane for row in all_rows(timeline)}) < 2:  # noqa: ASYNC110  # as above
            await asyncio.sleep(0)
    await cellar.leave()
    await running
    lanes = {lane.number: lane.name for lane in timeline.news().lanes}
    endings = {row.ending for row in all_rows(timeline) if lanes[row.lane] == "cellar"}
    assert endings == {Ending.LOST}
    await attic.leave()
