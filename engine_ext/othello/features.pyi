from engine_ext.othello.evaluation import Evaluation

STONE_WEIGHT: int
MOBILITY_WEIGHT: int
POTENTIAL_WEIGHT: int
SQUARE_WEIGHTS: dict[str, int]

def square_classes(size: int) -> dict[str, int]: ...

class FourTermEvaluation(Evaluation):
    def __init__(self, size: int = 8) -> None: ...
