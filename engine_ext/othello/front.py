"""Othello's services: searches, parts of searches, and looks at moves."""

from engine_ext.front import SEARCH, WHOLE_SEARCH, EngineFront, TextKind

FRONT = EngineFront(
    engine="engine_ext.othello.engine",
    kinds={
        "othello-look/1": TextKind(
            "looks",
            "engine_ext.othello.engine",
            validating="engine_ext.othello.probes.answer_validation",
            work_keys=("depth",),
        ),
        "othello-search/1": TextKind(SEARCH, "engine_ext.othello.engine"),
        "othello/1": TextKind(WHOLE_SEARCH, describing="engine_ext.othello.whole_search"),
    },
)
