from typing import Self

from engine_ext.control import RunControl
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.board_search import BoardSearch
from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.table import HashTable

ALGORITHMS: tuple[str, ...]
MODES: tuple[str, ...]
TABLE_BYTES: int

def default_evaluation(size: int) -> Evaluation: ...

class DepthSearch(BoardSearch):
    algorithm: str
    mode: str
    def __new__(
        cls,
        board: OthelloBoard,
        depth: int,
        alpha: int = -6400,
        beta: int = 6400,
        *,
        first_depth: int = 1,
        table: HashTable | None = None,
        control: RunControl | None = None,
        evaluation: Evaluation | None = None,
        algorithm: str = "pvs",
        mode: str = "reproducible",
    ) -> Self: ...
    @property
    def depth(self) -> int: ...
    @property
    def depth_begun(self) -> int: ...
    @property
    def value(self) -> int | None: ...
    @property
    def best_move(self) -> str | None: ...
    @property
    def pv(self) -> list[str]: ...
