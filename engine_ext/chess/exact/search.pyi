from collections.abc import Iterable
from typing import Self

from engine_ext.chess.exact.position import GameBefore, Position
from engine_ext.control import RunControl
from engine_ext.search.stepped import SteppedSearch
from engine_ext.search.table import KeyedTable

MATE_VALUE: int
LARGEST_VALUE: int
DEEPEST: int
SPLIT_DEPTH: int
TABLE_BYTES: int

class ExactSearch(SteppedSearch):
    def __new__(
        cls,
        position: Position,
        depth: int,
        alpha: int = ...,
        beta: int = ...,
        *,
        first_depth: int = 0,
        before: GameBefore | None = None,
        table: KeyedTable | None = None,
        control: RunControl | None = None,
    ) -> Self: ...
    @property
    def depth_done(self) -> int: ...
    @property
    def value(self) -> int | None: ...
    @property
    def best_move(self) -> str | None: ...
    @property
    def move_estimates(self) -> dict[str, int]: ...
    def probe(self, places: Iterable[int]) -> list[int]: ...
    @property
    def move_count(self) -> int: ...
