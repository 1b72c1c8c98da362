"""Reads a drawn board back: checkers, dice and cube, by what would be seen and where.

It knows the names of shapes and nothing of their places: a checker is on the point whose number
stands in the same column of the same half.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
HREF = "href"
COLOURS = {"b-l": "l", "b-d": "d"}
CORNERS = re.compile(r"M(\d+) (\d+)|v(-?\d+)|h0")


@dataclass
class SeenBoard:
    """What is seen; slots by the bottom player's numbers, "bar" and "off"."""

    checkers: dict[str, Counter[int | str]] = field(
        default_factory=lambda: {"l": Counter(), "d": Counter()}
    )
    dice: list[tuple[str, int, str]] = field(default_factory=list)
    """Colour, pips, and the half they lie in."""

    cube: tuple[int, str] | None = None
    """Its value, and where it lies: "bottom", "middle", "top" or "field"."""

    names: list[str] = field(default_factory=list)
    arrows: list[tuple[str, int | str, int | str]] = field(default_factory=list)
    """Kind, and the bottom player's slots where an arrow begins and ends."""


@dataclass(frozen=True)
class Spot:
    x: float
    y: float


def tree_of(text: str) -> ET.Element:
    """Parse SVG, the namespace left out."""
    root = ET.fromstring(text)
    for element in root.iter():
        element.tag = element.tag.removeprefix(SVG)
    return root


def definitions_of(root: ET.Element) -> dict[str, ET.Element]:
    """Return the shapes that a document defines, by name."""
    return {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}


def read_board(board: ET.Element, shapes: dict[str, ET.Element]) -> SeenBoard:
    """Return what is seen on a board whose shapes are defined somewhere."""
    return _Reader(shapes).read(board)


class _Reader:
    def __init__(self, shapes: dict[str, ET.Element]) -> None:
        self.shapes = shapes
        numbers = list(shapes["b-board"].iter("text"))
        self.points = {
            int(e.text or ""): Spot(float(e.attrib["x"]), float(e.attrib["y"])) for e in numbers
        }
        rows = [spot.y for spot in self.points.values()]
        self.middle = (min(rows) + max(rows)) / 2
        self.columns = sorted({spot.x for spot in self.points.values()})
        self.bar = (self.columns[5] + self.columns[6]) / 2

    def read(self, board: ET.Element) -> SeenBoard:
        seen = SeenBoard()
        for element in board:
            name = element.attrib.get(HREF, "")[1:]
            if element.tag == "use" and name in self.shapes:
                self._read_shape(seen, name, element)
            elif element.tag == "path":
                self._read_path(seen, element)
            elif element.tag == "text":
                self._read_text(seen, element)
        return seen

    def _read_shape(self, seen: SeenBoard, name: str, use: ET.Element) -> None:
        x, y = float(use.attrib.get("x", 0)), float(use.attrib.get("y", 0))
        shape = self.shapes[name]
        rect = shape.find("rect")
        if rect is not None and rect.attrib["class"] in COLOURS:
            half = "right" if x > self.bar else "left"
            seen.dice.append((COLOURS[rect.attrib["class"]], len(shape.findall("circle")), half))
        if rect is not None and rect.attrib["class"] == "b-cube":
            seen.cube = (0, self._cube_place(x, y))

    def _cube_place(self, x: float, y: float) -> str:
        if x > self.columns[0]:
            return "field"
        if abs(y - self.middle) < 30:
            return "middle"
        return "top" if y < self.middle else "bottom"

    def _place(self, x: float, y: float) -> int | str:
        if abs(x - self.bar) < 10:
            return "bar"
        if x > self.columns[-1] + 20:
            return "off"
        is_upper = y < self.middle
        return next(
            point
            for point, spot in self.points.items()
            if abs(spot.x - x) < 20 and (spot.y < self.middle) == is_upper
        )

    def _read_path(self, seen: SeenBoard, path: ET.Element) -> None:
        name, way = path.attrib["class"], path.attrib["d"]
        if name in ("b-lo", "b-do"):
            seen.checkers[name[2]]["off"] += way.count("M")
        elif name in ("b-kl", "b-kd"):
            x = y = 0.0
            for corner in CORNERS.finditer(way):
                if corner[1]:
                    x, y = float(corner[1]), float(corner[2])
                elif corner[3]:
                    y += float(corner[3])
                if corner[0] != "h0":
                    seen.checkers[name[3]][self._place(x, y)] += 1
            assert CORNERS.sub("", way) == ""
        elif name in ("b-played", "b-better"):
            numbers = [float(word) for word in way.replace("M", " ").replace("Q", " ").split()]
            ends = self._place(*numbers[:2]), self._place(*numbers[-2:])
            seen.arrows.append((name[2:], *ends))

    def _read_text(self, seen: SeenBoard, element: ET.Element) -> None:
        names, text = element.attrib["class"].split(), element.text or ""
        x, y = float(element.attrib["x"]), float(element.attrib["y"])
        if "b-v" in names:
            assert seen.cube is not None
            seen.cube = (int(text), seen.cube[1])
        elif "b-c" in names and "b-ink" not in names:
            colour = "l" if "b-lp" in names else "d"
            seen.checkers[colour][self._place(x, y)] = int(text)
        elif "b-s" in names and "b-e" not in names:
            seen.names.append(text)
