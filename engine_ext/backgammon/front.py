"""Backgammon's services: rollouts, ranked moves, analysed decisions."""

from engine_ext.front import EngineFront, TextKind

_ANSWERS = "engine_ext.backgammon.answers"
_VALIDATION = "engine_ext.backgammon.answer_validation"
_LEVEL = ("ply", "cube_ply", "luck_ply", "move_filter", "trials")

FRONT = EngineFront(
    engine="engine_ext.backgammon.trials",
    kinds={
        "backgammon-rollout/1": TextKind(describing="engine_ext.backgammon.describe"),
        "backgammon-moves/1": TextKind("moves", _ANSWERS, validating=_VALIDATION, work_keys=_LEVEL),
        "backgammon-analyse/1": TextKind(
            "analyse", _ANSWERS, validating=_VALIDATION, work_keys=_LEVEL
        ),
        "backgammon-sums/1": TextKind(
            "analyse", _ANSWERS, validating=_VALIDATION, work_keys=("trials",)
        ),
    },
)
