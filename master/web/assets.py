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
    """

    path: str
    name: str
    media: str

    @cached_property
    def body(self) -> bytes:
        """Its bytes, read when they are first asked for."""
        return (files("master.web") / "page" / self.name).read_bytes()


_JAVASCRIPT = "text/javascript; charset=utf-8"

ASSETS = (
    Asset("/", "index.html", "text/html; charset=utf-8"),
    Asset("/page.css", "page.css", "text/css; charset=utf-8"),
    Asset("/icon.svg", "icon.svg", "image/svg+xml"),
    *(Asset(f"/{name}.js", f"{name}.js", _JAVASCRIPT) for name in
      ("page", "following", "fleet", "jobs", "asking", "tables", "views", "words")),
    Asset("/timeline/timeline.css", "timeline/timeline.css", "text/css; charset=utf-8"),
    *(Asset(f"/timeline/{name}.js", f"timeline/{name}.js", _JAVASCRIPT) for name in
      ("drawing", "elements", "scale", "store", "telling", "timeline")),
)  # fmt: skip
