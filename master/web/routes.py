"""All routes of the web endpoint: one table, which it serves and the document describes."""

from __future__ import annotations

from master.web.games.routes import GAME_ROUTES
from master.web.matches.routes import MATCH_ROUTES
from master.web.positions.routes import POSITION_ROUTES
from master.web.rollouts import routes as rollouts
from master.web.route import Route
from master.web.rules import Need
from master.web.searches.routes import SEARCH_ROUTES
from master.web.timeline.routes import TIMELINE_ROUTES

_JOB = "/api/jobs/{job}"

ROUTES = (
    Route("health", "GET", "/healthz", "Say that the door is open.", Need.NOTHING,
          media="text/plain"),
    Route("document", "GET", "/api/openapi.json", "Describe all of this.", Need.NOTHING,
          "Document"),
    Route("session", "POST", "/api/session",
          "Trade the token for a cookie that lets one read.", Need.TOKEN, "Session"),
    Route("master", "GET", "/api/master", "Show the master and its numbers.", Need.READING,
          "Master"),
    Route("analysers", "GET", "/api/analysers", "List all analysers.", Need.READING, "Analysers"),
    Route("jobs", "GET", "/api/jobs", "List all jobs, oldest first.", Need.READING, "Jobs"),
    Route("job", "GET", _JOB, "Show a job with its game's report.", Need.READING, "JobPage"),
    Route("halt", "POST", f"{_JOB}/halt",
          "Stop a job; answered when all that was computed is stored.", Need.TOKEN, "Done"),
    Route("resume", "POST", f"{_JOB}/resume", "Go on with a job.", Need.TOKEN, "Done"),
    Route("extend", "POST", f"{_JOB}/extend",
          "Add trials of each alternative, and go on.", Need.TOKEN, "Done", "Extension"),
    Route("prioritise", "POST", f"{_JOB}/priority",
          "Put a running job of trials into the background, or back.", Need.TOKEN, "Done", "Place"),
    Route("forget", "POST", f"{_JOB}/forget",
          "Delete a job with all that is stored of it; a running one is refused.", Need.TOKEN,
          "Done"),
    Route("events", "GET", "/api/events",
          "Follow analysers, jobs and numbers: an event `state` with everything, then `changes`,"
          " and `alive` where nothing changes.", Need.READING, media="text/event-stream"),
    *rollouts.ROUTES,
    *SEARCH_ROUTES,
    *POSITION_ROUTES,
    *MATCH_ROUTES,
    *GAME_ROUTES,
    *TIMELINE_ROUTES,
)  # fmt: skip
