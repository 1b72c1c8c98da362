"""One search over real analysers: commands become messages, and their replies become events.

Time is an argument, and actions are returned, in order.

Each worker of a session is one analyser of the scheduler, with a new number each time its session
comes.  Its workers share a table: entries come as its first worker's, and go to each session once.
"""

from collections import deque
from collections.abc import Iterable, Mapping

from engine_ext.search.bounds_tree import VALUE_LIMIT
from master.contract.events import AnswerArrived, PartEnded
from master.contract.leases import Ending, Holding, Lease, ending_of
from master.contract.rate import RateMeter
from master.contract.reading import Work
from master.contract.search_views import HotSpot, TreeNode
from master.search.events import (
    AnalyserCame,
    AnalyserWent,
    BracketNarrowed,
    DropAnalyser,
    GuessCame,
    HandOutPart,
    SearchAnswered,
    SearchCommand,
    SearchEvent,
    SearchFailed,
    SearchPartEnded,
    SearchTick,
    SendEntries,
    StopSearchPart,
    TableNews,
)
from master.search.known import KnownBounds
from master.search.running.search_sessions import (
    SearchLease,
    SearchSession,
    from_wire,
    to_wire,
    why_nobody,
)
from master.search.running.status import SearchStatus, TreePaths, shown_bounds, tree_nodes
from master.search.running.wording import Proved, Wording, WordingError
from master.search.scheduler import SearchScheduler
from protocol.messages import Entries, Message, Search, Stop
from protocol.values import value


@value
class Send:
    """Send a session a message.

    Args:
        session: its number.
        message: the message.
        is_shot: it stops a hot spot, for the timeline.
    """

    session: int
    message: Message
    is_shot: bool = False


@value
class DropSession:
    """End a session's connection; it may come again."""

    session: int
    text: str


@value
class SessionRefused:
    """A session cannot be used for this search any more; this is shown to people."""

    session: int
    text: str


@value
class ProveHere:
    """Have this process search a claim (claims.py), and pass the answer to `answer_here`.

    Args:
        claim: its number.
        question: the same as for an analyser.
    """

    claim: int
    question: str


Action = Send | DropSession | SessionRefused | ProveHere


WORKERS_MAX = 1024
"""Workers of one session that a search uses: at every event the scheduler visits all of them."""

RUNNING_SHOWN_MAX = 64
"""Running parts in one view; a terminal has fewer lines."""

NOTHING = Proved(-VALUE_LIMIT, VALUE_LIMIT, 0, None, ())


