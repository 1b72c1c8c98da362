"""A running search between sessions that are played in memory, with everything that may happen."""

import random
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from engine_ext.search.bounds_tree import VALUE_LIMIT
from master.contract.events import AnswerArrived, Outcome, PartEnded
from master.contract.reading import Work
from master.search import Costs, SearchScheduler, SearchSpec, Strategy
from master.search.events import HandOutPart, MoveBounds, TableEntry
from master.search.known import NOTHING_KNOWN, KnownBounds
from master.search.running.checked import CheckedRun
from master.search.running.run import (
    Action,
    DropSession,
    ProveHere,
    SearchRun,
    Send,
    SessionRefused,
)
from master.search.running.wording import Proved, WordingError
from protocol.messages import Entries, Search, Stop
from tests.master.search.synthetic import MadeUpGame, SyntheticEngine

TURNS_MAX = 100_000  # no search of these has so many


class MadeUpWording:
    """Texts of made-up games."""

    game = "made-up"
    engine = "feedfacefeedface"

    def __init__(self, rules: MadeUpGame) -> None:
        self.rules = rules

    def question(self, part: HandOutPart) -> str:
        return f"made-up/1 {part.position.hex()} {part.depth} {part.alpha} {part.beta}"

    def read_answer(self, text: str) -> Proved:
        try:
            lower, upper, nodes, best, *moves = map(int, text.split())
        except ValueError as error:
            raise WordingError(str(error)) from None
        triples = zip(moves[::3], moves[1::3], moves[2::3], strict=True)
        bounds = tuple(MoveBounds(*each) for each in triples)
        return Proved(lower, upper, nodes, None if best < 0 else best, bounds)

    def entries_texts(self, entries: Iterable[TableEntry]) -> list[str]:
        return [f"{key.hex()} {depth} {content.decode()}" for key, depth, content in entries]

    def read_entries(self, text: str) -> tuple[TableEntry, ...]:
        words = text.split()
        if len(words) != 3:
            raise WordingError(f"expected three words, not {text!r}")
        return ((bytes.fromhex(words[0]), int(words[1]), words[2].encode()),)


@dataclass
class _Task:
    request: Search
    engine: SyntheticEngine
    nodes: int = 0
    is_stopped: bool = False

    def answered(self, lie: Callable[[list[int]], list[int]] | None) -> list[Work]:
        """The answer and the final reply of what is proved."""
        part, attempt = self.request.part, self.request.attempt
        best = self.engine.best()
        numbers = [*self.engine.proved(), self.nodes, -1 if best is None else best]
        for each in self.engine.moves():
            numbers += [each.index, each.lower, each.upper]
        outcome = Outcome.STOPPED if self.is_stopped else Outcome.DONE
        text = " ".join(map(str, numbers if lie is None else lie(numbers)))
        return [AnswerArrived(0, part, attempt, text), PartEnded(0, part, attempt, outcome, 1)]


@dataclass
class FakeSession:
    """An analyser: its workers' engines share a table."""

    number: int
    game: MadeUpGame
    workers: int = 1
    table: dict[tuple[bytes, int], tuple[int, int]] = field(default_factory=dict)
    waiting: deque[Search] = field(default_factory=deque)
    tasks: list[_Task] = field(default_factory=list)
    kept: list[Work | Entries] = field(default_factory=list)
    entries_heard: int = 0
    is_away: bool = False
    party: str = ""
    lie: Callable[[list[int]], list[int]] | None = None  # of the numbers of an answer

    def hear(self, message: object) -> None:
        if isinstance(message, Search):
            self.waiting.append(message)
        elif isinstance(message, Stop):
            self._stop(message)
        elif isinstance(message, Entries):
            self.entries_heard += 1
            wording = MadeUpWording(self.game)
            SyntheticEngine(self.game, self.table).learn(wording.read_entries(message.text))
        else:
            raise AssertionError(message)

    def _stop(self, stop: Stop) -> None:
        for task in self.tasks:
            task.is_stopped |= (task.request.part, task.request.attempt) == (
                stop.part,
                stop.attempt,
            )
        for request in list(self.waiting):
            if (request.part, request.attempt) == (stop.part, stop.attempt):
                self.waiting.remove(request)
                self.kept.append(PartEnded(0, stop.part, stop.attempt, Outcome.STOPPED))

    def work(self, nodes: int) -> None:
        """Search on for so many nodes; what is to be told is kept."""
        while self.waiting and len(self.tasks) < self.workers:
            self._begin(self.waiting.popleft())
        for task in list(self.tasks):
            if not task.is_stopped:
                task.nodes += task.engine.step(nodes)
            if task.request.news >= 0:
                news = task.engine.news(task.request.news)
                texts = MadeUpWording(self.game).entries_texts(news)
                self.kept += [Entries(game="made-up", text=text) for text in texts]
            if task.is_stopped or task.engine.is_done:
                self.tasks.remove(task)
                self.kept += task.answered(self.lie)

    def _begin(self, request: Search) -> None:
        engine = SyntheticEngine(self.game, self.table)
        position, depth, alpha, beta = request.context.split()[1:]
        engine.begin(bytes.fromhex(position), int(depth), int(alpha), int(beta))
        self.tasks.append(_Task(request, engine))


