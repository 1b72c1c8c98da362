"""Searches as jobs: answered, halted, gone on with, refused, and lost with the store."""

from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from engine_ext import services
from engine_ext.noop.runner import noop_context
from master.config.paths import database_path
from master.contract.errors import MasterError
from master.contract.job_words import JobState, Priority
from master.contract.views import JobRequest, JobView
from master.games import table
from master.search.known import pack_bounds
from master.service import search_jobs
from master.service.service import MasterService
from master.store.records import RunsIn, StoredSearch, write_search
from master.store.schema import open_database
from master.store.store import Store
from tests.master.search.synthetic import MadeUpGame, answer
from tests.master.service.made_up import engine
from tests.master.service.made_up.engine import whole_text
from tests.master.service.made_up.front import FRONT
from tests.master.service.test_searches import Searcher
from tests.master.service.watching import until, watch

SEED, DEPTH = 0, 12
ASKED = 12  # parts of a search of some 20
CONTEXT = whole_text(SEED, DEPTH)
REQUEST = JobRequest(CONTEXT, label="mine")


@pytest.fixture(autouse=True)
def made_up_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(services.GAMES, "made-up", engine.FRONT)
    monkeypatch.setitem(table.GAMES, "made-up", FRONT)


@pytest.fixture
async def attic(service: MasterService, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Searcher]:
    searcher = Searcher().join(service)
    yield searcher
    await searcher.leave()


def right(depth: int = DEPTH) -> str:
    value, move = answer(MadeUpGame(SEED), depth)
    return f"value={value} move={move}"


def check_answered(view: JobView) -> None:
    assert (view.state, view.stopped_by, view.error) == (JobState.DONE, "answered", "")
    assert view.search is not None
    assert view.search.answer == right()
    assert view.search.nodes > 0


def stored(directory: Path, job: int = 1) -> StoredSearch:
    store = Store(directory)
    try:
        return store.search(job)
    finally:
        store.close()


def write(directory: Path, job: int, search: StoredSearch) -> None:
    database = open_database(database_path(directory))
    write_search(database, job, search)
    database.close()


async def halfway(searcher: Searcher) -> None:
    """Wait until some parts are answered; the searcher hears nothing from then on."""
    await until(lambda: len(searcher.asked) >= ASKED)
    searcher.is_deaf = True


async def test_search_runs_to_its_answer(service: MasterService, attic: Searcher) -> None:
    job = await service.submit(REQUEST)
    final = (await watch(service, job)).job
    check_answered(final)
    assert (final.label, final.game, final.trials) == ("mine", "made-up", None)
    assert await service.show(job) == final
    assert await service.jobs() == [final]
    assert service.running_count == 0


@pytest.mark.slow
async def test_status_is_shown_while_it_runs(service: MasterService, attic: Searcher) -> None:
    job = await service.submit(REQUEST)
    await halfway(attic)
    async for update in service.subscribe(job, interval_s=0.01):
        view = update.job.search
        assert view is not None
        if view.phase == f"depth {DEPTH}":
            break
    assert view is not None
    assert view.answer == ""
    assert (await service.jobs())[0].state is JobState.RUNNING
    with pytest.raises(MasterError, match="is a search: only jobs of trials have a priority"):
        await service.prioritise(job, Priority.BACKGROUND)
    await service.halt(job)


async def test_halted_search_goes_on_from_what_it_has_proved(tmp_path: Path) -> None:
    async with MasterService(tmp_path) as service:
        attic = Searcher().join(service)
        job = await service.submit(REQUEST)
        await halfway(attic)
        await service.halt(job)
        view = await service.show(job)
        assert (view.state, view.stopped_by) == (JobState.HALTED, "halted")
        await attic.leave()
    before = stored(tmp_path)
    assert before.bounds
    assert (before.answer, before.is_confirmed) == ("", True)
    async with MasterService(tmp_path) as service:
        attic = Searcher().join(service)
        await service.resume(job)
        final = (await watch(service, job)).job
        check_answered(final)
        assert final.search is not None
        assert final.search.nodes > before.nodes
        await attic.leave()
    after = stored(tmp_path)
    assert (after.bounds, after.answer) == (b"", right())


@pytest.mark.slow
async def test_what_is_proved_is_stored_while_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_jobs, "KEEP_INTERVAL_S", 0.0)
    async with MasterService(tmp_path) as service:
        attic = Searcher().join(service)
        job = await service.submit(REQUEST)
        await halfway(attic)
        await until(lambda: bool(stored(tmp_path).bounds))
        assert (await service.show(job)).state is JobState.RUNNING
        await attic.leave()


async def test_drained_search_is_the_next_daemons(tmp_path: Path) -> None:
    async with MasterService(tmp_path, runs_in=RunsIn.DAEMON) as service:
        job = await service.submit(REQUEST)
    async with MasterService(tmp_path, runs_in=RunsIn.DAEMON) as service:
        assert (await service.show(job)).stopped_by == "drained"
        assert await service.own_jobs() == [job]
        with pytest.raises(MasterError, match="is not running"):
            await service.halt(job)


async def test_search_has_no_trials(service: MasterService, attic: Searcher) -> None:
    with pytest.raises(MasterError, match="a search has no trials"):
        await service.submit(JobRequest(CONTEXT, trials=3))
    job = await service.submit(REQUEST)
    with pytest.raises(MasterError, match="it has no trials to be added to"):
        await service.extend(job, 3)
    await watch(service, job)
    with pytest.raises(MasterError, match="it has no trials to be added to"):
        await service.extend(job, 3)
    await service.forget(job)
    assert await service.jobs() == []


