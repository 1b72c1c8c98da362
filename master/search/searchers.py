"""The analysers of one search and their attempts at parts of the tree.

Hundreds of analysers answer hundreds of thousands of times. `Searchers` keeps the idle ones, the
number of parts that can be handed out and the oldest attempts up to date as attempts come and go:
to ask all analysers for them at each event took most of the master's time.
"""

from dataclasses import dataclass, field
from enum import Enum, auto

from master.search.tree import SearchTree


class PartState(Enum):
    """Where a part is."""

    QUEUED = auto()  # not searched; nodes that never were handed out have no part yet
    RUNNING = auto()  # handed out, or under way to the analyser
    STOPPING = auto()  # asked to stop: its answer is not waited for
    DONE = auto()  # answered, or its analyser is gone and it is not needed any more


TRANSITIONS = {
    (PartState.QUEUED, PartState.RUNNING),
    (PartState.RUNNING, PartState.QUEUED),  # its analyser is gone
    (PartState.RUNNING, PartState.STOPPING),  # resolved, or a hot spot that does not answer
    (PartState.RUNNING, PartState.DONE),
    (PartState.STOPPING, PartState.DONE),
}


@dataclass(slots=True, eq=False)
class TreePart:
    """A node of the master's tree, handed out.

    Args:
        number: never used again.
        tree: which tree the node is in: a deeper iteration has another.
        node: in that tree.
        generation: of the last attempt; raised by stopping it.
    """

    number: int
    tree: SearchTree
    node: int
    generation: int = 0
    state: PartState = PartState.QUEUED

    def enter(self, state: PartState) -> None:
        """Go to another state; a transition that is not in the table is our mistake."""
        assert (self.state, state) in TRANSITIONS, f"part {self.number}: {self.state} to {state}"
        self.state = state


@dataclass(slots=True, eq=False)
class SearchAttempt:
    """One attempt at a part; only Searchers changes all of it but `patience`.

    Args:
        generation: of this attempt.
        since: when it was begun, as far as the master can tell, or was asked to stop.
        is_current: it is the part's newest, and not stopping.
        patience: how many times the age of a hot spot it may reach, as a power of two.
        is_asked: it is current, and was asked for moves, by a stop.
    """

    part: TreePart
    generation: int
    since: float
    is_current: bool = True
    patience: int = 0
    is_asked: bool = False


@dataclass(slots=True, eq=False)
class SearchWorker:
    """One session; only Searchers changes all of it but `cursor`.

    Args:
        number: the session.
        place: in the order of coming.
        attempts: by (part, generation), in the order of handing out; those that stop among them.
        current_count: attempts that are current.
        cursor: place in the replication's log up to which it has got entries.
    """

    number: int
    place: int = 0
    attempts: dict[tuple[int, int], SearchAttempt] = field(default_factory=dict)
    current_count: int = 0
    cursor: int = 0


