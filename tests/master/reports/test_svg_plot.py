from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from master.reports.svg_plot import HEIGHT, WIDTH, Axes, Curve, speedup_plot, timeline_plot

AXES = Axes("a < b & c", "x", "y")
SVG = "{http://www.w3.org/2000/svg}"
positive = st.floats(0.01, 2000)


@given(st.lists(st.lists(st.tuples(st.floats(1, 1024), positive), min_size=1), min_size=1))
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
