"""The jobs that are searches: the bounds that each has proved are stored, for a later run.

The front of a game says how a position is searched.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from engine_ext.contexts import ContextError
from engine_ext.services import engine_digest
from master.contract.errors import MasterError
from master.contract.job_words import JobState
from master.contract.search_views import SearchTreeView, SearchView
from master.contract.views import JobView
from master.games.table import front_of
from master.search.known import NOTHING_KNOWN, KnownBounds, pack_bounds, unpack_bounds
from master.search.running.status import SearchStatus
from master.search.running.task import FalseWordError, SearchTask, TreeQuery
from master.service.background_tasks import BackgroundTasks
from master.service.core import Core
from master.service.job_records import ANSWERED, DRAINED, HALTED
from master.service.listed_jobs import to_search_view
from master.service.running_job import RunningJob
from master.service.searches import Searches
from master.service.stored_folds import FAILED
from master.store.errors import StoreError
from master.store.lock import JobLock
from master.store.records import JobEnd, JobRecord, RunsIn, StoredSearch
from master.store.store import Store

KEEP_INTERVAL_S = 1.0
"""Work that a master's death may cost, to be done again."""

KEEP_SHARE = 20
"""And longer, so that no more than this share of the time goes into keeping."""


@dataclass(eq=False, kw_only=True)
class RunningSearch(RunningJob):
    """A search; `task` is at work on it.

    Args:
        core: stores the proved bounds.
        searches: carry out the searches that the game asks for.
        before: its state when this run began.
        known: bounds proved by then.
        began_at: when this run began, by the clock that does not stand still.
    """

    core: Core
    searches: Searches
    before: StoredSearch
    known: KnownBounds
    began_at: float
    shown: SearchView = field(default_factory=SearchView)
    answer: str = ""
    task: asyncio.Task[None] | None = None
    _tree: TreeQuery | None = None  # of the search whose view is shown...
    _coming: TreeQuery | None = None  # ... or will be with the next one
    _done: KnownBounds = NOTHING_KNOWN  # of searches of this run that have ended...
    _latest: KnownBounds = NOTHING_KNOWN  # ... and of the one that goes on
    _keep_at: float = 0.0
    _packing: asyncio.Task[None] | None = None
    _stood: StoredSearch | None = None  # at its end

    def halt(self) -> None:
        """End it; its proved bounds are kept."""
        self.is_ending = True
        if self.task is not None:
            self.task.cancel()

    def view(self, is_summed: bool = True) -> JobView:
        """Return its view."""
        shown = self.shown
        if not is_summed:
            shown = replace(shown, searchers=(), hot_spots=())
        stands = self.status()
        shown = replace(shown, nodes=stands.nodes, seconds=stands.seconds, answer=stands.answer)
        return to_search_view(self.record, shown)

    def tree(self) -> SearchTreeView:
        """Return the top of the tree that is searched now; none between two searches."""
        shown = self.view().search
        assert shown is not None, "it is a search"
        nodes = () if self._tree is None else self._tree()
        return SearchTreeView(self.record.request.game, not self.is_ending, shown, nodes)

    def status(self) -> StoredSearch:
        """Return its state, without its proved bounds."""
        if self._stood is not None:
            return self._stood
        nodes = self.before.nodes + self.shown.nodes
        seconds = self.before.seconds + time.monotonic() - self.began_at
        return StoredSearch(nodes, seconds, self.answer)

    async def find_answer(self) -> None:
        """Have the game's searches made, one after the other, until the answer is there."""
        search = front_of(self.record.request.game).search_job
        assert search is not None, "its game is searched as jobs"
        self.answer = await search(self.record.request.context, self._searching, self._show)

    def _show(self, view: SearchView) -> None:
        self.shown, self._tree = view, self._coming

    def _watch(self, probe: TreeQuery) -> None:
        """Show a search's tree from its first view on: before, the view is of another position."""
        self._coming = probe

    async def _searching(self, task: SearchTask) -> AsyncGenerator[SearchStatus, None]:
        """Carry out one search from the known bounds, and keep the bounds it proves."""
        known, done = self.known, self._done
        task = replace(task, known=known, keep=self._keep, watch=self._watch)
        try:
            async with aclosing(self.searches.search(task)) as statuses:
                async for status in statuses:
                    yield status
        except FalseWordError as error:
            self._done = self._latest = done  # some of the other bounds may be the liar's
            if error.are_known_bounds_false:
                self.known = NOTHING_KNOWN
            raise
        finally:
            self._tree = self._coming = None

    def _keep(self, proved: Callable[[], KnownBounds], is_last: bool) -> None:
        """Store the bounds proved by now, if it is time for that, or the search ends."""
        if is_last:
            self._done = self._latest = self._done.with_more(proved())
        elif time.monotonic() >= self._keep_at and self._packing is None:
            begun = time.monotonic()
            self._latest = self._done.with_more(proved())
            self._packing = asyncio.create_task(self._pack(begun))

    async def _pack(self, begun: float) -> None:
        latest = self._latest
        bounds = await asyncio.to_thread(pack_bounds, latest.bounds)
        self.core.keep_search(self.record.job, self._stored(latest, bounds))
        now = time.monotonic()
        self._keep_at = now + max(KEEP_INTERVAL_S, KEEP_SHARE * (now - begun))
        self._packing = None

    def _stored(self, known: KnownBounds, bounds: bytes) -> StoredSearch:
        return self.status()._replace(is_confirmed=known.is_confirmed, bounds=bounds)

    async def store(self) -> bool:
        """Store its state at its end; return whether that worked."""
        if self._packing is not None:
            self._packing.cancel()
            await asyncio.gather(self._packing, return_exceptions=True)
        latest, self._stood = self._latest, self.status()
        # Of a search that is answered nothing more is needed.
        bounds = b"" if self.answer else await asyncio.to_thread(pack_bounds, latest.bounds)
        return await self.core.store_search(self.record.job, self._stored(latest, bounds))


