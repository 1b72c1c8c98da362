from collections.abc import Sequence

from engine_ext.control import RunControl
from engine_ext.threes.value import NetWeights

class Adviser:
    def __init__(self, weights: NetWeights, control: RunControl | None = None) -> None: ...
    @property
    def nodes(self) -> int: ...
    def values(
        self, cells: int, bag: Sequence[int], next_ranks: Sequence[int], plies: int
    ) -> dict[str, float]: ...
