"""The playing levels of chess: the time or the depth of the engine's searches."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine_ext.chess.fast.search import DEPTH_MAX

SECONDS_DEFAULT = 1.0
SECONDS_MIN, SECONDS_MAX = 0.1, 3600.0

_SECONDS = re.compile("([0-9]{1,4}(?:[.][0-9]{1,3})?) ?s", re.IGNORECASE)
_DEPTH = re.compile("[0-9]{1,3}")


@dataclass(frozen=True, slots=True)
class Level:
    """A level of play.

    Args:
        depth: of the engine's search; None: no limit.
        seconds: for a move; None: until the depth is reached.  One of both is given.
    """

    depth: int | None = None
    seconds: float | None = SECONDS_DEFAULT

    @property
    def text(self) -> str:
        """Its text: `depth 6`, `2 s`."""
        return f"{self.seconds:g} s" if self.depth is None else f"depth {self.depth}"

    @property
    def name(self) -> str:
        """The name of a player of this level."""
        return f"manyply {self.text}"


def read_level(text: str) -> Level:
    """Return the level that a text means: `6` or `depth 6`, `2s` or `0.5 s`; ValueError if none."""
    bare = text.strip().lower()
    if found := _SECONDS.fullmatch(bare):
        seconds = float(found[1])
        if SECONDS_MIN <= seconds <= SECONDS_MAX:
            return Level(None, seconds)
    number = bare.removeprefix("depth").strip()
    if _DEPTH.fullmatch(number) and 1 <= int(number) <= DEPTH_MAX:
        return Level(int(number), None)
    times = f"{SECONDS_MIN:g}s to {SECONDS_MAX:g}s"
    raise ValueError(f"a level is a depth of 1 to {DEPTH_MAX}, or a time of {times}, not {text!r}")