class SearchJobs:
    """Starts searches, and sees them to their ends."""

    def __init__(
        self, core: Core, store: Store, searches: Searches, tasks: BackgroundTasks,
        is_draining: Callable[[], bool],
    ) -> None:  # fmt: skip
        """Start with none."""
        self._core = core
        self._store = store
        self._searches = searches
        self._tasks = tasks
        self._is_draining = is_draining

    async def begin(self, job: int, lock: JobLock, runs_in: RunsIn) -> RunningSearch:
        """Go on with a search from its stored state."""
        record = await asyncio.to_thread(self._begun, job, runs_in)
        before = await asyncio.to_thread(self._store.search, job)
        running = RunningSearch(
            record, lock, core=self._core, searches=self._searches, before=before,
            known=self._known(before, job), began_at=time.monotonic(),
        )  # fmt: skip
        self._tasks.spawn(self._run(running))
        return running

    def _begun(self, job: int, runs_in: RunsIn) -> JobRecord:
        """Mark a search as running, if this process has the engine that began it. Blocks."""
        request = self._store.job(job).request
        here = engine_digest(request.game)
        if request.engine != here:
            raise MasterError(
                f"job {job} is of {request.game} engine {request.engine}, this one is {here}: go "
                f"on with the version that began it, or search anew: manyply again {job}"
            )
        self._store.set_running(job, runs_in)
        return self._store.job(job)

    def _known(self, stored: StoredSearch, job: int) -> KnownBounds:
        try:
            bounds = unpack_bounds(stored.bounds)
        except ValueError as error:
            self._core.warn(
                f"what job {job} has proved cannot be read, and is proved again: {error}"
            )
            return NOTHING_KNOWN
        return KnownBounds(bounds, stored.is_confirmed)

    async def _run(self, running: RunningSearch) -> None:
        """Search until the answer is there, or a user halts it; then store its state."""
        stopped_by = HALTED
        running.task = asyncio.create_task(running.find_answer())
        if running.is_ending:
            running.task.cancel()
        try:
            await asyncio.wait([running.task])
            if not running.task.cancelled():
                running.task.result()
                stopped_by = ANSWERED
        except (MasterError, ContextError) as error:
            running.error, stopped_by = running.error or str(error), FAILED
        except Exception as error:
            running.error = f"internal error: {type(error).__name__}: {error}"
            stopped_by = FAILED
            raise
        finally:
            running.is_ending = True
            await self._finish(running, stopped_by)

    async def _finish(self, running: RunningSearch, stopped_by: str) -> None:
        if stopped_by == HALTED and self._is_draining():
            stopped_by = DRAINED
        if running.error and stopped_by != ANSWERED:
            stopped_by = FAILED
        if not await running.store():
            stopped_by = FAILED
        state = JobState.DONE if stopped_by == ANSWERED else JobState.HALTED
        end = JobEnd(stopped_by, running.error)
        try:
            await asyncio.to_thread(self._store.set_ended, running.record.job, state, end)
        except StoreError as error:
            end = replace(end, error=end.error or str(error))
        running.record = replace(running.record, state=state, end=end)
        running.shown = SearchView()
        running.end(running.view())