class SearchRun:
    """One running search.

    Args:
        number: of the search: its parts carry it.
        scheduler: fresh, with times in seconds.
        wording: the game's.
        root: the position, and how deep it is searched at first.
        now: when it begins.

    Attributes:
        answer: at its end.
        error: why it failed, for people.
        liars: sessions that sent a false bound, so that it failed.
        unconfirmed: bounds that are not confirmed yet, see CheckedRun.
    """

    def __init__(
        self,
        number: int,
        scheduler: SearchScheduler,
        wording: Wording,
        root: tuple[bytes, int],
        now: float,
    ) -> None:
        self.number = number
        self.wording = wording
        self.answer: SearchAnswered | None = None
        self.error = ""
        self.liars: tuple[int, ...] = ()
        self.unconfirmed = 0
        self._all_workers: dict[int, SearchSession] = {}  # those that have gone, too
        self._scheduler = scheduler
        self._began = now
        self._sessions: dict[int, SearchSession] = {}
        self._workers: dict[int, SearchSession] = {}
        self._next_worker = 1
        self._bracket = BracketNarrowed(root[1], -VALUE_LIMIT, VALUE_LIMIT, None)
        self._paths = TreePaths(wording.rules, *root)
        self._events: deque[SearchEvent] = deque()
        self._is_feeding = False
        self._out: list[Action] = []

    @property
    def is_over(self) -> bool:
        """Whether it was answered, or failed."""
        return self.answer is not None or bool(self.error)

    @property
    def wake_at(self) -> float | None:
        """When `tick` is due, if nothing comes before."""
        return self._scheduler.wake_at

    @property
    def has_workers(self) -> bool:
        """Whether any worker searches."""
        return bool(self._workers)

    @property
    def parts_waiting(self) -> int:
        """How many parts could be handed to further workers now."""
        return 0 if self.is_over else self._scheduler.parts_waiting

    def held(self) -> Mapping[int, int]:
        """Return how many parts each session has, by its number."""
        return {number: len(one.leases) for number, one in self._sessions.items()}

    @property
    def why_hopeless(self) -> str:
        """Why none of the sessions that came can be used, for people; empty: it is not so."""
        return why_nobody(self._sessions.values())

    # Events.

    def came(
        self, session: int, name: str, workers: int, now: float, party: str = ""
    ) -> list[Action]:
        """Use a session that is ready; its parts from before a break are stopped.

        A session in use that has more workers now gets parts for these. If it has lost workers, it
        still gets parts for them: they wait there for others of its workers.
        """
        new = SearchSession(session, name, RateMeter(now, 0), party=party)
        one = self._sessions.setdefault(session, new)
        one.worker_count, one.is_silent = min(workers, WORKERS_MAX), False
        if not one.refusal and not one.workers:
            self._use(one, now)
        elif not one.refusal and one.worker_count > len(one.workers):
            self._employ(one, now)
        return self._collect_actions()

    def _use(self, session: SearchSession, now: float) -> None:
        """Have a session's workers search from now on, and end its former parts.

        A missing answer to these stops does not count as silence: parts that were handed out as a
        connection broke may never have arrived.
        """
        self._stop_all(session, are_stops_announced=True)
        session.forgive()
        self._employ(session, now)

    def _employ(self, session: SearchSession, now: float) -> None:
        """Let the workers of a session that do not search yet begin."""
        first = self._next_worker
        new = range(first, first + session.worker_count - len(session.workers))
        self._next_worker = new.stop
        session.workers += new
        for worker in new:
            self._workers[worker] = self._all_workers[worker] = session
        self._feed([AnalyserCame(worker, bool(session.party)) for worker in new], now)

    def went(self, session: int, now: float) -> list[Action]:
        """A session's connection is gone; it may come again."""
        one = self._sessions.get(session)
        if one is not None:
            one.is_silent = False  # later replies about its parts come with its return
            one.known.contents.clear()  # 10 MB that a session which never comes again would hold
            self._lose(one, now)
        return self._collect_actions()

    def retired(self, session: int, now: float) -> list[Action]:
        """A session takes no more parts: it ends those it has with the bounds proved so far."""
        one = self._sessions.get(session)
        if one is not None:
            one.is_silent = False
            self._stop_all(one)
            self._lose(one, now)
        return self._collect_actions()

    def refused(self, session: int, name: str, text: str, now: float) -> list[Action]:
        """A session cannot be used for this search: why, for people; it is reported once."""
        one = SearchSession(session, name, RateMeter(now, 0))
        self._refuse(self._sessions.setdefault(session, one), text, now)
        return self._collect_actions()

    def receive(self, session: int, reported: Work, now: float) -> list[Action]:
        """Receive a session's reply about one of this search's parts."""
        one = self._sessions.get(session)
        key = from_wire(reported.part)[1], reported.attempt
        lease = None if one is None else one.leases.get(key)
        if one is None or lease is None:
            return []
        if isinstance(reported, AnswerArrived):
            lease.answer = reported.text
        elif isinstance(reported, PartEnded):
            one.remove(lease)
            self._end(one, lease, reported, now)
            if one.is_silent and not one.refusal and not self.is_over:
                one.is_silent = False
                self._use(one, now)
        return self._collect_actions()

    def entries(self, session: int, entries: Entries, now: float) -> list[Action]:
        """Take table entries that a session sends."""
        one = self._sessions.get(session)
        if one is None or not one.workers or one.party or entries.game != self.wording.game:
            return []
        try:
            found = self.wording.read_entries(entries.text)
        except WordingError as error:
            self._refuse(one, f"table entries: {error}", now)
        else:
            one.news_of(found)  # none of its workers needs to get these
            self._feed([TableNews(one.workers[0], found)], now)
        return self._collect_actions()

    def guessed(self, guess: int, now: float) -> list[Action]:
        """There is a better guess of the value."""
        self._feed([GuessCame(guess)], now)
        return self._collect_actions()

    def tick(self, now: float) -> list[Action]:
        """Time has passed."""
        self._feed([SearchTick()], now)
        return self._collect_actions()

    def check(self, now: float) -> list[Action]:
        """Do without sessions that are silent; to be called every second or so."""
        silent = [one for one in self._sessions.values() if one.is_late(now)]
        for session in silent:
            if session.workers:
                session.is_silent = True
                self._lose(session, now)
        return self._collect_actions()

    def known(self) -> KnownBounds:
        """Return the bounds proved by now, for a later run."""
        return self._scheduler.known()

    def abandon(self, error: str) -> list[Action]:
        """End it without an answer."""
        if not self.is_over:
            self._fail(error)
        return self._collect_actions()

    # How it works.

    def _collect_actions(self) -> list[Action]:
        out, self._out = self._out, []
        return out

    def _feed(self, events: Iterable[SearchEvent], now: float) -> None:
        """Give the scheduler events; those that come of a command wait for the end of its list."""
        self._events += events
        if self._is_feeding:
            return
        self._is_feeding = True
        while self._events and not self.is_over:
            for command in self._scheduler.handle(self._events.popleft(), now):
                self._obey(command, now)
        self._events.clear()
        self._is_feeding = False

    def _fail(self, error: str) -> None:
        self.error = error
        for session in self._sessions.values():
            self._stop_all(session)

    def _obey(self, command: SearchCommand, now: float) -> None:
        if isinstance(command, HandOutPart):
            self._hand_out(command, now)
        elif isinstance(command, StopSearchPart):
            session = self._all_workers[command.analyser]
            lease = session.leases.get((command.part, command.generation))
            if lease is not None:
                lease.stopped_at = now
                self._stop(session, lease, command.is_shot)
        elif isinstance(command, SendEntries):
            self._send_entries(command)
        elif isinstance(command, DropAnalyser):
            self._drop(command, now)
        elif isinstance(command, BracketNarrowed):
            self._bracket = command
        elif isinstance(command, SearchAnswered):
            self._receive_answer(command)
        else:
            self._receive_failure(command)

    def _receive_answer(self, found: SearchAnswered) -> None:
        self.answer = found

    def _receive_failure(self, failed: SearchFailed) -> None:
        session = self._workers.get(failed.analyser)
        last = "" if session is None else f", the last one by {session.name}"
        self._fail(f"results contradict each other{last}: {failed.text}")

    def _hand_out(self, command: HandOutPart, now: float) -> None:
        session = self._workers.get(command.analyser)
        if session is None:
            return  # it went in this very turn; the event for that comes next
        session.add(
            SearchLease(command, now, key=(command.part, command.generation), is_urgent=True)
        )
        # Entries are sent only if there are other analysers.
        is_telling = len(self._workers) > len(session.workers) and not session.party
        news_depth = command.news_depth if is_telling else None
        request = Search(
            part=to_wire(self.number, command.part),
            attempt=command.generation,
            context=self.wording.question(command),
            news=-1 if news_depth is None else news_depth,
            urgent=True,
        )
        self._out.append(Send(session.number, request))

    def _stop(self, session: SearchSession, lease: SearchLease, is_shot: bool = False) -> None:
        """Ask for the early end of an attempt: its position may be split from now on."""
        lease.stop()
        command = lease.command
        self._paths.record_split(command.position, command.depth)
        message = Stop(part=to_wire(self.number, command.part), attempt=command.generation)
        self._out.append(Send(session.number, message, is_shot))

    def _stop_all(self, session: SearchSession, are_stops_announced: bool = False) -> None:
        """Stop all parts of a session; a link may have lost a former stop."""
        for lease in session.leases.values():
            if are_stops_announced or not lease.is_stopped:
                self._stop(session, lease)

    def _send_entries(self, command: SendEntries) -> None:
        session = self._workers.get(command.analyser)
        entries = () if session is None else session.news_of(command.entries)
        if session is None or not entries:
            return  # it has gone in this very turn, or its table has them by another worker
        for text in self.wording.entries_texts(entries):
            self._out.append(Send(session.number, Entries(game=self.wording.game, text=text)))

    def _lose(self, session: SearchSession, now: float) -> None:
        for lease in session.leases.values():
            lease.give_back()
        workers, session.workers = session.workers, []
        for worker in workers:
            del self._workers[worker]
        self._feed([AnalyserWent(worker) for worker in workers], now)

    def _refuse(self, session: SearchSession, text: str, now: float) -> None:
        if not session.refusal:
            session.refusal = text
            self._out.append(SessionRefused(session.number, f"analyser {session.name}: {text}"))
            self._stop_all(session)
            self._lose(session, now)

    def _drop(self, command: DropAnalyser, now: float) -> None:
        """Let a session go whose worker the scheduler has forgotten, and its others with it."""
        session = self._workers.get(command.analyser)
        if session is not None:
            self._out.append(DropSession(session.number, command.text))
            self._lose(session, now)

    def _end(
        self, session: SearchSession, lease: SearchLease, ended: PartEnded, now: float
    ) -> None:
        """Give the scheduler the bounds that an attempt has proved."""
        command = lease.command
        proved = self._read(session, lease, (command.alpha, command.beta), ended, now)
        if proved is None:
            return
        event = SearchPartEnded(
            command.analyser, command.part, command.generation, proved.lower, proved.upper,
            proved.nodes, proved.best, proved.moves,
        )  # fmt: skip
        self._feed([event], now)

    def _read(
        self, session: SearchSession, lease: Lease, window: tuple[int, int], ended: PartEnded,
        now: float,
    ) -> Proved | None:  # fmt: skip
        """Return the bounds that an attempt has proved; None: its answer is invalid.

        A session that fails, or sends an invalid answer, is used no more.
        """
        answer = lease.answer
        try:
            proved = NOTHING if answer is None else self.wording.read_answer(answer)
        except WordingError as error:
            self._refuse(session, f"an answer: {error}", now)
            return None
        ending = ending_of(ended, lease)
        if ending is Ending.DONE and not proved.settles(*window):
            self._refuse(session, "an answer: it has come to its end, and proves nothing", now)
            return None
        if ending is Ending.LEAVING:
            self._lose(session, now)
        elif ending not in (Ending.DONE, Ending.STOPPED):
            self._refuse(session, f"{ended.code}: {ended.text}", now)
        session.nodes += proved.nodes
        return proved

    # Its state.

    def tree(self, now: float) -> tuple[TreeNode, ...]:
        """Return the top of its tree; nothing is changed by looking."""
        return tree_nodes(self._scheduler.top(), lambda one: self._all_workers[one].name, now)

    def hot_spots(self, now: float) -> tuple[HotSpot, ...]:
        """Return the positions that present workers search, the oldest first."""
        running = [
            (lease.handed_at, lease.key, session, lease.command)
            for session in self._sessions.values()
            for lease in session.leases.values()
            if lease.holding is Holding.HELD
        ]
        running.sort(key=lambda each: each[:2])
        return tuple(
            HotSpot(session.name, self._paths.path(command.position), command.depth, now - since)
            for since, _, session, command in running[:RUNNING_SHOWN_MAX]
        )

    def status(self, now: float) -> SearchStatus:
        """Return its state."""
        bracket, counts = self._bracket, self._scheduler.counts
        sessions = sorted(self._sessions.values(), key=lambda session: session.name)
        return SearchStatus(
            bracket.depth,
            *shown_bounds(bracket.lower, bracket.upper),
            bracket.move,
            sum(session.nodes for session in sessions),
            now - self._began,
            counts.handed_out,
            counts.shot,
            tuple(session.line(now) for session in sessions if session.workers),
            self.hot_spots(now),
            self.answer,
            self.unconfirmed,
        )
