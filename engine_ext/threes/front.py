"""What Threes! offers: games as trials."""

from engine_ext.front import EngineFront, TextKind

FRONT = EngineFront(
    engine="engine_ext.threes.engine",
    kinds={"threes/1": TextKind(describing="engine_ext.threes.context")},
)
