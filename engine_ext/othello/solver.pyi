from typing import Self

from engine_ext.control import RunControl
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.table import HashTable

TABLE_BYTES: int
STEP_END_MAX: int

class Solver:
    is_done: bool
    board: OthelloBoard
    def __new__(
        cls,
        board: OthelloBoard,
        alpha: int = -64,
        beta: int = 64,
        table: HashTable | None = None,
        control: RunControl | None = None,
        evaluation: Evaluation | None = None,
    ) -> Self: ...
    def begin(self, board: OthelloBoard, alpha: int = -64, beta: int = 64) -> None: ...
    def step(self, nodes: int) -> bool: ...
    def run(self) -> bool: ...
    @property
    def nodes(self) -> int: ...
    @property
    def window(self) -> tuple[int, int]: ...
    @property
    def score(self) -> int | None: ...
    @property
    def best_move(self) -> str | None: ...
    @property
    def move_bounds(self) -> dict[str, tuple[int, int, int]]: ...
