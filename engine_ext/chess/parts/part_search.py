"""Searching a part of a chess game tree: what is proved of it at any moment.

Knows the search and its table.  Must not know who asks, nor how a part travels.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine_ext.chess.exact.position import GameBefore, Position
from engine_ext.chess.exact.search import LARGEST_VALUE, ExactSearch
from engine_ext.control import RunControl
from engine_ext.search.part_search import BoundsByMove, PartSearch
from engine_ext.search.table import KeyedTable


class PartDeepener(PartSearch):
    """Searches one part to a depth, iteration after iteration; values are centipawns.

    What earlier iterations prove is of another depth: it orders moves, and is never told.

    Args:
        position: what is searched.
        depth: how deep.
        window: (alpha, beta).
        before: the game's positions.
        table: may be shared with other threads.
        control: counts nodes as steps; a stopped search stays where it is.
    """

    def __init__(
        self,
        position: Position,
        depth: int,
        window: tuple[int, int],
        before: GameBefore,
        table: KeyedTable,
        control: RunControl | None = None,
    ) -> None:
        alpha, beta = max(window[0], -LARGEST_VALUE), min(window[1], LARGEST_VALUE)
        if alpha >= beta:
            alpha, beta = -LARGEST_VALUE, LARGEST_VALUE  # never searched
        self._deepening = ExactSearch(
            position, depth, alpha, beta, before=before, table=table, control=control
        )
        super().__init__(LARGEST_VALUE, self._deepening)
        self._enter(tuple(map(str, range(self._deepening.move_count))), *window)

    def _value(self) -> int | None:
        return self._deepening.value

    def _known(self) -> BoundsByMove:
        return self._deepening.move_bounds

    def _estimates(self) -> Mapping[str, int]:
        return self._deepening.move_estimates
