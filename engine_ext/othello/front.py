"""What Othello offers: parts of searches."""

from engine_ext.front import SEARCH, EngineFront, Kind

FRONT = EngineFront(
    engine="engine_ext.othello.engine",
    kinds={"othello-search/1": Kind(SEARCH, "engine_ext.othello.engine")},
)
