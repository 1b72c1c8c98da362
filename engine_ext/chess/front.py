"""Chess's services: searches, parts of searches, and looks at positions."""

from engine_ext.front import SEARCH, WHOLE_SEARCH, EngineFront, TextKind

FRONT = EngineFront(
    engine="engine_ext.chess.engine",
    others={"uci": "engine_ext.chess.uci_engine.engine"},
    kinds={
        "chess-look/1": TextKind(
            "looks",
            "engine_ext.chess.engine",
            validating="engine_ext.chess.probes.answer_validation",
            work_keys=("nodes",),
        ),
        "chess-search/1": TextKind(SEARCH, "engine_ext.chess.engine"),
        "chess/1": TextKind(WHOLE_SEARCH, describing="engine_ext.chess.whole_search"),
    },
)
