"""The routes of search trees."""

from __future__ import annotations

from master.web.route import Route
from master.web.rules import Need

SEARCH_ROUTES = (
    Route("search_tree", "GET", "/api/jobs/{job}/tree",
          "Show the top of the tree of a running search.", Need.READING, "SearchTree"),
)  # fmt: skip
