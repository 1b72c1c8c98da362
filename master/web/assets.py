"""The files of the page, as they lie in the package.

Knows their names and types.  Must not know what is in them, or requests.
"""

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
    package: str = "master.web"

    @cached_property
    def body(self) -> bytes:
        """Its bytes, read when they are first asked for."""
        return (files(self.package) / "page" / self.name).read_bytes()


_JAVASCRIPT = "text/javascript; charset=utf-8"
_STYLE = "text/css; charset=utf-8"

MEDIA = {"js": _JAVASCRIPT, "css": _STYLE}
"""The types of files by the ends of their names."""

ASSETS = (
    Asset("/", "index.html", "text/html; charset=utf-8"),
    Asset("/page.css", "page.css", _STYLE),
    Asset("/icon.svg", "icon.svg", "image/svg+xml"),
    *(Asset(f"/{name}.js", f"{name}.js", _JAVASCRIPT) for name in
      ("search/search", "search/tree", "search/bounds", "games/games", "games/player")),
    *(Asset(f"/{name}.css", f"{name}.css", _STYLE) for name in ("search/search", "games/games")),
    *(Asset(f"/{name}.js", f"{name}.js", _JAVASCRIPT) for name in
      ("page", "following", "fleet", "jobs", "asking", "tables", "views", "words", "elements")),
    *(Asset(f"/rollout/{name}.js", f"rollout/{name}.js", _JAVASCRIPT) for name in
      ("rollout", "alternatives", "bars", "elements", "plots")),
    Asset("/rollout/rollout.css", "rollout/rollout.css", _STYLE),
    Asset("/vendor/uplot/uPlot.esm.js", "vendor/uplot/uPlot.esm.js", _JAVASCRIPT),
    Asset("/vendor/uplot/uPlot.min.css", "vendor/uplot/uPlot.min.css", _STYLE),
)  # fmt: skip
