from typing import Self

from engine_ext.backgammon.board import Position
from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.move_filters import MOVE_FILTERS as MOVE_FILTERS
from engine_ext.control import RunControl

_Probs = tuple[float, float, float, float, float]

class Searcher:
    def __new__(cls, *, is_cached: bool = True) -> Self: ...
    @property
    def evaluations(self) -> int: ...
    def evaluate(
        self,
        position: Position,
        cube: Cube,
        ply: int,
        control: RunControl,
        *,
        is_cubeful: bool = True,
    ) -> tuple[_Probs, float, float] | None: ...
    def answer_cube(
        self, position: Position, cube: Cube, ply: int, control: RunControl
    ) -> tuple[bool, float, float, float] | None: ...
    def rank_moves(
        self,
        position: Position,
        dice: tuple[int, int],
        cube: Cube,
        ply: int,
        control: RunControl,
        *,
        is_cubeful: bool = True,
        move_filter: str = "normal",
    ) -> list[tuple[int, int, float, _Probs, float]] | None: ...
