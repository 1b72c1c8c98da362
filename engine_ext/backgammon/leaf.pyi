from engine_ext.backgammon.board import Position
from engine_ext.backgammon.cube import Cube

def static_equities(position: Position, cube: Cube) -> tuple[float, float]: ...
