from typing import Any

from engine_ext.backgammon.evaluate import Evaluator

def self_play(
    evaluator: Evaluator | None,
    starts: Any,
    seed: int,
    first_game: int,
    random_one_in: int,
    out: Any,
) -> int: ...
def match_points(
    evaluator: Evaluator | None,
    opponent: Evaluator | None,
    start: Any,
    seed: int,
    pairs: int,
) -> tuple[int, int]: ...
def lookahead(evaluator: Evaluator, boards: Any, probs: Any) -> None: ...
def follow(
    evaluator: Evaluator,
    starts: Any,
    seed: int,
    first_number: int,
    decay: float,
    random_one_in: int,
    random_loss_max: float,
    to_race: bool,
    boards: Any,
    probs: Any,
) -> int: ...
def classify_boards(boards: Any, classes: Any) -> None: ...
