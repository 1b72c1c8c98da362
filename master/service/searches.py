"""The searches that are running, with their clocks, analysers and callers.

It decides nothing about work: actions come from each search's run (master.search.running.run). A
search needs no store: its parts are urgent requests, sent at once; its proved bounds are passed to
a caller that wants to keep them.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass, field

from engine_ext.control import RunControl
from master.contract.errors import MasterError
from master.contract.reading import Work
from master.search.known import EARLIER
from master.search.limits import Costs
from master.search.running.checked import OUR_PARTY, CheckedRun
from master.search.running.run import Action, DropSession, ProveHere, SearchRun, Send
from master.search.running.search_sessions import SEARCHES_MAX, from_wire
from master.search.running.status import SearchStatus
from master.search.running.task import CHECK_S, FalseWordError, SearchClock, SearchError, SearchTask
from master.search.running.wording import Wording
from master.search.scheduler import SearchScheduler
from master.service.analysers.sessions import Session, SessionEvent, SessionTable
from master.timeline.turns import LiveSearches
from protocol.aio.timer import Timer
from protocol.codes import LocalProtocolError
from protocol.messages import Entries, Search

RUNNING_MAX = 16
"""More share the same analysers and only make each other late."""

STATUS_INTERVAL_S = 0.25
"""As often as a person can follow."""

HOPELESS_S = 5.0
"""Links are dialled within moments: after that no suitable analyser will come."""

LINK_COSTS = Costs(latency=0.1e-3, message=75e-6, entry=1.4e-6, entry_out=0.2e-6, poll=20e-3)
"""The costs over real links, measured with analysers on the loopback.

A part of few nodes is answered .3 ms after it was handed out (median), and takes 140 to 200 us of
the master's time, half for the request, half for the reply with its acknowledgement and all
decisions then.  A table entry takes 1.4 us when it comes in and .2 us when it goes out.

