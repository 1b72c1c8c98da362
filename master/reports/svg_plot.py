"""Small plots as SVG: curves on logarithmic axes, steps over time, bars and distributions.

The same numbers give the same bytes; no font or style is loaded.  In a dark colour scheme the plots
are dark too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

WIDTH, HEIGHT = 720, 480
LEFT, RIGHT, TOP, BOTTOM = 70, 150, 50, 60
COLOURS = ("#1f6fb4", "#d1495b", "#2e8b57", "#e08e0b", "#7a5195", "#5f6b73")
INK, GRID = "#22272b", "#e3e6e8"
DARK = {
    "white": "#14181b", INK: "#e6e9eb", GRID: "#343c42", "#1f6fb4": "#5ea6e6",
    "#d1495b": "#ef7f8d", "#2e8b57": "#58b984", "#7a5195": "#b48ad0", "#5f6b73": "#9aa6ae",
}  # fmt: skip
"""Replacements for some colours on a dark screen; the others are visible on both."""

LABEL_GAP = 15
"""Labels at the ends of curves are at least so far apart."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A labelled line.

    Args:
        label: written at its end.
        points: (x, y) from left to right.
        is_dashed: for values not measured here.
    """

    label: str
    points: Sequence[tuple[float, float]]
    is_dashed: bool = False


@dataclass(frozen=True, slots=True)
class Bar:
    """A labelled number.

    Args:
        label: written below it.
        value: its height; 0 or more.
        interval: that contains the value, drawn over the bar.
    """

    label: str
    value: float
    interval: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Axes:
    """The labels of both axes."""

    title: str
    x_label: str
    y_label: str


@dataclass(frozen=True, slots=True)
class _Scale:
    """The part of an axis below a number."""

    low: float
    high: float
    is_logarithmic: bool = False

    def part(self, value: float) -> float:
        if self.is_logarithmic:
            return math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True, slots=True)
class _Frame:
    """The places of numbers on the page."""

    across: _Scale
    up: _Scale

    def x(self, value: float) -> float:
        return LEFT + self.across.part(value) * (WIDTH - LEFT - RIGHT)

    def y(self, value: float) -> float:
        return HEIGHT - BOTTOM - self.up.part(value) * (HEIGHT - TOP - BOTTOM)


def speedup_plot(axes: Axes, curves: Sequence[Curve]) -> str:
    """Draw curves over processors, both axes logarithmic, with the ideal line."""
    x_max = max(2.0, *(x for curve in curves for x, _ in curve.points))
    scale = _Scale(1.0, x_max, is_logarithmic=True)
    frame = _Frame(scale, scale)
    ticks = [2.0**power for power in range(int(math.log2(x_max)) + 1)]
    parts = [*_axes(axes, frame, ticks, ticks), _polyline(frame, [(1, 1), (x_max, x_max)], GRID)]
    parts.append(_text(frame.x(x_max) + 8, frame.y(x_max) + 4, "ideal", "start", "#8a9299"))
    taken = [frame.y(x_max) + 4]
    for number, curve in enumerate(curves):
        colour = COLOURS[number % len(COLOURS)]
        parts.append(_polyline(frame, curve.points, colour, curve.is_dashed))
        parts += [_dot(frame, point, colour, curve.is_dashed) for point in curve.points]
        parts.append(_end_label(frame, curve, colour, taken))
    return _document(parts)


def timeline_plot(axes: Axes, steps: Sequence[tuple[float, float]], end: float, top: float) -> str:
    """Draw the values from each time on as a filled staircase; `top` is the maximum."""
    frame = _Frame(_Scale(0.0, end), _Scale(0.0, top))
    corners = [(0.0, 0.0)]
    steps = _visible(steps, end)
    for (begin, value), (until, _) in zip(steps, [*steps[1:], (end, 0.0)], strict=True):
        corners += [(begin, value), (until, value)]
    corners = [*_thinned(corners), (end, 0.0)]
    path = " ".join(f"{frame.x(x):.1f},{frame.y(y):.1f}" for x, y in corners)
    area = f'<polygon points="{path}" fill="{COLOURS[0]}" fill-opacity="0.75"/>'
    x_ticks = [tick for tick in _linear_ticks(end) if tick <= end]
    y_ticks = sorted({*(round(top * part / 4) for part in range(5))})
    return _document([*_axes(axes, frame, x_ticks, [float(y) for y in y_ticks]), area])


def bars_plot(axes: Axes, bars: Sequence[Bar]) -> str:
    """Draw bars side by side, from nought, each with its interval and its value in percent."""
    highest = max(bar.interval[1] for bar in bars)
    ticks = _linear_ticks(highest)
    if ticks[-1] < highest:
        ticks.append(2 * ticks[-1] - ticks[-2])
    frame = _Frame(_Scale(0.0, len(bars)), _Scale(0.0, ticks[-1]))
    parts = _axes(axes, frame, [], ticks)
    for place, bar in enumerate(bars):
        parts += _bar(frame, place, bar)
    return _document(parts)


def _bar(frame: _Frame, place: int, bar: Bar) -> list[str]:
    left, right, middle = (frame.x(place + part) for part in (0.18, 0.82, 0.5))
    floor, top = frame.y(0.0), frame.y(bar.value)
    low, high = (frame.y(each) for each in bar.interval)
    caps = [_line((middle - 5, y), (middle + 5, y), INK) for y in (low, high)]
    return [
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" '
        f'height="{floor - top:.1f}" fill="{COLOURS[0]}" fill-opacity="0.75"/>',
        _line((middle, low), (middle, high), INK),
        *caps,
        _text(middle, high - 7, f"{bar.value:.1f} %", "middle", INK),
        _text(middle, floor + 18, bar.label, "middle", INK),
    ]


def spread_plot(
    axes: Axes, points: Sequence[tuple[float, float]], named: Sequence[tuple[float, str]]
) -> str:
    """Draw the percentage of values up to a number, over a logarithmic axis.

    Args:
        axes: their labels.
        points: (number above 0, percentage), both ascending.
        named: percentages among them, and the text beside each.
    """
    ticks = _logarithmic_ticks(points[0][0], points[-1][0])
    frame = _Frame(_Scale(ticks[0], ticks[-1], is_logarithmic=True), _Scale(0.0, 100.0))
    parts = [*_axes(axes, frame, ticks, [0.0, 25.0, 50.0, 75.0, 100.0])]
    parts.append(_polyline(frame, points, COLOURS[0]))
    places = {percentage: number for number, percentage in points}
    for percentage, text in named:
        point = (places[percentage], percentage)
        parts.append(_dot(frame, point, COLOURS[0], is_hollow=False))
        x, y = frame.x(point[0]) + 9, frame.y(percentage) + 15
        parts.append(_text(x, y, text, "start", INK))
    return _document(parts)


@dataclass(frozen=True, slots=True)
class HeatCell:
    """A number, and the small text below it."""

    value: float
    note: str = ""


def heat_plot(
    axes: Axes, labels: Sequence[str], rows: Sequence[Sequence[HeatCell]], middle: float
) -> str:
    """Draw a square of numbers, the more coloured the farther they are from the middle.

    Args:
        axes: their labels.
        labels: of the rows, from the top, and of the columns, from the left.
        rows: as many as labels, each of as many cells.
        middle: the number without colour; blue is above it, red below.
    """
    across, down = (WIDTH - 2 * LEFT) / len(labels), (HEIGHT - TOP - BOTTOM) / len(labels)
    reach = max(abs(cell.value - middle) for row in rows for cell in row) or 1.0
    parts = [_text(LEFT, 24, axes.title, "start", INK, 16)]
    for number, row in enumerate(rows):
        for place, cell in enumerate(row):
            corner = (LEFT + place * across, TOP + number * down)
            parts += _heat_cell(corner, (across, down), cell, middle, reach)
    for place, label in enumerate(labels):
        parts.append(_text(LEFT + (place + 0.5) * across, TOP - 8, label, "middle", INK))
        parts.append(_text(LEFT - 10, TOP + (place + 0.5) * down + 4, label, "end", INK))
    parts.append(_text(WIDTH / 2, HEIGHT - BOTTOM + 22, axes.x_label, "middle", INK))
    centre = (TOP + HEIGHT - BOTTOM) / 2
    turned = f'transform="rotate(-90 24 {centre:.1f})"'
    parts.append(_text(24, centre, axes.y_label, "middle", INK, extra=turned))
    return _document(parts)


def _heat_cell(
    corner: tuple[float, float],
    size: tuple[float, float],
    cell: HeatCell,
    neutral: float,
    reach: float,
) -> list[str]:
    """Draw a cell whose number is at most `reach` from the neutral one."""
    (left, top), (width, height) = corner, size
    colour = COLOURS[0] if cell.value >= neutral else COLOURS[1]
    strength = 0.75 * (abs(cell.value - neutral) / reach)
    middle, centre = left + width / 2, top + height / 2
    return [
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'fill="{colour}" fill-opacity="{strength:.3f}" stroke="{GRID}"/>',
        _text(middle, centre, f"{cell.value:+z.3f}", "middle", INK),
        _text(middle, centre + 16, cell.note, "middle", INK, 9),
    ]


def stacked(documents: Sequence[str]) -> str:
    """Return one drawing of several plots, each below the one before it."""
    height = HEIGHT * len(documents)
    inner = [
        document.replace("<svg ", f'<svg y="{HEIGHT * place}" ', 1).rstrip("\n")
        for place, document in enumerate(documents)
    ]
    return "\n".join([_head(height), *inner, "</svg>", ""])


def _logarithmic_ticks(low: float, high: float) -> list[float]:
    """Return 1, 2 and 5 times powers of ten, two or more: the first to the last hold the range."""
    # The logarithm may be rounded up to a power that is greater than `low`.
    powers = range(math.floor(math.log10(low)) - 1, math.floor(math.log10(high)) + 2)
    steps = [factor * 10.0**power for power in powers for factor in (1, 2, 5)]
    first = max(step for step in steps if step <= low)
    last = min(step for step in steps if step >= high and step > first)
    return [step for step in steps if first <= step <= last]


def _visible(steps: Sequence[tuple[float, float]], end: float) -> list[tuple[float, float]]:
    """Keep the last of the steps that are drawn within half a pixel."""
    slots = {int(2 * (WIDTH - LEFT - RIGHT) * time / end): (time, value) for time, value in steps}
    return list(slots.values())


def _thinned(corners: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Leave out corners where nothing changes."""
    return [corner for i, corner in enumerate(corners) if i == 0 or corner != corners[i - 1]]


