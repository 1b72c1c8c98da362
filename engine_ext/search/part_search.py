"""Searches a part of a game tree in steps; at any moment, it returns the proved bounds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Protocol

from engine_ext.search.part_text import PartAnswer, ProvedMove

BoundsByMove = dict[str, tuple[int, int, int]]
"""Of moves by their names: (lower, upper, nodes)."""


class SteppedPart(Protocol):
    """The search that a part needs: stepped.SteppedSearch, and the best move by its name."""

    def step(self, nodes: int) -> bool:
        """Search on for about so many nodes; whether the search is done."""

    @property
    def nodes(self) -> int:
        """Positions visited so far."""

    @property
    def is_done(self) -> bool:
        """Whether the search is finished."""

    @property
    def best_move(self) -> str | None:
        """The best move so far; None if none is known."""


class PartSearch(ABC):
    """The proved bounds of a part; a game's subclass begins its searches.

    Args:
        value_max: no value is larger, nor smaller than minus this.
        search: made by the subclass.
    """

    def __init__(self, value_max: int, search: SteppedPart) -> None:
        self._value_max = value_max
        self._search = search
        self._moves: tuple[str, ...] = ()  # of the position
        self._window = -value_max, value_max
        self._is_searching = False

    def _enter(self, moves: tuple[str, ...], alpha: int, beta: int) -> bool:
        """Note the question, for a position with these moves; return whether a search is needed."""
        self._moves = moves
        self._window = max(alpha, -self._value_max), min(beta, self._value_max)
        # No value is outside: of a window there nothing is to be found out.
        self._is_searching = self._window[0] < self._window[1]
        return self._is_searching

    @abstractmethod
    def _value(self) -> int | None:
        """Return the fail-soft value of the finished search; None before."""

    @abstractmethod
    def _known(self) -> BoundsByMove:
        """Return the proved bounds of the moves, in order of search; empty if there are none."""

    def _estimates(self) -> Mapping[str, int]:
        """Return estimates of moves' values, as far as the search has them."""
        return {}

    def step(self, nodes: int) -> int:
        """Search on for about so many nodes; return how many there were."""
        if not self._is_searching:
            return 0
        before = self._search.nodes
        self._search.step(nodes)
        return self._search.nodes - before

    @property
    def is_done(self) -> bool:
        """Whether the search is finished."""
        return not self._is_searching or self._search.is_done

    def proved(self) -> tuple[int, int]:
        """Return (lower, upper) of the position's value, whether it is finished or not."""
        if not self._is_searching:
            return -self._value_max, self._value_max
        return self._proved(self._known())

    def _proved(self, known: BoundsByMove) -> tuple[int, int]:
        lower = max((each[0] for each in known.values()), default=-self._value_max)
        upper = max((each[1] for each in known.values()), default=self._value_max)
        value = self._value()
        if value is not None:
            alpha, beta = self._window
            lower = max(lower, value) if value > alpha else lower
            upper = min(upper, value) if value < beta else upper
        return lower, upper

    def best(self) -> int | None:
        """Return the best move found so far, by its place."""
        if not self._is_searching or self._search.best_move is None:
            return None
        return self._moves.index(self._search.best_move)

    def moves(self) -> tuple[ProvedMove, ...]:
        """Return the moves with proved bounds, and estimates of the moves left to search."""
        return self._moves_known(self._known()) if self._is_searching else ()

    def _moves_known(self, known: BoundsByMove) -> tuple[ProvedMove, ...]:
        nothing = -self._value_max, self._value_max, 0
        estimates = {} if self.is_done else self._estimates()
        proved = []
        for place, move in enumerate(self._moves):
            lower, upper, _ = known.get(move, nothing)
            estimate = estimates.get(move) if lower < upper else None
            if estimate is not None or (lower, upper) != nothing[:2]:
                proved.append(ProvedMove(place, lower, upper, estimate))
        return tuple(proved)

    def answer(self) -> PartAnswer:
        """Return the proved bounds as an answer."""
        if not self._is_searching:
            return PartAnswer(-self._value_max, self._value_max, 0)
        known = self._known()
        nodes, moves = self._search.nodes, self._moves_known(known)
        return PartAnswer(*self._proved(known), nodes, self.best(), moves)
