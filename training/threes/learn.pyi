LEARNERS_MAX: int

class Learner:
    def __init__(
        self, decay: float = 0.5, restarts: float = 0.4, optimism: float = 0.0
    ) -> None: ...
    def play(
        self, thread: int, seed: int, first_number: int, games: int
    ) -> tuple[int, int, tuple[int, ...]]: ...
    def to_weights(self, unit: float) -> bytes: ...
