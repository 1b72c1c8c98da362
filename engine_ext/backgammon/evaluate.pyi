from collections.abc import Sequence
from typing import Literal, Self

from engine_ext.backgammon.bearoff import Bearoff
from engine_ext.backgammon.board import Position
from engine_ext.backgammon.net import Net

class Evaluator:
    contact: Net
    race: Net
    bearoff: Bearoff
    digest: str
    def __new__(cls, contact: Net, race: Net, bearoff: Bearoff) -> Self: ...
    def evaluate(self, position: Position) -> tuple[float, float, float, float, float]: ...
    def evaluate_many(
        self, positions: Sequence[Position]
    ) -> list[tuple[float, float, float, float, float]]: ...

def shared_evaluator() -> Evaluator: ...
def evaluate_static(position: Position) -> tuple[float, float, float, float, float]: ...
def position_class(
    position: Position,
) -> Literal["over", "bearoff-two-sided", "bearoff-one-sided", "race", "contact"]: ...
