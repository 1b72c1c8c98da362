"""What Othello offers: searches, and parts of them."""

from engine_ext.front import SEARCH, WHOLE_SEARCH, EngineFront, TextKind

FRONT = EngineFront(
    engine="engine_ext.othello.engine",
    kinds={
        "othello-search/1": TextKind(SEARCH, "engine_ext.othello.engine"),
        "othello/1": TextKind(WHOLE_SEARCH, describing="engine_ext.othello.whole_search"),
    },
)