class Fleet:
    """One search and its sessions, in virtual time."""

    def __init__(
        self,
        seed: int,
        depth: int = 6,
        strategy: Strategy | None = None,
        costs: Costs = Costs(latency=1, message=0.1, entry=0.01, poll=1),  # noqa: B008  # frozen
        is_checked: bool = False,
        known: KnownBounds = NOTHING_KNOWN,
    ) -> None:
        self.rng = random.Random(seed)
        self.depth = depth
        self.game = MadeUpGame(seed)
        self.now = 100.0
        self.costs = costs
        spec = SearchSpec(self.game.root(), (depth,))
        strategy = strategy or Strategy("test", depth_min=2, news_depth=2)
        self.scheduler = SearchScheduler(spec, self.game, strategy, self.costs, known)
        wording = MadeUpWording(self.game)
        kind = CheckedRun if is_checked else SearchRun
        self.run = kind(7, self.scheduler, wording, (self.game.root(), depth), self.now)
        self.to_prove: list[ProveHere] = []
        self.sessions: dict[int, FakeSession] = {}
        self.are_probes_taken = True
        self.refused: list[str] = []
        self.dropped: list[int] = []

    def come(self, workers: int = 1, party: str = "") -> FakeSession:
        session = FakeSession(len(self.sessions) + 1, self.game, workers, party=party)
        self.sessions[session.number] = session
        self._ready(session)
        return session

    def lose(self, session: FakeSession) -> None:
        """Cut a session's connection; it works on, and keeps its results."""
        session.is_away = True
        self.do(self.run.went(session.number, self.now))

    def come_back(self, session: FakeSession) -> None:
        """Have a lost session come again."""
        session.is_away = False
        self._ready(session)

    def _ready(self, session: FakeSession) -> None:
        name = f"seat-{session.number}"
        self.do(self.run.came(session.number, name, session.workers, self.now, session.party))

    def do(self, actions: list[Action]) -> None:
        for action in actions:
            if isinstance(action, Send):
                if not self.sessions[action.session].is_away:
                    self.sessions[action.session].hear(action.message)
            elif isinstance(action, DropSession):
                self.dropped.append(action.session)
                self.lose(self.sessions[action.session])
            elif isinstance(action, ProveHere):
                self.to_prove.append(action)
            else:
                assert isinstance(action, SessionRefused)
                self.refused.append(action.text)

    def send(self, session: FakeSession) -> None:
        """Have a session say what it keeps."""
        kept, session.kept = session.kept, []
        for one in kept:
            if isinstance(one, Entries):
                self.do(self.run.entries(session.number, one, self.now))
            else:
                self.do(self.run.receive(session.number, one, self.now))

    def turn(self) -> None:
        """Let some time pass: everybody works, and says what there is to be said."""
        self.now += 1
        for session in list(self.sessions.values()):
            session.work(self.rng.randint(1, 8))
            if not session.is_away:
                self.send(session)
        for action in self._taken_to_prove():
            self.do(self._proved_here(action))
        if self.run.wake_at is not None and self.run.wake_at <= self.now:
            self.do(self.run.tick(self.now))
        if self.are_probes_taken:
            self.do(self.run.check(self.now))

    def _taken_to_prove(self) -> list[ProveHere]:
        taken, self.to_prove = self.to_prove, []
        return taken

    def _proved_here(self, action: ProveHere) -> list[Action]:
        """Search a claim as this process would."""
        assert isinstance(self.run, CheckedRun)
        engine = SyntheticEngine(self.game, {})
        position, depth, alpha, beta = action.question.split()[1:]
        engine.begin(bytes.fromhex(position), int(depth), int(alpha), int(beta))
        while not engine.is_done:
            engine.step(1000)
        return self.run.answer_here(action.claim, bounds_text(*engine.proved()))

    def finish(self) -> None:
        """Search until it is over."""
        for _ in range(TURNS_MAX):
            if self.run.is_over:
                return
            self.turn()
        raise AssertionError(f"no answer after {TURNS_MAX} turns")

    @property
    def found(self) -> tuple[int, int | None]:
        answer = self.run.answer
        assert answer is not None, self.run.error
        return answer.value, answer.move


def bounds_text(lower: int = -VALUE_LIMIT, upper: int = VALUE_LIMIT) -> str:
    """An answer that proves a position's bounds and nothing of its moves."""
    return f"{lower} {upper} 1 -1"
