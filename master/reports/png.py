"""A drawing as PNG.

Uses the package resvg-py (the extra `png`), imported when a PNG is made.  It is one wheel without
other packages or system libraries, and it ignores the style for dark screens.  A machine, such as
a container, may have no fonts, and resvg leaves out characters without a glyph.  So the extra
includes a font (Lato), the default for drawings; the machine's fonts supply the glyphs that it
lacks.
"""

from __future__ import annotations

import importlib
from importlib.resources import files
from types import ModuleType
from typing import cast

EXTRA = "png"
"""The optional extra with resvg-py and the font."""

ZOOM = 2
"""Dots of a unit: sharp on today's screens, and on paper at the size of a book's diagram."""

_FONTS = ("Lato-Regular.ttf", "Lato-Bold.ttf")
_FAMILY = "Lato"


class PngUnavailableError(Exception):
    """The extra is not installed; the text gives the command that installs it."""


def check_png() -> None:
    """Raise a PngUnavailableError unless drawings can be made PNG here."""
    _packages()


def png_bytes(svg: str) -> bytes:
    """Return an SVG document as PNG.

    Raises:
        PngUnavailableError: the extra is not installed.
    """
    resvg, font = _packages()
    places = [str(files(font).joinpath("files", name)) for name in _FONTS]
    rendered = resvg.svg_to_bytes(
        svg_string=svg, zoom=ZOOM, font_files=places, sans_serif_family=_FAMILY
    )
    return bytes(cast("bytes", rendered))


def _packages() -> tuple[ModuleType, ModuleType]:
    try:
        return importlib.import_module("resvg_py"), importlib.import_module("font_lato")
    except ImportError as error:
        text = f"PNG needs an optional extra: pip install 'manyply[{EXTRA}]'"
        raise PngUnavailableError(text) from error
