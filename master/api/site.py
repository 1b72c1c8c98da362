"""All that handlers of an interface share: the master, its name, its files and the page's."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from master.api.watching import Watching
from master.contract.master import PageMaster
from master.timeline.showing import NOTHING_SHOWN, ShownTimeline


@dataclass(frozen=True)
class Asset:
    """A file of the page.

    Args:
        path: where it is asked for.
        name: of the file.
        media: its type.
        package: in whose folder `page` it lies.
    """

    path: str
    name: str
    media: str
    package: str = "master"

    @cached_property
    def body(self) -> bytes:
        """Its bytes, read when they are first asked for."""
        return (files(self.package) / "page" / self.name).read_bytes()


_JAVASCRIPT = "text/javascript; charset=utf-8"
_STYLE = "text/css; charset=utf-8"


def _scripts(folder: str, *names: str) -> list[Asset]:
    """Return the scripts of a folder, a path that ends with a slash."""
    return [Asset(f"/{folder}{name}.js", f"{folder}{name}.js", _JAVASCRIPT) for name in names]


MEDIA = {"js": _JAVASCRIPT, "css": _STYLE}
"""The types of files by the ends of their names."""

ASSETS = (
    Asset("/", "index.html", "text/html; charset=utf-8"),
    Asset("/page.css", "page.css", _STYLE),
    Asset("/icon.svg", "icon.svg", "image/svg+xml"),
    *_scripts("", "page", "following", "fleet", "jobs", "asking", "tables", "views", "words",
              "elements", "outcome", "export", "engines"),
    *_scripts("search/", "search", "tree", "bounds"),
    Asset("/search/search.css", "search/search.css", _STYLE),
    *_scripts("rollout/", "rollout", "alternatives", "bars", "elements", "plots"),
    Asset("/rollout/rollout.css", "rollout/rollout.css", _STYLE),
    Asset("/vendor/uplot/uPlot.esm.js", "vendor/uplot/uPlot.esm.js", _JAVASCRIPT),
    Asset("/vendor/uplot/uPlot.min.css", "vendor/uplot/uPlot.min.css", _STYLE),
    *_scripts("position/", "position", "points", "points_drawing", "points_editor",
              "squares", "squares_board", "squares_editor", "settings", "answers",
              "action_group"),
    Asset("/position/position.css", "position/position.css", _STYLE),
    *_scripts("games/", "games", "player"),
    Asset("/games/games.css", "games/games.css", _STYLE),
    *_scripts("matches/", "matches", "study"),
    Asset("/matches/matches.css", "matches/matches.css", _STYLE),
    *_scripts("timeline/", "drawing", "elements", "scale", "store", "telling", "timeline"),
    Asset("/timeline/timeline.css", "timeline/timeline.css", _STYLE),
)  # fmt: skip


T = TypeVar("T")


class Background:
    """Tasks that go on after their request was answered, or its client has left."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def begin(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Return the task that carries work out; it ends with the interface, if not before."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def aclose(self) -> None:
        """End all that goes on."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@dataclass
class Site:
    """A master with its interface.

    Args:
        master: carries requests out.
        watching: follows the master.
        state_dir: the master's.
        timeline: the timeline to show.
        background: tasks that outlive their request.
        listens: HOST:PORT where analysers dial in; empty: nowhere.
        page: URL of the page; empty: there is none.
        keeps_matches: whether analysed matches are kept in the state directory.
    """

    master: PageMaster
    watching: Watching
    state_dir: Path
    timeline: ShownTimeline = NOTHING_SHOWN
    background: Background = field(default_factory=Background)
    listens: str = ""
    page: str = ""
    keeps_matches: bool = False

    @property
    def name(self) -> str:
        """The master's name."""
        return self.watching.name
