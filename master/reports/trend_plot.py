"""Curves and bars over a sequence of steps, as HTML: as wide as the reader's screen.

The drawing is stretched to its place, and the words are HTML, so they are readable on a phone too.
Each step is a link.  Panels are below each other; a value may be absent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from master.reports.markup import escaped

PANEL_GAP = 26
"""Between panels; contains a panel's title."""

BORDER_ROW = 20
"""Above the first panel; it contains the names of borders."""

LABEL_HEIGHT = 17
"""A label is above its value, or below it at the end of the panel."""

STEP_WIDTH = 2.5
"""Wide enough to touch a step; a narrower screen scrolls the plot, and not the page."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Panel:
    """One drawing.

    Args:
        title: its heading.
        span: values at its lower and upper edge.
        labels: (value, text) on its left edge.
        lines: curves, each of points from left to right; x counts steps.
        bars: (step, value) from 0 on.
        height: in pixels.
    """

    title: str
    span: tuple[float, float]
    labels: Sequence[tuple[float, str]] = ()
    lines: Sequence[Sequence[Point]] = ()
    bars: Sequence[Point] = ()
    height: int = 120


@dataclass(frozen=True, slots=True)
class Target:
    """The target of a step's link; the Tab key stops only at targets with `is_stop`."""

    href: str
    text: str
    is_stop: bool


@dataclass(frozen=True, slots=True)
class Border:
    """Where something begins, before the step of that number."""

    step: int
    text: str
    href: str


def trend_plot(
    panels: Sequence[Panel], targets: Sequence[Target], borders: Sequence[Border]
) -> Iterator[str]:
    """Yield the elements of a plot."""
    count = max(1, len(targets))
    tops = [BORDER_ROW]
    for panel in panels:
        tops.append(tops[-1] + PANEL_GAP + panel.height)
    height = tops.pop()
    least = f"{STEP_WIDTH * count:.0f}px"
    yield f'<div class="plot"><div style="min-width:{least};height:{height}px">'
    titles = escaped("; ".join(panel.title for panel in panels))
    yield (
        f'<svg viewBox="0 0 {count} {height}" preserveAspectRatio="none" role="group" '
        f'aria-label="{titles}">'
    )
    for top, panel in zip(tops, panels, strict=True):
        yield from _panel(panel, top + PANEL_GAP, count, borders)
    for step, target in enumerate(targets):
        stop = "" if target.is_stop else ' tabindex="-1"'
        yield (
            f'<a href="{target.href}"{stop}><rect x="{step}" width="1" height="{height}"/>'
            f"<title>{escaped(target.text)}</title></a>"
        )
    yield "</svg>"
    for top, panel in zip(tops, panels, strict=True):
        yield from _words(panel, top)
    for border in borders:
        left = 100 * border.step / count
        yield (
            f'<a class="border" href="{border.href}" style="left:{left:.2f}%">'
            f"{escaped(border.text)}</a>"
        )
    yield "</div></div>"


def _y(panel: Panel, value: float, top: float) -> float:
    low, high = panel.span
    part = (value - low) / (high - low)
    return top + panel.height * (1.0 - min(1.0, max(0.0, part)))


def _panel(panel: Panel, top: int, count: int, borders: Sequence[Border]) -> Iterator[str]:
    yield f'<path class="ground" d="M0 {top}h{count}v{panel.height}H0z"/>'
    rules = "".join(f"M0 {_y(panel, value, top):.1f}H{count}" for value, _ in panel.labels)
    rules += "".join(f"M{border.step} {top}v{panel.height}" for border in borders)
    yield f'<path class="rule" d="{rules}"/>'
    for line in panel.lines:
        way = "L".join(f"{x:g} {_y(panel, y, top):.1f}" for x, y in line)
        yield f'<path class="line" d="M{way}"/>'
    for name, is_up in (("up", True), ("down", False)):
        bars = [(x, value) for x, value in panel.bars if value and (value > 0) == is_up]
        if bars:
            zero = _y(panel, 0.0, top)
            way = "".join(f"M{x + 0.5:g} {zero:.1f}V{_y(panel, y, top):.1f}" for x, y in bars)
            yield f'<path class="bar {name}" d="{way}"/>'


def _words(panel: Panel, top: int) -> Iterator[str]:
    yield f'<b style="top:{top + 4}px">{escaped(panel.title)}</b>'
    for value, text in panel.labels:
        y = _y(panel, value, top + PANEL_GAP)
        above = LABEL_HEIGHT if y >= top + PANEL_GAP + LABEL_HEIGHT else 0
        yield f'<i style="top:{y - above:.0f}px">{escaped(text)}</i>'
