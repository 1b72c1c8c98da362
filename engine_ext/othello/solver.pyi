from typing import Self

from engine_ext.control import RunControl
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.board_search import BoardSearch
from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.table import HashTable

TABLE_BYTES: int

class Solver(BoardSearch):
    def __new__(
        cls,
        board: OthelloBoard,
        alpha: int = -64,
        beta: int = 64,
        table: HashTable | None = None,
        control: RunControl | None = None,
        evaluation: Evaluation | None = None,
        *,
        judge_table: HashTable | None = None,
    ) -> Self: ...
    def begin(self, board: OthelloBoard, alpha: int = -64, beta: int = 64) -> None: ...
    @property
    def window(self) -> tuple[int, int]: ...
    @property
    def move_estimates(self) -> dict[str, int]: ...
    @property
    def examined(self) -> int: ...
    @property
    def score(self) -> int | None: ...
    @property
    def best_move(self) -> str | None: ...
