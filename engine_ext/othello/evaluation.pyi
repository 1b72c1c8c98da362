from engine_ext.othello.board import OthelloBoard

class Evaluation:
    def value(self, board: OthelloBoard) -> int: ...

class MobilityEvaluation(Evaluation):
    def __init__(self, size: int = 8) -> None: ...