@pytest.mark.parametrize(
    ("context", "why"),
    [
        ("made-up-whole/1 engine=0 seed=1", "expected 'made-up-whole/1"),
        ("nothing/1", "unknown kind of context"),
    ],
)
async def test_search_of_nothing_is_refused(service: MasterService, context: str, why: str) -> None:
    with pytest.raises(MasterError, match=why):
        await service.submit(JobRequest(context))


async def test_search_of_another_engine_is_not_begun(service: MasterService) -> None:
    with pytest.raises(MasterError, match="engine 0123456789abcdef, this one is feedface"):
        await service.submit(JobRequest(whole_text(1, 3, engine="0123456789abcdef")))
    (view,) = await service.jobs()
    assert view.state is JobState.HALTED


async def test_search_that_fails_says_why_and_can_go_on(
    service: MasterService, attic: Searcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    attic.session.lie = lambda reported: [5, -5, *reported[2:]]
    job = await service.submit(REQUEST)
    final = (await watch(service, job)).job
    assert (final.state, final.stopped_by) == (JobState.HALTED, "failed")
    assert "results contradict each other" in final.error
    attic.session.lie = None
    attic.session.table.clear()
    await service.resume(job)
    check_answered((await watch(service, job)).job)


async def test_false_bounds_of_an_earlier_run_are_not_used_again(tmp_path: Path) -> None:
    game = MadeUpGame(SEED)
    children = game.children(game.root(), DEPTH)
    false = {game.entry_key(child): (90, 90) for child in children}
    async with MasterService(tmp_path) as service:
        job = await service.submit(REQUEST)
        await service.halt(job)
    write(tmp_path, job, StoredSearch(is_confirmed=False, bounds=pack_bounds(false)))
    async with MasterService(tmp_path) as service:
        attic = Searcher().join(service)
        await service.resume(job)
        check_answered((await watch(service, job)).job)
        await attic.leave()


async def test_unreadable_bounds_are_proved_again(tmp_path: Path) -> None:
    async with MasterService(tmp_path) as service:
        job = await service.submit(REQUEST)
        await service.halt(job)
    write(tmp_path, job, StoredSearch(bounds=b"nonsense"))
    reported: list[str] = []
    async with MasterService(tmp_path, on_notice=lambda one: reported.append(one.text)) as service:
        attic = Searcher().join(service)
        await service.resume(job)
        check_answered((await watch(service, job)).job)
        await attic.leave()
    assert any(
        line.startswith(f"what job {job} has proved cannot be read, and is proved again: no packed")
        for line in reported
    )


async def test_search_that_cannot_be_stored_fails_and_goes_on_later(service: MasterService) -> None:
    attic = Searcher().join(service)
    database = service._core._writer.database
    job = await service.submit(REQUEST)
    await halfway(attic)
    database.execute("PRAGMA query_only = ON")
    service._running._running[job].halt()
    final = (await watch(service, job)).job
    assert (final.state, final.stopped_by) == (JobState.HALTED, "failed")
    assert "jobs.sqlite3" in final.error
    database.execute("PRAGMA query_only = OFF")
    cellar = Searcher("cellar").join(service)
    await service.resume(job)
    check_answered((await watch(service, job)).job)
    await cellar.leave()
    await attic.leave()


async def test_mistake_of_ours_halts_the_search_and_is_reported(
    service: MasterService, attic: Searcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> str:
        raise ZeroDivisionError("a slip")

    monkeypatch.setitem(table.GAMES, "made-up", replace(FRONT, search_job=fail))
    job = await service.submit(REQUEST)
    final = (await watch(service, job)).job
    assert (final.state, final.stopped_by) == (JobState.HALTED, "failed")
    assert final.error == "internal error: ZeroDivisionError: a slip"


@pytest.mark.slow
async def test_tree_of_a_search_that_runs_is_shown(service: MasterService, attic: Searcher) -> None:
    job = await service.submit(REQUEST)
    await halfway(attic)
    async for _ in service.subscribe(job, interval_s=0.01):
        tree = await service.search_tree(job)
        if tree.nodes:  # from its first view on
            break
    assert (tree.game, tree.is_running) == ("made-up", True)
    assert tree.search.phase == f"depth {DEPTH}"
    assert tree.nodes[0].path == ()
    assert tree.nodes[0].busy == 1
    assert {name for node in tree.nodes for name in node.searchers} <= {"attic"}
    await service.halt(job)
    rests = await service.search_tree(job)
    assert (rests.is_running, rests.nodes) == (False, ())


async def test_tree_of_what_is_no_search_is_refused(service: MasterService) -> None:
    job = await service.submit(JobRequest(noop_context(), trials=1))
    with pytest.raises(MasterError, match="job 1 is no search"):
        await service.search_tree(job)
    with pytest.raises(MasterError, match="no job 2"):
        await service.search_tree(2)


async def test_answer_that_was_damaged_is_named_and_found_again(tmp_path: Path) -> None:
    async with MasterService(tmp_path) as service:
        searcher = Searcher().join(service)
        check_answered((await watch(service, await service.submit(REQUEST))).job)
        with closing(open_database(database_path(tmp_path))) as database:
            database.execute("UPDATE search SET answer = 'value=99 move=0'")
        with pytest.raises(MasterError, match="what job 1 has found is damaged or missing"):
            await service.show(1)
        assert [view.job for view in await service.jobs()] == [1]
        await service.resume(1)
        check_answered((await watch(service, 1)).job)
        await searcher.leave()
