"""The routes of a timeline."""

from __future__ import annotations

from master.web.route import Route
from master.web.rules import Need
from master.web.shapes import TEXT

TIMELINE_ROUTES = (
    Route("timeline", "GET", "/api/timeline",
          "Show who computed which part when: what is new since a cursor, `next` of an answer.",
          Need.READING, "Timeline", query={"since": TEXT}),
)  # fmt: skip