A stop is noticed in some thousand nodes, but its answer may wait for other threads, 20 ms.  How
long an answer to a stop may take is a thousand times that, 20 s, so that a silent host is found by
the link's own deadlines first.
"""


@dataclass(eq=False)
class _Running:
    """One search that is going on."""

    run: SearchRun
    clock: SearchClock
    ended: asyncio.Event
    timer: Timer
    prove: Callable[[str, RunControl], str] | None = None
    served_at: float = 0.0
    sessions: dict[int, Session] = field(default_factory=dict)  # all that came
    control: RunControl = field(default_factory=RunControl)  # of the proofs in this process
    proving: set[asyncio.Task[None]] = field(default_factory=set)


class Searches:
    """All searches of a master."""

    def __init__(
        self,
        sessions: SessionTable,
        warn: Callable[[str], None],
        watch: LiveSearches | None = None,
        go_on_here: Callable[[], bool] = lambda: False,
    ) -> None:
        """Start with none.

        Args:
            sessions: the sessions.
            warn: shows people a line.
            watch: receives the messages sent and received.
            go_on_here: has this machine search; returns whether it can.
        """
        self._go_on_here = go_on_here
        self._sessions = sessions
        self._watch = watch
        sessions.listen(self._on_session_change)
        self._warn = warn
        self._loop = asyncio.get_running_loop()
        self._running: dict[int, _Running] = {}
        self._last_number = 0
        self._refusal = ""

    @property
    def count(self) -> int:
        """How many are going on."""
        return len(self._running)

    @property
    def is_served(self) -> bool:
        """Whether each has workers, or is proved here."""
        runs = [running.run for running in self._running.values()]
        return all(run.has_workers or run.unconfirmed for run in runs)

    @property
    def parts_waiting(self) -> int:
        """How many of their parts could be handed to further analysers now."""
        return sum(running.run.parts_waiting for running in self._running.values())

    def held(self) -> Counter[int]:
        """Return how many of their parts each session has, by its number."""
        held = Counter[int]()
        for running in self._running.values():
            held.update(running.run.held())
        return held

    async def search(
        self, task: SearchTask, interval_s: float = STATUS_INTERVAL_S
    ) -> AsyncGenerator[SearchStatus, None]:
        """Search; yield its state now and then, and at last with the answer.

        Closing the iterator ends the search.

        Raises:
            SearchError: results contradict each other, no analyser can be used, or the master
                ends meanwhile.
            MasterError: the master is ending, or too many searches are going on.
        """
        running = self._begin(task)
        run = running.run
        if task.watch is not None:
            task.watch(lambda: run.tree(self._now(running)))
        guessing = asyncio.create_task(self._guess(running, task))
        try:
            while not run.is_over:
                try:
                    async with asyncio.timeout(interval_s):
                        await running.ended.wait()
                except TimeoutError:
                    if task.keep is not None:
                        task.keep(run.known, False)
                    yield run.status(self._now(running))
            if run.liars:
                raise self._condemned(running)
            if run.error:
                raise SearchError(run.error)
            yield run.status(self._now(running))
        finally:
            if task.keep is not None and not run.error:
                task.keep(run.known, True)
            self._leave(running)
            guessing.cancel()
            running.control.stop()
            await asyncio.gather(guessing, *running.proving, return_exceptions=True)

    def stop(self, reason: str) -> None:
        """End all searches, for this reason."""
        for running in list(self._running.values()):
            self._carry_out(running, running.run.abandon(reason))

    def close(self, reason: str) -> None:
        """End all searches and begin no further one."""
        self._refusal = reason
        self.stop(reason)

    # Events and messages of analysers.

    def _on_session_change(self, session: Session, event: SessionEvent | None) -> None:
        for running in list(self._running.values()):
            self._update_session(running, session)

    def receive(self, session: Session, work: Sequence[Work]) -> None:
        """Use replies about parts; those of a search that is over are dropped."""
        if self._watch is not None:
            self._watch.receive(work, self._loop.time())
        for message in work:
            running = self._running.get(from_wire(message.part)[0])
            if running is not None:
                now = self._now(running)
                self._carry_out(running, running.run.receive(session.number, message, now))

    def receive_entries(self, session: Session, entries: Entries) -> None:
        """Use table entries, in every search of the game."""
        for running in list(self._running.values()):
            now = self._now(running)
            self._carry_out(running, running.run.entries(session.number, entries, now))

    # How it works.

    def _begin(self, task: SearchTask) -> _Running:
        if self._refusal:
            raise MasterError(self._refusal)
        if len(self._running) >= RUNNING_MAX:
            raise MasterError(f"{RUNNING_MAX} searches are going on; no more are begun")
        self._last_number = (self._last_number + 1) % SEARCHES_MAX
        spec, strategy = task.spec, task.strategy
        scheduler = SearchScheduler(spec, task.wording.rules, strategy, LINK_COSTS, task.known)
        root = spec.position, spec.depths[0]
        kind = SearchRun if task.prove is None else CheckedRun
        run = kind(self._last_number, scheduler, task.wording, root, 0.0)
        timer = Timer(self._loop, lambda: self._tick(running))
        running = _Running(run, SearchClock(self._loop.time()), asyncio.Event(), timer, task.prove)
        self._running[run.number] = running
        if self._watch is not None:
            self._watch.begin(run.number, task.wording.game)
        self._set_timer(running)
        for session in self._sessions:
            self._update_session(running, session)
        return running

    def _condemned(self, running: _Running) -> FalseWordError:
        """Refuse the analysers that sent false bounds, gone or not; return the error to raise."""
        error = FalseWordError(running.run.error)
        error.are_known_bounds_false = EARLIER in running.run.liars
        present = {session.number for session in self._sessions}
        for number in set(running.run.liars) - {EARLIER}:
            self._sessions.condemn(running.sessions[number], str(error))
            if number not in present:
                self._warn(f"{error}: this analyser is refused from now on")
        # One that still greets counts: it was slower than a liar, which computes nothing.
        is_somebody_here = any(session.link is not None for session in self._sessions)
        error.are_others_here = is_somebody_here or error.are_known_bounds_false
        if not error.are_others_here and running.prove is not None:
            error.are_others_here = self._go_on_here()
        return error

    def _leave(self, running: _Running) -> None:
        self._carry_out(running, running.run.abandon("nobody waits for it any more"))
        self._running.pop(running.run.number, None)

    async def _guess(self, running: _Running, task: SearchTask) -> None:
        """Find the better guess, if there is one to be found; the thread ends by itself."""
        if task.guess is None:
            return
        try:
            guess = await asyncio.to_thread(task.guess)
        except Exception as error:
            self._end_by_mistake(running, error)
        else:
            self._carry_out(running, running.run.guessed(guess, self._now(running)))

    def _end_by_mistake(self, running: _Running, error: Exception) -> None:
        """End a search by a bug of ours, with its text."""
        text = f"internal error: {type(error).__name__}: {error}"
        self._carry_out(running, running.run.abandon(text))

    def _now(self, running: _Running) -> float:
        return running.clock.read(self._loop.time())

    def _update_session(self, running: _Running, session: Session) -> None:
        run, now = running.run, self._now(running)
        running.sessions[session.number] = session
        if session.link is None or not session.is_ready:
            actions = run.went(session.number, now)
        elif session.is_draining:
            actions = run.retired(session.number, now)
        elif refusal := _refusal(session, run.wording):
            actions = run.refused(session.number, session.name, refusal, now)
        else:
            is_believed = session.endpoint.is_ours or running.prove is None
            party = OUR_PARTY if is_believed else session.endpoint.host or session.name
            actions = run.came(session.number, session.name, session.workers, now, party)
        self._carry_out(running, actions)

    def _carry_out(self, running: _Running, actions: list[Action]) -> None:
        for action in actions:
            if isinstance(action, Send):
                self._send(running, action)
            elif isinstance(action, DropSession):
                self._sessions.drop(action.session, action.text)
            elif isinstance(action, ProveHere):
                running.proving.add(asyncio.create_task(self._prove(running, action)))
            else:
                self._warn(action.text)
        if running.run.is_over:
            running.ended.set()
            running.timer.close()
        else:
            self._set_timer(running)

    def _send(self, running: _Running, action: Send) -> None:
        try:
            self._sessions.send(action.session, action.message)
        except LocalProtocolError as error:
            # Its drain has arrived and is not worked off yet, or its lines are too short.
            self._loop.call_soon(self._refuse_session, running, action.session, str(error))
            return
        if self._watch is not None:
            self._watch.send(running.run.number, action, self._loop.time())

    def _refuse_session(self, running: _Running, number: int, text: str) -> None:
        """Stop using a session that cannot get its messages; a draining one is known already."""
        session = self._sessions.get(number)
        is_leaving = session is None or session.is_draining
        if not is_leaving and not running.run.is_over:
            now = self._now(running)
            self._carry_out(running, running.run.refused(number, "", text, now))

    async def _prove(self, running: _Running, action: ProveHere) -> None:
        """Prove a claim in a thread, and pass the result to the search."""
        prove, run = running.prove, running.run
        assert prove is not None
        assert isinstance(run, CheckedRun), "no other has claims"
        try:
            text = await asyncio.to_thread(prove, action.question, running.control)
            if not run.is_over:
                self._carry_out(running, run.answer_here(action.claim, text))
        except Exception as error:
            self._end_by_mistake(running, error)

    # Time.

    def _set_timer(self, running: _Running) -> None:
        """Have a tick when the search needs it, and every CHECK_S."""
        if running.run.is_over:
            return
        due = self._loop.time() + CHECK_S
        wake_at = running.run.wake_at
        if wake_at is not None:
            due = min(due, running.clock.to_loop(wake_at))
        running.timer.set(due)

    def _tick(self, running: _Running) -> None:
        """Check a search; a bug of ours ends it: no task that others watch dies of it."""
        try:
            self._check(running)
        except Exception as error:
            self._end_by_mistake(running, error)
            raise

    def _check(self, running: _Running) -> None:
        run, now = running.run, self._now(running)
        if run.has_workers or run.unconfirmed:  # this process proves alone if it has to
            running.served_at = now
        elif now - running.served_at >= HOPELESS_S and (why := run.why_hopeless):
            self._carry_out(running, run.abandon(f"no analyser can search this: {why}"))
            return
        is_due = run.wake_at is not None and run.wake_at <= now
        self._carry_out(running, run.tick(now) if is_due else [])
        self._carry_out(running, run.check(now))


def _refusal(session: Session, wording: Wording) -> str:
    """Return why a session cannot search a game, if it cannot."""
    offer = session.offers.get(wording.game)
    if offer is None or Search.verb not in offer.services:
        return f"it does not search {wording.game}"
    if offer.digest != wording.engine:
        return f"it has {wording.game} engine {offer.digest}, the search needs {wording.engine}"
    return ""
