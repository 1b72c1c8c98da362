from collections.abc import Sequence

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fast.table import FastTable
from engine_ext.control import RunControl

MATE_VALUE: int
DEPTH_MAX: int

class FastSearch:
    table: FastTable
    def __init__(
        self,
        board: ChessBoard,
        before: Sequence[ChessBoard] = (),
        table: FastTable | None = None,
        control: RunControl | None = None,
        moves: Sequence[str] = (),
        line_count: int = 1,
        nodes_max: int = 0,
        is_chess960: bool = False,
    ) -> None: ...
    def deepen(self) -> bool: ...
    @property
    def depth(self) -> int: ...
    @property
    def selective_depth(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def lines(self) -> list[tuple[int, tuple[str, ...]]]: ...
    @property
    def current_move(self) -> tuple[str, int] | None: ...
