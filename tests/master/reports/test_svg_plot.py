"""Plots in SVG."""

import re
from xml.etree import ElementTree
from xml.etree import ElementTree as ET

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from master.reports.svg_plot import (
    COLOURS,
    DARK,
    HEIGHT,
    WIDTH,
    Axes,
    Bar,
    Curve,
    HeatCell,
    bars_plot,
    heat_plot,
    speedup_plot,
    spread_plot,
    stacked,
    timeline_plot,
)
from master.reports.trend_plot import BORDER_ROW, PANEL_GAP, Border, Panel, Target, trend_plot

AXES = Axes("a < b & c", "x", "y")
SVG = "{http://www.w3.org/2000/svg}"
positive = st.floats(0.01, 2000)


@given(st.lists(st.lists(st.tuples(st.floats(1, 1024), positive), min_size=1), min_size=1))
@pytest.mark.when_changed
def test_every_point_is_on_the_page(points: list[list[tuple[float, float]]]) -> None:
    curves = [Curve(f"curve {i}", sorted(each)) for i, each in enumerate(points)]
    drawn = ElementTree.fromstring(speedup_plot(AXES, curves))
    dots = drawn.findall(f"{SVG}circle")
    assert len(dots) == sum(map(len, points))
    assert all(0 <= float(dot.attrib["cx"]) <= WIDTH for dot in dots)
    labels = [text.text for text in drawn.findall(f"{SVG}text")]
    assert {"a < b & c", "ideal", *(curve.label for curve in curves)} <= set(labels)


def test_labels_do_not_cover_each_other() -> None:
    curves = [Curve(f"no. {i}", [(1, 1), (64, 20 + i / 100)]) for i in range(4)]
    drawn = ElementTree.fromstring(speedup_plot(AXES, curves))
    places = [float(t.attrib["y"]) for t in drawn.iter(f"{SVG}text") if str(t.text)[:2] == "no"]
    assert all(abs(a - b) >= 14 for a in places for b in places if a is not b)


def test_timeline_is_a_staircase_on_the_page() -> None:
    steps = [(0.0, 0.0), (1.0, 4.0), (3.0, 2.0)]
    drawn = ElementTree.fromstring(timeline_plot(AXES, steps, 4.0, 4.0))
    area = drawn.find(f"{SVG}polygon")
    assert area is not None
    corners = [tuple(map(float, pair.split(","))) for pair in area.attrib["points"].split()]
    assert len(corners) >= 6
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in corners)


shares = st.floats(0.01, 100)


def value_of(pair: tuple[float, ElementTree.Element]) -> float:
    return pair[0]


@given(st.lists(st.tuples(shares, shares, shares).map(sorted), min_size=1, max_size=9))
@example([[0.0, 100.0, 100.0]])
def test_bars_reach_their_values_on_the_page(found: list[list[float]]) -> None:
    bars = [Bar(f"no. {i}", each[1], (each[0], each[2])) for i, each in enumerate(found)]
    drawn = ElementTree.fromstring(bars_plot(AXES, bars))
    _, *rectangles = drawn.findall(f"{SVG}rect")
    bottoms = [float(one.attrib["y"]) + float(one.attrib["height"]) for one in rectangles]
    assert max(bottoms) - min(bottoms) < 0.2
    ordered = sorted(zip([each[1] for each in found], rectangles, strict=True), key=value_of)
    heights = [float(one.attrib["height"]) for _, one in ordered]
    assert heights == sorted(heights)
    assert all(0 <= float(one.attrib["y"]) <= HEIGHT for one in rectangles)
    lines = drawn.findall(f"{SVG}line")
    assert all(0 <= float(line.attrib["y2"]) <= HEIGHT for line in lines)


@example([9999999.999999998, 1e7])
@given(st.lists(st.floats(1, 1e7), min_size=2, max_size=21))
def test_spread_rises_from_left_to_right_on_the_page(numbers: list[float]) -> None:
    last = len(numbers) - 1
    points = [(x, 100 * i / last) for i, x in enumerate(sorted(numbers))]
    drawn = ElementTree.fromstring(spread_plot(AXES, points, [(0.0, "least"), (100.0, "greatest")]))
    curve = drawn.find(f"{SVG}polyline")
    assert curve is not None
    corners = [tuple(map(float, pair.split(","))) for pair in curve.attrib["points"].split()]
    assert all(0 <= x <= WIDTH and 0 <= y <= HEIGHT for x, y in corners)
    assert [x for x, _ in corners] == sorted(x for x, _ in corners)
    assert [y for _, y in corners] == sorted((y for _, y in corners), reverse=True)
    said = [text.text for text in drawn.findall(f"{SVG}text")]
    assert {"least", "greatest"} <= set(said)


