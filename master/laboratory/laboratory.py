"""The virtual-time laboratory: the scheduler over real searches on simulated analysers.

Time is counted in nodes and events are ordered by (time, number), so every run of the same work is
the same.

The model: a message takes `latency` from end to end. The master is one processor: it takes the
incoming messages in their order, each for `message`, and pays as much again for each that it sends;
besides, `entry` for each incoming table entry and `entry_out` for each outgoing one. All that one
turn of the master sends to an analyser is one write and one message, and so is all that an analyser
sends at once. An analyser reads its messages every `poll` nodes. It sends its new table entries
every `news` nodes and with its answers, and works these out for `answer_nodes`. Workers of one
analyser share its table: an entry that one of them has sent or got is not sent to the others.
"""

import heapq
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

from master.search.events import (
    AnalyserCame,
    AnalyserWent,
    DropAnalyser,
    HandOutPart,
    MoveBounds,
    SearchAnswered,
    SearchCommand,
    SearchEvent,
    SearchFailed,
    SearchPartEnded,
    SearchTick,
    SendEntries,
    StopSearchPart,
    TableEntry,
    TableNews,
)
from master.search.limits import Costs
from master.search.replication import KnownEntries
from master.search.scheduler import SearchScheduler


class SimulatedEngine(Protocol):
    """A simulated analyser's engine, with a table of its own; at most one search at a time."""

    def begin(self, position: bytes, depth: int, alpha: int, beta: int) -> float:
        """Begin a search; the last one, finished or not, is over.

        Returns:
            How long it takes to begin, in nodes.
        """

    def step(self, nodes: int) -> int:
        """Search on for about so many nodes; return how many there were."""

    @property
    def is_done(self) -> bool:
        """Whether the search is finished."""

    def proved(self) -> tuple[int, int]:
        """Return (lower, upper) of the position's value, whether it is finished or not."""

    def best(self) -> int | None:
        """Return the best move found so far."""

    def moves(self) -> tuple[MoveBounds, ...]:
        """Return proved bounds of the position's moves, and estimates of those left to search."""

    @property
    def answer_nodes(self) -> float:
        """The time that `moves` took for this search, in nodes."""

    def news(self, depth_min: int) -> tuple[TableEntry, ...]:
        """Return table entries of at least this depth that are new since the last call."""

    def learn(self, entries: tuple[TableEntry, ...]) -> None:
        """Take over other analysers' entries."""


@dataclass(frozen=True, slots=True)
class Mishap:
    """A mishap of an analyser's part: its answer is late, comes twice or never.

    Args:
        delay: how much later the answer is sent.
        is_doubled: it is sent twice.
        is_lost: it is never sent; the analyser searches on with the next part.
    """

    delay: float = 0.0
    is_doubled: bool = False
    is_lost: bool = False


Fate: TypeAlias = Callable[[int, int], Mishap | None]  # of (analyser, part)


LogTurn = Callable[[float, Sequence[SearchEvent], Sequence[SearchCommand]], object]
"""Called at each turn of the master with its time, events and commands."""

EVENTS_MAX = 50_000_000
"""No run has so many: a simulation that goes round in circles ends."""


@dataclass(slots=True, eq=False)
class Simulated:
    """One simulated analyser."""

    number: int
    engine: SimulatedEngine
    inbox: deque[SearchCommand] = field(default_factory=deque)
    waiting: deque[HandOutPart] = field(default_factory=deque)
    part: HandOutPart | None = None
    nodes: int = 0
    news_depth: int | None = None
    news_at: float = 0.0
    is_running: bool = False
    is_gone: bool = False
    is_deaf: bool = False
    answered_at: float = 0.0
    owed: float = 0.0


@dataclass(frozen=True, slots=True)
class Run:
    """The measurements of a simulation.

    Args:
        answer: None: the search failed or was not answered.
        time: when the answer was known, in nodes.
        nodes: searched by all analysers.
        master: of the master's time.
        messages: in and out.
        entries: table entries, in and out.
        busy: (time, analysers that search) whenever it changed.
    """

    answer: SearchAnswered | None
    time: float
    nodes: int
    master: float
    messages: int
    entries: int
    busy: tuple[tuple[float, int], ...]


