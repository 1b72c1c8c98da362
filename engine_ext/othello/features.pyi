from typing import Self

from engine_ext.othello.evaluation import Evaluation

STONE_WEIGHT: int
MOBILITY_WEIGHT: int
POTENTIAL_WEIGHT: int
SQUARE_WEIGHTS: dict[str, int]

def square_classes(size: int) -> dict[str, int]: ...

class FourTermEvaluation(Evaluation):
    def __new__(cls, size: int = 8) -> Self: ...