def test_axis_over_powers_of_ten_has_round_numbers_outside_its_points() -> None:
    drawn = ElementTree.fromstring(spread_plot(AXES, [(2500.0, 0.0), (1e6, 100.0)], []))
    said = [str(text.text) for text in drawn.findall(f"{SVG}text")]
    ticks = [text for text in said if text[-3:] == "000"]
    assert ticks[0] == "2,000"
    assert ticks[-1] == "1,000,000"
    assert "50,000" in ticks


@example([-5e-324, -0.0, 3.0, *[0.0] * 6], 0.0)
@given(st.lists(st.floats(-3, 3), min_size=9, max_size=9), st.floats(-1, 1))
def test_cells_are_the_stronger_coloured_the_farther_they_are_from_the_middle(
    values: list[float], middle: float
) -> None:
    rows = [[HeatCell(value, f"{value:.1f}") for value in values[i : i + 3]] for i in (0, 3, 6)]
    drawn = ElementTree.fromstring(heat_plot(AXES, ["a", "b", "c"], rows, middle))
    _, *cells = drawn.iter(f"{SVG}rect")
    strengths = [float(cell.attrib["fill-opacity"]) for cell in cells]
    assert len(cells) == 9
    for one, strength in zip(values, strengths, strict=True):
        for other, weaker in zip(values, strengths, strict=True):
            if abs(one - middle) > abs(other - middle):
                assert strength >= weaker
    for value, cell in zip(values, cells, strict=True):
        assert cell.attrib["fill"] == (COLOURS[0] if value >= middle else COLOURS[1])
        right = float(cell.attrib["x"]) + float(cell.attrib["width"])
        assert right <= WIDTH
        assert float(cell.attrib["y"]) + float(cell.attrib["height"]) <= HEIGHT


def test_stacked_plots_are_one_document() -> None:
    one = bars_plot(AXES, [Bar("a", 1.0, (0.0, 2.0))])
    drawn = ElementTree.fromstring(stacked([one, one]))
    assert drawn.attrib["height"] == str(2 * HEIGHT)
    assert [each.attrib["y"] for each in drawn.findall(f"{SVG}svg")] == ["0", str(HEIGHT)]


def test_dark_screen_has_a_colour_for_each_that_it_hides() -> None:
    plot = timeline_plot(AXES, [(0.0, 1.0)], 1.0, 1.0)
    assert "prefers-color-scheme: dark" in plot
    for light, dark in DARK.items():
        assert f'[fill="{light}"]{{fill:{dark}}}' in plot


VALUES = st.lists(st.floats(-2.0, 2.0), min_size=1, max_size=8)


def drawn(panel: Panel, count: int) -> ET.Element:
    targets = [Target(f"#m{step}", f"step <{step}>", step % 2 == 0) for step in range(count)]
    parts = trend_plot([panel], targets, [Border(0, "1", "#g1")])
    return ET.fromstring("".join(parts))


@given(VALUES)
def test_curves_and_bars_stay_within_their_panel(values: list[float]) -> None:
    points = [(float(x), value) for x, value in enumerate(values)]
    panel = Panel("a & b", (-1.0, 1.0), [(1.0, "up"), (-1.0, "down")], [points], points)
    plot = drawn(panel, len(values))
    top = BORDER_ROW + PANEL_GAP
    for path in plot.iter("path"):
        if path.attrib["class"] in ("line", "bar up", "bar down"):
            ys = [float(y) for y in re.findall(r"(?: |V)(-?[0-9.]+)", path.attrib["d"])]
            assert all(top <= y <= top + panel.height for y in ys)
    ups = next((path for path in plot.iter("path") if path.attrib["class"] == "bar up"), None)
    assert (ups is not None) == any(value > 0 for value in values)


def test_each_step_is_a_link_and_some_are_stops() -> None:
    plot = drawn(Panel("t", (0.0, 1.0)), 4)
    links = [link for link in plot.iter("a") if "class" not in link.attrib]
    assert [link.attrib["href"] for link in links] == ["#m0", "#m1", "#m2", "#m3"]
    assert [link.attrib.get("tabindex") for link in links] == [None, "-1", None, "-1"]
    assert [link.findtext("title") for link in links][1] == "step <1>"
    widths = [(rect.attrib["x"], rect.attrib["width"]) for rect in plot.iter("rect")]
    assert widths == [("0", "1"), ("1", "1"), ("2", "1"), ("3", "1")]


def test_words_stand_in_html_at_the_height_of_their_value() -> None:
    plot = drawn(Panel("t", (0.0, 1.0), [(1.0, "full"), (0.0, "empty")], height=100), 2)
    words = {word.text: word.attrib["style"] for word in plot.iter("i")}
    top = BORDER_ROW + PANEL_GAP
    assert words["full"] == f"top:{top}px"
    assert words["empty"] == f"top:{top + 100 - 17}px"
    border = next(link for link in plot.iter("a") if "class" in link.attrib)
    assert (border.attrib["href"], border.attrib["style"]) == ("#g1", "left:0.00%")


def test_no_steps_are_an_empty_plot() -> None:
    assert drawn(Panel("t", (0.0, 1.0)), 0).tag == "div"
