"""The files of the page, in the package: their names and types."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files


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
              "elements"),
    *_scripts("search/", "search", "tree", "bounds"),
    Asset("/search/search.css", "search/search.css", _STYLE),
    *_scripts("rollout/", "rollout", "alternatives", "bars", "elements", "plots"),
    Asset("/rollout/rollout.css", "rollout/rollout.css", _STYLE),
    Asset("/vendor/uplot/uPlot.esm.js", "vendor/uplot/uPlot.esm.js", _JAVASCRIPT),
    Asset("/vendor/uplot/uPlot.min.css", "vendor/uplot/uPlot.min.css", _STYLE),
    *_scripts("position/", "position", "points", "points_drawing", "points_editor",
              "squares_board", "settings", "answers"),
    Asset("/position/position.css", "position/position.css", _STYLE),
    *_scripts("games/", "games", "player"),
    Asset("/games/games.css", "games/games.css", _STYLE),
    *_scripts("matches/", "matches"),
    Asset("/matches/matches.css", "matches/matches.css", _STYLE),
    *_scripts("timeline/", "drawing", "elements", "scale", "store", "telling", "timeline"),
    Asset("/timeline/timeline.css", "timeline/timeline.css", _STYLE),
)  # fmt: skip
