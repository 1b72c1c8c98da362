"""A scheduler driven by hand: a game written down, and what was commanded of each kind."""

from collections.abc import Sequence
from typing import TypeVar

from engine_ext.search.bounds_tree import VALUE_LIMIT
from master.search import Costs, SearchScheduler, SearchSpec, Strategy
from master.search.events import (
    AnalyserCame,
    HandOutPart,
    SearchCommand,
    SearchEvent,
    SearchPartEnded,
)
from master.search.rules import Child
from master.search.state import SearchState
from master.search.strategies import Driver

C = TypeVar("C", bound=SearchCommand)

COSTS = Costs(latency=1, message=1, entry=1, poll=1)
HOT_AGE = COSTS.hot_age(1)


class WrittenGame:
    """Each position has `width` moves down to depth 0; a position is the moves that led to it."""

    spread = 1.0
    beyond = 0

    def __init__(self, width: int = 3) -> None:
        self.width = width
        self.asked: list[bytes] = []  # what estimates were asked of

    def children(self, position: bytes, depth: int) -> Sequence[Child]:
        if depth == 0:
            return ()
        moves = [b"abcdefgh"[i : i + 1] for i in range(self.width)]
        return [Child(position + move, depth - 1) for move in moves]

    def estimates(self, children: Sequence[Child]) -> Sequence[int | None]:
        self.asked += [child.position for child in children]
        return [None] * len(children)

    def hint_key(self, position: bytes) -> bytes:
        return position

    def entry_key(self, child: Child) -> bytes:
        return child.position + bytes([child.depth])

    def entry_bounds(self, content: bytes) -> tuple[int, int]:
        return content[0], content[1]


class SortedGame(WrittenGame):
    """The same game if the order of moves does not matter."""

    def children(self, position: bytes, depth: int) -> Sequence[Child]:
        found = super().children(position, depth)
        return [Child(bytes(sorted(child.position)), child.depth) for child in found]


class Hand:
    """Feeds events in, and keeps the commands of the last one."""

    def __init__(
        self, depth: int = 6, width: int = 3, game: WrittenGame | None = None, **options: object
    ) -> None:
        options = {"driver": Driver.FULL, "depth_min": 2} | options
        strategy = Strategy("test", **options)  # type: ignore[arg-type]
        self.game = game if game is not None else WrittenGame(width)
        self.scheduler = SearchScheduler(SearchSpec(b"", (depth,)), self.game, strategy, COSTS)
        self.now = 0.0
        self.commands: list[SearchCommand] = []
        self.handed: dict[bytes, HandOutPart] = {}

    @property
    def state(self) -> SearchState:
        return self.scheduler._state

    def send(self, event: SearchEvent, after: float = 0.0) -> list[SearchCommand]:
        self.now += after
        self.commands = self.scheduler.handle(event, self.now)
        self.handed |= {each.position: each for each in self.of(HandOutPart)}
        return self.commands

    def come(self, *analysers: int) -> None:
        for analyser in analysers:
            self.send(AnalyserCame(analyser))

    def of(self, kind: type[C]) -> list[C]:
        return [each for each in self.commands if isinstance(each, kind)]

    def end(
        self, position: bytes, lower: int = -VALUE_LIMIT, upper: int = VALUE_LIMIT, **more: object
    ) -> list[SearchCommand]:
        part = self.handed[position]
        return self.send(
            SearchPartEnded(
                part.analyser, part.part, part.generation, lower, upper,
                **more  # type: ignore[arg-type]
            )
        )  # fmt: skip

    def placed(self) -> dict[bytes, int]:
        """Return who was handed what by the last event."""
        return {each.position: each.analyser for each in self.of(HandOutPart)}
