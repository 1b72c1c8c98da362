"""What a game offers to those who watch the engine play it on the page.

Knows names and texts, and that a game goes on frame by frame.  Must not know any game, nor who
watches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from master.reports.report import Report

Frames = Callable[[int, str], Iterator[Report]]
"""Yields a game's frames from its start to its end; each takes the engine's time.  The same seed
and level give the same frames."""


@dataclass(frozen=True)
class WatchedGame:
    """A game to watch.

    Args:
        title: what it is called.
        text: what is to be seen, in a line.
        package: in its folder `page` lie the page's files.
        files: of them; the first one is the module of the view (master/web/README.md).
        levels: how it may be played, each with a text for people.
        level: the one that is meant where none is chosen.
        seed_max: seeds are from 0 to this.
        frame_max: more frames no game has.
        begin: `module:name` of what takes seed and level, and returns the game's frames (Frames).
    """

    title: str
    text: str
    package: str
    files: tuple[str, ...]
    levels: Mapping[str, str]
    level: str
    seed_max: int
    frame_max: int
    begin: str
