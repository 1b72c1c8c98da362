"""A timeline as JSON."""

from master.timeline.showing import ShownTimeline
from master.timeline.spans import COLUMNS, Ending
from master.timeline.timeline import NODES, Timeline
from master.web.timeline.resource import timeline_resource
from tests.master.web.timeline.made_up import made_up


def test_lanes_names_and_spans_are_told() -> None:
    reported = timeline_resource(made_up(), None)
    assert reported["lanes"] == [
        [0, "attic", 2, [[0, -1]]],
        [1, "barn", 1, [[0, 6_000_000]]],
    ]
    assert reported["names"] == [[0, 1, "noop"]]
    assert reported["columns"] == [*COLUMNS]
    ending, end = COLUMNS.index("ending"), COLUMNS.index("end")
    spans = reported["spans"]
    assert isinstance(spans, list)
    assert spans[ending] == [Ending.DONE, Ending.DONE, Ending.LOST, Ending.LOST]
    assert spans[end] == [3_000_000, 6_000_000, 6_000_000, 6_000_000]
    assert reported["began_ms"] == 1_700_000_100_000
    assert (reported["now"], reported["kept"]) == (10_000_000, 3_600_000_000)


def test_what_was_told_is_not_told_again() -> None:
    shown = made_up()
    first = timeline_resource(shown, None)
    second = timeline_resource(shown, str(first["next"]))
    assert (second["is_whole"], second["lanes"], second["names"]) == (False, [], [])
    assert second["spans"] == [[] for _ in COLUMNS]
    assert second["open"] == first["open"]


def test_a_recorded_one_stands_still() -> None:
    reported = timeline_resource(
        ShownTimeline(Timeline(NODES), "ab", title="a", node_ns=69.0), None
    )
    assert (reported["is_live"], reported["unit"], reported["began_ms"]) == (False, "nodes", None)
    assert (reported["kept"], reported["node_ns"], reported["title"]) == (None, 69.0, "a")
