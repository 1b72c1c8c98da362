"""The interface of a game that the engine plays on the page, frame by frame."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from master.reports.report import Report

Frames = Callable[[int, str], Iterator[Report]]
"""Yields a game's frames from its start to its end; each takes the engine's time.  The same seed
and level give the same frames."""


@dataclass(frozen=True)
class WatchedGame:
    """A game that the engine plays on the page.

    Args:
        title: its name.
        text: a description, in one line.
        package: its folder `page` contains the page's files.
        files: of them; the first one is the module of the view (master/page/README.md).
        levels: the levels of play, each with a text for people.
        level: the default one.
        seed_max: seeds are from 0 to this.
        frame_max: the most frames of any game.
        begin: takes a seed and a level, and returns the frames.
    """

    title: str
    text: str
    package: str
    files: tuple[str, ...]
    levels: Mapping[str, str]
    level: str
    seed_max: int
    frame_max: int
    begin: Frames
