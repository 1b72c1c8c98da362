from typing import Self

from engine_ext.backgammon.board import Position
from engine_ext.backgammon.cube import Cube

BYTES_KEPT_MAX: int

class MatchBearoff:
    byte_count: int
    def __new__(cls, terms: tuple[tuple[bool, float, float], ...]) -> Self: ...

def kept_bytes() -> int: ...
def match_equities(position: Position, cube: Cube) -> tuple[float, float]: ...