@dataclass(slots=True, eq=False)
class Searchers:
    """All analysers, by number, in the order of their coming.

    Args:
        analysers: all.
        idle: those that have nothing to search, in no order.
        searched: the attempt that each of the others searches, the oldest first.
        stopping: attempts asked to stop and not answered, the oldest first, and their analysers.
        current_count: attempts that are current: searched, or waiting behind such a one.
        asked: attempts asked for moves, the first asked first: their analysers, and the times of
            asking.
    """

    analysers: dict[int, SearchWorker] = field(default_factory=dict)
    idle: dict[int, SearchWorker] = field(default_factory=dict)
    searched: dict[SearchWorker, SearchAttempt] = field(default_factory=dict)
    stopping: dict[SearchAttempt, SearchWorker] = field(default_factory=dict)
    current_count: int = 0
    asked: dict[SearchAttempt, tuple[SearchWorker, float]] = field(default_factory=dict)
    _come_count: int = 0

    # Changing it.

    def come(self, number: int) -> None:
        """Add an analyser."""
        if number not in self.analysers:
            analyser = SearchWorker(number, self._come_count)
            self._come_count += 1
            self.analysers[number] = self.idle[number] = analyser

    def go(self, number: int) -> list[SearchAttempt]:
        """Forget an analyser; return its attempts, unchanged."""
        analyser = self.analysers.pop(number, None)
        if analyser is None:
            return []
        attempts = list(analyser.attempts.values())
        for attempt in attempts:
            self._remove(analyser, attempt)
        self.idle.pop(number, None)
        return attempts

    def begin(self, analyser: SearchWorker, attempt: SearchAttempt, now: float) -> None:
        """Have an analyser search a part, when it has ended those before it."""
        analyser.attempts[attempt.part.number, attempt.generation] = attempt
        self._add(analyser, attempt)
        self._search_next(analyser, now)

    def stop(self, analyser: SearchWorker, attempt: SearchAttempt, now: float) -> None:
        """Take an attempt for stopping; the next one begins."""
        self._remove(analyser, attempt)
        attempt.is_current = attempt.is_asked = False
        attempt.since = now
        self._add(analyser, attempt)
        self._search_next(analyser, now)

    def end(self, number: int, key: tuple[int, int], now: float) -> SearchAttempt | None:
        """Forget an attempt that was answered, and return it; the next one begins."""
        analyser = self.analysers.get(number)
        attempt = None if analyser is None else analyser.attempts.pop(key, None)
        if analyser is not None and attempt is not None:
            self._remove(analyser, attempt)
            self._search_next(analyser, now)
        return attempt

    def ask(self, analyser: SearchWorker, attempt: SearchAttempt, now: float) -> None:
        """Note that a current attempt was asked for moves."""
        assert attempt.is_current
        assert not attempt.is_asked
        attempt.is_asked = True
        self.asked[attempt] = analyser, now

    def _add(self, analyser: SearchWorker, attempt: SearchAttempt) -> None:
        """Count an attempt that is new, or has changed."""
        if attempt.is_current:
            analyser.current_count += 1
            self.current_count += 1
            self.idle.pop(analyser.number, None)
        else:
            self.stopping[attempt] = analyser

    def _remove(self, analyser: SearchWorker, attempt: SearchAttempt) -> None:
        """Undo `_add` before an attempt changes, or when it goes."""
        if attempt.is_current:
            analyser.current_count -= 1
            self.current_count -= 1
            self.asked.pop(attempt, None)
        else:
            del self.stopping[attempt]
        if self.searched.get(analyser) is attempt:
            del self.searched[analyser]

    def _search_next(self, analyser: SearchWorker, now: float) -> None:
        """Take the oldest part for begun, if none is searched."""
        if analyser in self.searched:
            return
        for attempt in analyser.attempts.values():
            if attempt.is_current:
                attempt.since = now
                self.searched[analyser] = attempt
                return
        self.idle[analyser.number] = analyser

    # Reading it.

    def __len__(self) -> int:
        return len(self.analysers)

    def current(self) -> list[tuple[SearchWorker, SearchAttempt]]:
        """Return current attempts, by analyser."""
        return [
            (analyser, attempt)
            for analyser in self.analysers.values()
            for attempt in analyser.attempts.values()
            if attempt.is_current
        ]

    def waiting(self) -> list[tuple[SearchWorker, SearchAttempt]]:
        """Return attempts that wait behind other parts, by analyser."""
        if self.current_count == len(self.searched):
            return []
        return [each for each in self.current() if self.searched[each[0]] is not each[1]]

    def with_room(self, held_max: int) -> list[SearchWorker]:
        """Return those that hold at most so many current attempts, the idle first, by number."""
        found = [self.idle[number] for number in sorted(self.idle)]
        if held_max > 0:
            numbers = sorted(
                each.number for each in self.searched if each.current_count <= held_max
            )
            found += [self.analysers[number] for number in numbers]
        return found

    def slot_count(self, window: int) -> int:
        """Return how many parts can be handed out; one that stops makes room at once."""
        return window * len(self.analysers) - self.current_count
