"""The routes of pictures of jobs of trials."""

from __future__ import annotations

from master.web.route import Route
from master.web.rules import Need

_JOB = "/api/jobs/{job}"

ROUTES = (
    Route("course", "GET", f"{_JOB}/course",
          "Show how the means of a job's alternatives have gone, and how their games end.",
          Need.READING, "Course"),
    Route("flow", "GET", f"{_JOB}/flow",
          "Show how results came in since the job went on in this master, and from whom.",
          Need.READING, "Flow"),
    Route("board", "GET", f"{_JOB}/board.svg", "Draw the position that a job is of.",
          Need.READING, media="image/svg+xml"),
)  # fmt: skip
