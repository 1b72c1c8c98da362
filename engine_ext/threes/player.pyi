from engine_ext.control import RunControl
from engine_ext.threes.value import NetWeights

def play_game(
    weights: NetWeights,
    seed: int,
    number: int,
    plies: int,
    control: RunControl,
    plies_max: int = ...,
    rarity: int = ...,
) -> tuple[int, int, int] | None: ...