def _linear_ticks(end: float) -> list[float]:
    """Return some round numbers from 0 on: steps of 1, 2 or 5 times a power of ten."""
    rough = end / 6
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    return [step * count for count in range(int(end / step) + 1)]


def _axes(
    axes: Axes, frame: _Frame, x_ticks: Sequence[float], y_ticks: Sequence[float]
) -> list[str]:
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    parts = [_text(LEFT, 28, axes.title, "start", INK, 16)]
    for tick in x_ticks:
        x = frame.x(tick)
        parts.append(_line((x, TOP), (x, bottom)))
        parts.append(_text(x, bottom + 18, f"{tick:,.10g}", "middle", INK))
    for tick in y_ticks:
        y = frame.y(tick)
        parts.append(_line((LEFT, y), (right, y)))
        parts.append(_text(LEFT - 8, y + 4, f"{tick:,.10g}", "end", INK))
    parts.append(_text((LEFT + right) / 2, HEIGHT - 18, axes.x_label, "middle", INK))
    middle = (TOP + bottom) / 2
    turned = f'transform="rotate(-90 18 {middle:.1f})"'
    parts.append(_text(18, middle, axes.y_label, "middle", INK, extra=turned))
    return parts


def _end_label(frame: _Frame, curve: Curve, colour: str, taken: list[float]) -> str:
    """Return a curve's label at its end, at a free place."""
    x, y = curve.points[-1]
    place = frame.y(y) + 4
    while any(abs(place - other) < LABEL_GAP for other in taken):
        place += 1
    taken.append(place)
    return _text(frame.x(x) + 8, place, curve.label, "start", colour)


