"""The routes of matches."""

from __future__ import annotations

from master.web.route import Route
from master.web.rules import Need

_MATCH = "/api/matches/{match}"

MATCH_ROUTES = (
    Route("matches", "GET", "/api/matches",
          "List the matches that are analysed or were, oldest first.", Need.READING, "Matches"),
    Route("hand_in", "POST", "/api/matches",
          "Have a match analysed; it goes on while other things are asked.", Need.TOKEN, "Match",
          "MatchFile"),
    Route("match", "GET", _MATCH, "Show how far a match is analysed.", Need.READING, "Match"),
    Route("match_report", "GET", f"{_MATCH}/report.html",
          "Show the report of a match, one file of HTML.", Need.READING, media="text/html"),
    Route("forget_match", "POST", f"{_MATCH}/forget",
          "Forget a match, and analyse it no further.", Need.TOKEN, "Match"),
)  # fmt: skip
