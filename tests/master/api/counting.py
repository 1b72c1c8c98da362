"""A game of the tests: its frames count, each takes so long as the test says."""

from collections.abc import Iterator

from master.games.watched import WatchedGame

LENGTH = 1000


class Clock:
    """Stands still, but for what playing takes."""

    def __init__(self) -> None:
        self.ms = 0

    def __call__(self) -> float:
        return self.ms / 1024  # which is exact


CLOCK = Clock()
"""Frames of seed N take N of its 1,024ths of a second."""


def frames(seed: int, level: str) -> Iterator[dict[str, object]]:
    for number in range(LENGTH):
        CLOCK.ms += seed
        yield {"number": number, "level": level}


COUNTING = WatchedGame(
    title="Counting",
    text="It counts.",
    package="master",
    files=("page.js",),
    levels={"easy": "easily"},
    level="easy",
    seed_max=10_000,
    frame_max=LENGTH,
    begin=frames,
)