def _polyline(
    frame: _Frame, points: Sequence[tuple[float, float]], colour: str, is_dashed: bool = False
) -> str:
    path = " ".join(f"{frame.x(x):.1f},{frame.y(y):.1f}" for x, y in points)
    dashes = ' stroke-dasharray="5 4"' if is_dashed else ""
    return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>'


def _dot(frame: _Frame, point: tuple[float, float], colour: str, is_hollow: bool) -> str:
    fill = "white" if is_hollow else colour
    x, y = frame.x(point[0]), frame.y(point[1])
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{fill}" stroke="{colour}"/>'


def _line(begin: tuple[float, float], end: tuple[float, float], colour: str = GRID) -> str:
    return (
        f'<line x1="{begin[0]:.1f}" y1="{begin[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}" '
        f'stroke="{colour}"/>'
    )


def _text(
    x: float, y: float, text: str, anchor: str, colour: str, size: int = 12, extra: str = ""
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" '
        f'font-size="{size}" {extra}>{escape(text)}</text>'
    )


def _document(parts: Sequence[str]) -> str:
    back = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>'
    return "\n".join([_head(HEIGHT), _style(), back, *parts, "</svg>", ""])


def _head(height: int) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" font-family="Helvetica, Arial, sans-serif">'
    )


def _style() -> str:
    """Return the style that replaces the colours on a dark screen."""
    rules = (
        f'[fill="{light}"]{{fill:{dark}}}[stroke="{light}"]{{stroke:{dark}}}'
        for light, dark in DARK.items()
    )
    return f"<style>@media (prefers-color-scheme: dark){{{''.join(rules)}}}</style>"