class Laboratory:
    """One simulation.

    Args:
        scheduler: made with the same costs, and fresh.
        engines: one for each analyser; each comes at time 0.
        costs: in nodes.
        fate: the mishaps of the run.
        spare: makes the engine of an analyser that comes again after it was dropped.
        thought: nodes that the master's own estimates have taken so far; they cost its time.
        workers: so many engines after each other are one analyser's, and share a table.
        log: is called at each turn of the master.
    """

    def __init__(
        self,
        scheduler: SearchScheduler,
        engines: Sequence[SimulatedEngine],
        costs: Costs,
        fate: Fate = lambda analyser, part: None,
        spare: Callable[[], SimulatedEngine] | None = None,
        thought: Callable[[], float] = lambda: 0.0,
        workers: int = 1,
        log: LogTurn | None = None,
    ) -> None:
        self._scheduler = scheduler
        self._costs = costs
        self._poll = max(1, round(costs.poll))
        self._workers = workers
        self._log = log
        self._known: defaultdict[int, KnownEntries] = defaultdict(KnownEntries)  # by analyser
        self._fate = fate
        self._spare = spare
        self._thought = thought
        self._analysers: dict[int, Simulated] = {}
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._arrived: deque[tuple[SearchEvent, int]] = deque()  # and in how many messages
        self._has_ticked = False  # a tick waits among them
        self._count = 0
        self._now = 0.0
        self._master_free = 0.0
        self._master = 0.0
        self._messages = 0
        self._entries = 0
        self._nodes = 0
        self._answer: SearchAnswered | None = None
        self._is_over = False
        self._tick_at: float | None = None
        self._busy: list[tuple[float, int]] = [(0.0, 0)]
        for engine in engines:
            self.come(engine, 0.0)

    def come(self, engine: SimulatedEngine, time: float) -> int:
        """Have an analyser come at a time; return its number."""
        number = len(self._analysers) + 1
        self._analysers[number] = Simulated(number, engine)
        self.notify(AnalyserCame(number), time)
        return number

    def lose(self, number: int, time: float) -> None:
        """Have an analyser go at a time, with everything it has."""
        self._at(time, lambda: self._lost(self._analysers[number]))

    def notify(self, event: SearchEvent, time: float) -> None:
        """Have the master learn of something by itself at a time."""
        self._at(time, lambda: self._master_receives(event))

    def deafen(self, number: int, time: float) -> None:
        """Have an analyser hang at a time: it neither searches nor answers any more."""

        def hang() -> None:
            self._analysers[number].is_deaf = True

        self._at(time, hang)

    def run(self) -> Run:
        """Simulate until the answer; return the measurements."""
        for _ in range(EVENTS_MAX):
            if self._is_over or not self._queue:
                break
            self._now, _, action = heapq.heappop(self._queue)
            action()
        return Run(
            self._answer, self._now, self._nodes, self._master, self._messages, self._entries,
            tuple(self._busy),
        )  # fmt: skip

    def _at(self, time: float, action: Callable[[], None]) -> None:
        self._count += 1
        heapq.heappush(self._queue, (time, self._count, action))

    # The master.

    def _master_receives(self, event: SearchEvent, messages: int = 1) -> None:
        """Have the master take an event as soon as it is free, in the order of arrival."""
        self._arrived.append((event, messages))
        if len(self._arrived) == 1:
            self._at(max(self._now, self._master_free), self._master_turn)

    def _master_turn(self) -> None:
        """Take the first event and send the commands that follow."""
        event, messages = self._arrived[0]
        before = self._thought()
        if isinstance(event, TableNews):
            self._news_of(event.analyser, event.entries)
        commands = self._without_old_news(self._scheduler.handle(event, self._now))
        if self._log is not None:
            self._log(self._now, (event,), commands)
        cost = self._thought() - before + self._cost_in(event, messages) + self._cost_out(commands)
        self._master += cost
        self._master_free = self._now + cost
        for command in commands:
            self._carry_out(command)
        self._arrived.popleft()
        self._has_ticked &= not isinstance(event, SearchTick)
        if self._arrived:
            self._at(self._master_free, self._master_turn)
        self._set_tick()

    def _without_old_news(self, commands: list[SearchCommand]) -> list[SearchCommand]:
        """Leave out table entries that an analyser's table has by another of its workers."""
        found: list[SearchCommand] = []
        for command in commands:
            if isinstance(command, SendEntries):
                entries = self._news_of(command.analyser, command.entries)
                found += [replace(command, entries=entries)] if entries else []
            else:
                found.append(command)
        return found

    def _news_of(self, number: int, entries: tuple[TableEntry, ...]) -> tuple[TableEntry, ...]:
        if self._workers == 1:
            return entries  # the scheduler sends nothing twice
        return self._known[(number - 1) // self._workers].news_of(entries)

    def _cost_in(self, event: SearchEvent, messages: int) -> float:
        self._messages += messages
        count = len(event.entries) if isinstance(event, TableNews) else 0
        self._entries += count
        return messages * self._costs.message + count * self._costs.entry

    def _cost_out(self, commands: list[SearchCommand]) -> float:
        count, written = 0, set()
        for command in commands:
            if isinstance(command, SendEntries):
                count += len(command.entries)
            if isinstance(command, HandOutPart | StopSearchPart | SendEntries):
                written.add(command.analyser)
        self._messages += len(written)
        self._entries += count
        return count * self._costs.entry_out + len(written) * self._costs.message

    def _carry_out(self, command: SearchCommand) -> None:
        if isinstance(command, SearchAnswered | SearchFailed):
            self._answer = command if isinstance(command, SearchAnswered) else None
            self._is_over = True
        elif isinstance(command, DropAnalyser):
            self._lost(self._analysers[command.analyser], is_announced=False)
            if self._spare is not None:
                self.come(self._spare(), self._master_free + self._costs.latency)
        elif isinstance(command, HandOutPart | StopSearchPart | SendEntries):
            analyser = self._analysers[command.analyser]
            arrives = self._master_free + self._costs.latency
            self._at(arrives, lambda: self._analyser_hears(analyser, command))

    def _set_tick(self) -> None:
        wake_at = None if self._has_ticked else self._scheduler.wake_at
        if wake_at is None or (self._tick_at is not None and self._tick_at <= wake_at):
            return
        self._tick_at = wake_at
        self._at(max(wake_at, self._now), self._tick)

    def _tick(self) -> None:
        self._tick_at = None
        wake_at = self._scheduler.wake_at
        if wake_at is not None and wake_at <= self._now and not self._has_ticked:
            self._has_ticked = True
            self._master_receives(SearchTick(), 0)
        else:  # another event has woken it since
            self._set_tick()

    # Analysers.

    def _lost(self, analyser: Simulated, is_announced: bool = True) -> None:
        if analyser.is_gone:
            return
        analyser.is_gone = True
        self._set_running(analyser, False)
        if is_announced:
            self._master_receives(AnalyserWent(analyser.number))

    def _set_running(self, analyser: Simulated, is_running: bool) -> None:
        if analyser.is_running == is_running:
            return
        analyser.is_running = is_running
        count = self._busy[-1][1] + (1 if is_running else -1)
        if self._busy[-1][0] == self._now:
            self._busy.pop()
        self._busy.append((self._now, count))

    def _analyser_hears(self, analyser: Simulated, command: SearchCommand) -> None:
        if analyser.is_gone or analyser.is_deaf:
            return
        analyser.inbox.append(command)
        if not analyser.is_running:
            self._turn(analyser)

    def _turn(self, analyser: Simulated) -> None:
        """Obey the messages that have come, send answers, and search on until the next poll."""
        if analyser.is_gone or analyser.is_deaf:
            self._set_running(analyser, False)
            return
        while analyser.inbox:
            self._obey(analyser, analyser.inbox.popleft())
        while analyser.part is None or analyser.engine.is_done:
            if analyser.part is not None:
                self._end(analyser)
            if not analyser.waiting:
                self._set_running(analyser, False)
                return
            self._begin(analyser, analyser.waiting.popleft())
        self._set_running(analyser, True)
        if self._now >= analyser.news_at + self._costs.news:
            self._send_news(analyser, messages=1)
        nodes = analyser.engine.step(self._poll)
        analyser.nodes += nodes
        self._nodes += nodes
        self._at(self._now + nodes + analyser.owed, lambda: self._turn(analyser))
        analyser.owed = 0.0

    def _obey(self, analyser: Simulated, command: SearchCommand) -> None:
        part = analyser.part
        if isinstance(command, HandOutPart):
            analyser.waiting.append(command)
        elif isinstance(command, SendEntries):
            analyser.engine.learn(command.entries)
        elif isinstance(command, StopSearchPart):
            if part is not None and part.part == command.part:
                self._end(analyser)
            else:
                self._drop_waiting(analyser, command)

    def _begin(self, analyser: Simulated, part: HandOutPart) -> None:
        analyser.part = part
        analyser.nodes = 0
        analyser.news_depth = part.news_depth
        analyser.owed += max(analyser.answered_at - self._now, 0.0)
        analyser.owed += analyser.engine.begin(part.position, part.depth, part.alpha, part.beta)

    def _end(self, analyser: Simulated) -> None:
        """Answer the part at hand, finished or not, as its fate will have it."""
        part, engine = analyser.part, analyser.engine
        assert part is not None
        self._send_news(analyser, messages=0)  # in one write with the answer
        lower, upper = engine.proved()
        event = SearchPartEnded(
            analyser.number, part.part, part.generation, lower, upper, analyser.nodes,
            engine.best(), engine.moves(),
        )  # fmt: skip
        analyser.part = None
        analyser.answered_at = self._now + engine.answer_nodes
        mishap = self._fate(analyser.number, part.part) or Mishap()
        for _ in range(0 if mishap.is_lost else 1 + mishap.is_doubled):
            self._send(analyser, event, engine.answer_nodes + mishap.delay)

    def _drop_waiting(self, analyser: Simulated, command: StopSearchPart) -> None:
        """Answer for a part that is not begun, or that was answered already."""
        for part in list(analyser.waiting):
            if part.part == command.part:
                analyser.waiting.remove(part)
        event = SearchPartEnded(
            analyser.number, command.part, command.generation, -(1 << 29), 1 << 29
        )
        self._send(analyser, event)

    def _send_news(self, analyser: Simulated, *, messages: int) -> None:
        if analyser.news_depth is None:
            return
        analyser.news_at = self._now
        entries = analyser.engine.news(analyser.news_depth)
        if entries:
            self._send(analyser, TableNews(analyser.number, entries), messages=messages)

    def _send(
        self, analyser: Simulated, event: SearchEvent, delay: float = 0.0, messages: int = 1
    ) -> None:
        arrives = self._now + delay + self._costs.latency

        def arrive() -> None:
            if not analyser.is_gone:
                self._master_receives(event, messages)

        self._at(arrives, arrive)
