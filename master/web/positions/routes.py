"""The routes of positions."""

from __future__ import annotations

from master.web.route import Route
from master.web.rules import Need
from master.web.shapes import TEXT

POSITION_ROUTES = (
    Route("games", "GET", "/api/games",
          "List the games, what can be asked about their positions, and how their matches are"
          " analysed.", Need.READING, "Games"),
    Route("position", "GET", "/api/positions",
          "Read a position: its board, its other names, and what cannot be asked about it.",
          Need.READING, "Position", query={"game": TEXT, "text": TEXT}),
    Route("ask", "POST", "/api/positions/ask",
          "Ask about a position; the report is the object that the command prints with --json.",
          Need.TOKEN, "PositionAnswer", "PositionQuestion"),
    Route("start", "POST", "/api/jobs", "Start a job about a position, such as a rollout.",
          Need.TOKEN, "Done", "JobWanted"),
)  # fmt: skip
