"""Drawings become PNG as they are seen, letters included where a machine has no fonts."""

import struct
import sys
import zlib
from importlib.resources import files

import pytest

from master.reports.png import ZOOM, PngUnavailableError, check_png, png_bytes

resvg_py = pytest.importorskip("resvg_py", reason="resvg-py is not installed (extra png)")

BOX = '<rect x="{x}" y="1" width="2" height="1" fill="#ff0000"/>'


def document(inside: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">{inside}</svg>'


def chunks(png: bytes) -> dict[bytes, bytes]:
    """Return the chunks of a PNG file, those of one kind joined."""
    found: dict[bytes, bytes] = {}
    place = 8
    while place < len(png):
        length, kind = struct.unpack(">I4s", png[place : place + 8])
        found[kind] = found.get(kind, b"") + png[place + 8 : place + 8 + length]
        place += 12 + length
    return found


def test_picture_is_sharp_and_has_the_size_of_the_drawing() -> None:
    header = chunks(png_bytes(document(BOX.format(x=1))))[b"IHDR"]
    assert struct.unpack(">II", header[:8]) == (40 * ZOOM, 20 * ZOOM)


def test_letters_are_drawn_by_the_font_that_comes_with_the_extra() -> None:
    empty = zlib.decompress(chunks(png_bytes(document("")))[b"IDAT"])
    for family in ("sans-serif", "system-ui, sans-serif"):
        text = f'<text y="15" font-family="{family}">31</text>'
        assert zlib.decompress(chunks(png_bytes(document(text)))[b"IDAT"]) != empty


def test_a_machine_without_fonts_makes_the_same_picture() -> None:
    folder = files("font_lato").joinpath("files")
    fonts = [str(folder.joinpath(name)) for name in ("Lato-Regular.ttf", "Lato-Bold.ttf")]
    for weight in ("normal", "bold"):
        text = f'<text y="15" font-family="system-ui, sans-serif" font-weight="{weight}">31</text>'
        alone = resvg_py.svg_to_bytes(
            svg_string=document(text), zoom=ZOOM, font_files=fonts, sans_serif_family="Lato",
            skip_system_fonts=True,
        )  # fmt: skip
        assert png_bytes(document(text)) == bytes(alone)


def test_the_same_drawing_gives_the_same_bytes() -> None:
    assert png_bytes(document(BOX.format(x=3))) == png_bytes(document(BOX.format(x=3)))
    assert png_bytes(document(BOX.format(x=3))) != png_bytes(document(BOX.format(x=4)))


def test_dark_screens_are_not_those_of_a_picture() -> None:
    style = "<style>@media screen and (prefers-color-scheme:dark){rect{fill:#00ff00}}</style>"
    box = BOX.format(x=1)
    assert png_bytes(document(style + box)) == png_bytes(document(box))


@pytest.mark.parametrize("package", ["resvg_py", "font_lato"])
def test_what_lacks_is_said_with_the_command_that_brings_it(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_png()
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(PngUnavailableError, match=r"pip install 'manyply\[png\]'"):
        png_bytes(document(""))
