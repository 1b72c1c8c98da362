"""Plots over steps: everything stands within its panel, and each step is a link."""

import re
from xml.etree import ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from master.reports.trend_plot import BORDER_ROW, PANEL_GAP, Border, Panel, Target, trend_plot

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
