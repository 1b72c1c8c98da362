from collections.abc import Sequence
from typing import Self, final

from engine_ext.backgammon.board import Position
from engine_ext.backgammon.evaluate import Evaluator

@final
class Successors:
    count: int
    def __new__(
        cls,
        evaluator: Evaluator,
        positions: Sequence[Position],
        rolls: Sequence[tuple[int, int]],
    ) -> Self: ...
    def run_kernel(self) -> int: ...
    def run_with_moves(self) -> int: ...
    def boards(self) -> bytes: ...
    def probs(self) -> bytes: ...
