from xml.etree import ElementTree

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
