from engine_ext.backgammon.context import RolloutContext
from engine_ext.control import RunControl

class RolloutPlayer:
    context: RolloutContext
    def __new__(cls, context: RolloutContext) -> RolloutPlayer: ...
    def run(self, first_seq: int, count: int, control: RunControl) -> list[tuple[float, ...]]: ...
