from collections.abc import Sequence

from engine_ext.threes.value import NetWeights

_Part = tuple[int, tuple[int, int, int], int, int]

class Division:
    def __init__(
        self,
        weights: NetWeights,
        cells: int,
        bag: Sequence[int],
        next_ranks: Sequence[int],
        plies: int,
        plies_below: int,
        rarity: int = ...,
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def is_whole(self) -> bool: ...
    @property
    def parts(self) -> list[_Part]: ...
    def values(self, part_values: Sequence[float]) -> dict[str, float]: ...
