from engine_ext.backgammon.board import Position
from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.move_filters import MOVE_FILTERS as MOVE_FILTERS
from engine_ext.backgammon.searcher import Searcher
from engine_ext.control import RunControl

ROLLS: tuple[tuple[int, int], ...]

def roll_values(
    searcher: Searcher, position: Position, cube: Cube, ply: int, control: RunControl
) -> list[float] | None: ...
