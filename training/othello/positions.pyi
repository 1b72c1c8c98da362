from engine_ext.control import RunControl
from engine_ext.othello.evaluation import Evaluation

def play_games(
    evaluation: Evaluation,
    seed: int,
    first: int,
    boards: object,
    *,
    random_plies_max: int,
    random_one_in: int,
    noise: int,
) -> None: ...
def label_exactly(boards: object, values: object, control: RunControl | None = None) -> int: ...
def label_by_search(
    evaluation: Evaluation,
    boards: object,
    depth: int,
    values: object,
    control: RunControl | None = None,
) -> int: ...
