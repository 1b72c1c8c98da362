"""Searches a part of a chess game tree; at any moment, it returns the proved bounds."""

from __future__ import annotations

from collections.abc import Mapping

from engine_ext.chess.exact.position import GameBefore, Position
from engine_ext.chess.exact.search import LARGEST_VALUE, ExactSearch
from engine_ext.control import RunControl
from engine_ext.search.part_search import BoundsByMove, PartSearch
from engine_ext.search.table import KeyedTable

PROBES_FROM = 256
"""A search stopped after this many nodes looks at the moves without a value: the part will be
split, or was worth some work.  The looks take as long as 30 to 80 nodes.  Otherwise the master
would have to look, and it serves hundreds of analysers."""

PROBE_BIAS = 100
"""Centipawns by which looks are too low for the side to move.  Of positions whose look was
exactly at the limit of too little, 97 in 100 had a sufficient value.
"""


class PartDeepener(PartSearch):
    """Searches one part to a depth, iteration after iteration; values are centipawns.

    Bounds of earlier iterations are of another depth: they order moves, and are not in the answer.

    Args:
        position: the position to search.
        depth: of the last iteration.
        window: (alpha, beta).
        before: the game's positions.
        table: may be shared with other threads.
        control: counts nodes as steps; a stopped search stays where it is.

    Attributes:
        examined: the number of moves looked at, over all estimates returned.
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
        self.examined = 0
        self._enter(tuple(map(str, range(self._deepening.move_count))), *window)

    def _value(self) -> int | None:
        return self._deepening.value

    def _known(self) -> BoundsByMove:
        return self._deepening.move_bounds

    def _estimates(self) -> Mapping[str, int]:
        """Return estimates of moves: from the table, or from a short search of captures."""
        known = self._deepening.move_estimates
        if self._deepening.nodes < PROBES_FROM:
            return known
        unknown = [place for place, move in enumerate(self._moves) if move not in known]
        self.examined += len(unknown)
        probes = zip(unknown, self._deepening.probe(unknown), strict=True)
        return known | {
            self._moves[place]: -min(probe + PROBE_BIAS, LARGEST_VALUE) for place, probe in probes
        }
