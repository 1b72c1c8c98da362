from engine_ext.backgammon.board import Position
from engine_ext.backgammon.cube import Cube

BYTES_KEPT_MAX: int

def kept_bytes() -> int: ...
def match_equities(position: Position, cube: Cube) -> tuple[float, float]: ...
