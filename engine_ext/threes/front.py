"""Threes!'s services: games as trials, and values of boards for distributed searches."""

from engine_ext.front import EngineFront, TextKind

FRONT = EngineFront(
    engine="engine_ext.threes.engine",
    kinds={
        "threes/1": TextKind(describing="engine_ext.threes.context"),
        # Answers for one move are useless for the next: they are not stored.
        "threes-expectimax/1": TextKind(
            "expectimax",
            "engine_ext.threes.answers",
            validating="engine_ext.threes.answer_validation",
            work_keys=("plies",),
            is_kept=False,
        ),
    },
)
