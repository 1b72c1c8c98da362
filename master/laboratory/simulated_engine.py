"""The laboratory's interface of an engine, and the mishaps that may befall its answers."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from master.search.events import MoveBounds, TableEntry


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
