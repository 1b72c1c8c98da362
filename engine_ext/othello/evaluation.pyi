from typing import Self

from engine_ext.othello.board import OthelloBoard

class Evaluation:
    def value(self, board: OthelloBoard) -> int: ...
    def lookahead(self, board: OthelloBoard, plies: int) -> tuple[int, int]: ...

class MobilityEvaluation(Evaluation):
    def __new__(cls, size: int = 8) -> Self: ...
