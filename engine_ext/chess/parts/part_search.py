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

LOOKS_FROM = 256
"""Who is stopped after so many nodes looks at the moves that it knows nothing of: the part is to be
split, or was worth something.  It takes as long as 30 to 80 nodes, and the master, which would have
to look otherwise, has hundreds to listen to."""

LOOK_BIAS = 100
"""Centipawns that looks are too low for the side to move: most moves do not keep what they seem to.
Of positions that looked worth exactly what would have been too little 97 in 100 were worth enough.
"""


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

    Attributes:
        looked: at so many moves, for all that was told.
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
        self.looked = 0
        self._enter(tuple(map(str, range(self._deepening.move_count))), *window)

    def _value(self) -> int | None:
        return self._deepening.value

    def _known(self) -> BoundsByMove:
        return self._deepening.move_bounds

    def _estimates(self) -> Mapping[str, int]:
        """Return what the table knows of moves, and what a few captures make of the others."""
        known = self._deepening.move_estimates
        if self._deepening.nodes < LOOKS_FROM:
            return known
        unknown = [place for place, move in enumerate(self._moves) if move not in known]
        self.looked += len(unknown)
        looks = zip(unknown, self._deepening.look(unknown), strict=True)
        return known | {
            self._moves[place]: -min(look + LOOK_BIAS, LARGEST_VALUE) for place, look in looks
        }
