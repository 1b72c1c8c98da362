"""Threes! as a game to watch on the page: its texts, its levels and its frames.

Loads no engine.
"""

from collections.abc import Iterator

from engine_ext.threes.context import SEED_MAX
from master.games.watched import WatchedGame
from master.reports.report import Report

LEVELS = {
    "1": "looks 1 move ahead",
    "2": "looks 2 moves ahead",
    "3": "looks 3 moves ahead",
    "4": "looks 4 moves ahead, and takes its time",
}
"""Five take a quarter of a second a move: too long to watch a whole game."""

FRAMES_MAX = 1 << 17
"""More than any game of cards up to 12288 has."""


def _begin(seed: int, level: str) -> Iterator[Report]:
    from master.games.threes.played_frames import frames  # noqa: PLC0415

    return frames(seed, level)


WATCHED = WatchedGame(
    title="Threes!",
    text="The engine slides and merges cards; each move is worth the final score to be expected.",
    package="master.games.threes",
    files=("threes.js", "threes.css"),
    levels=LEVELS,
    level="3",
    seed_max=SEED_MAX,
    frame_max=FRAMES_MAX,
    begin=_begin,
)
