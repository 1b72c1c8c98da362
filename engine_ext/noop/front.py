"""The services of the game without moves: trials and questions with a chosen cost."""

from engine_ext.front import EngineFront, TextKind

FRONT = EngineFront(
    engine="engine_ext.noop.runner",
    kinds={
        "noop/1": TextKind(describing="engine_ext.noop.runner"),
        "noop-question/1": TextKind(
            "analyse",
            "engine_ext.noop.question",
            validating="engine_ext.noop.question",
            work_keys=("rounds",),
        ),
    },
    is_game=False,
)
