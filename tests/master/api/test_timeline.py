"""A timeline as JSON, and requests for it."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from master.api import timeline as module
from master.api.routing import adapter
from master.api.timeline import timeline_of
from master.timeline.showing import ShownTimeline
from master.timeline.spans import COLUMNS, Ending
from master.timeline.timeline import NODES, Timeline
from tests.master.api.asgi import asked, page_of, site_of
from tests.master.api.fake_master import FakeMaster
from tests.master.api.made_up_timeline import made_up
from tests.master.timeline.streams import random_timeline

BOTH = adapter(module.Timeline)


def said(shown: ShownTimeline, cursor: str = "") -> Any:
    return json.loads(BOTH.dump_json(timeline_of(shown, cursor)))


async def test_reader_goes_on_from_a_cursor() -> None:
    app = page_of(replace(site_of(FakeMaster()), timeline=made_up()))
    first = (await asked(app, "GET", "/api/timeline")).json
    assert [lane[1] for lane in first["lanes"]] == ["attic", "barn"]
    again = await asked(app, "GET", f"/api/timeline?since={first['next']}")
    assert again.json["lanes"] == []
    for cursor in ("ff-1-1", "x", "%00", "-", "9" * 400):
        anew = (await asked(app, "GET", f"/api/timeline?since={cursor}")).json
        assert anew["is_whole"]
        assert anew["lanes"] == first["lanes"]


async def test_endpoint_without_one_shows_an_empty_one() -> None:
    reported = (await asked(page_of(site_of(FakeMaster())), "GET", "/api/timeline")).json
    assert (reported["lanes"], reported["is_live"]) == ([], False)


async def test_client_without_permission_is_refused() -> None:
    app = page_of(site_of(FakeMaster()), is_reading_free=False)
    assert (await asked(app, "GET", "/api/timeline")).status == 401


def test_it_has_lanes_names_and_spans() -> None:
    reported = said(made_up())
    assert reported["lanes"] == [
        [0, "attic", 2, [[0, -1]]],
        [1, "barn", 1, [[0, 6_000_000]]],
    ]
    assert reported["names"] == [[0, 1, "noop"]]
    assert reported["columns"] == [*COLUMNS]
    ending, end = COLUMNS.index("ending"), COLUMNS.index("end")
    spans = reported["spans"]
    assert spans[ending] == [Ending.DONE, Ending.DONE, Ending.LOST, Ending.LOST]
    assert spans[end] == [3_000_000, 6_000_000, 6_000_000, 6_000_000]
    assert reported["began_ms"] == 1_700_000_100_000
    assert (reported["now"], reported["kept"]) == (10_000_000, 3_600_000_000)


def test_spans_before_the_cursor_are_left_out() -> None:
    shown = made_up()
    first = said(shown)
    second = said(shown, first["next"])
    assert (second["is_whole"], second["lanes"], second["names"]) == (False, [], [])
    assert second["spans"] == [[] for _ in COLUMNS]
    assert second["open"] == first["open"]


def test_time_of_a_record_does_not_go_on() -> None:
    reported = said(ShownTimeline(Timeline(NODES), "ab", title="a", node_ns=69.0))
    assert (reported["is_live"], reported["unit"], reported["began_ms"]) == (False, "nodes", None)
    assert (reported["kept"], reported["node_ns"], reported["title"]) == (None, 69.0, "a")


@pytest.mark.slow
@given(st.integers(0, 1 << 32), st.integers(0, 60))
def test_every_timeline_comes_back_from_its_json(seed: int, steps: int) -> None:
    written = BOTH.dump_json(timeline_of(ShownTimeline(random_timeline(seed, steps), "ab"), ""))
    assert BOTH.dump_json(BOTH.validate_json(written)) == written


@pytest.mark.parametrize("name", ["lanes", "names", "spans", "open"])
def test_other_shapes_are_no_timeline(name: str) -> None:
    with pytest.raises(ValidationError):
        BOTH.validate_json(json.dumps(said(made_up()) | {name: [["x"]]}))
