"""The handlers of the web endpoint but those of jobs and analysers: routes by their names.

Each class is made of the site; its routes are in the table of its folder.
"""

from __future__ import annotations

from collections.abc import Callable

from master.web.answering import Site
from master.web.games.handlers import GameHandlers
from master.web.matches.handlers import MatchesHandlers
from master.web.positions.handlers import PositionsHandlers
from master.web.rollouts.handlers import Rollouts
from master.web.searches.handlers import SearchHandlers
from master.web.timeline.handlers import TimelineHandlers

HANDLER_TABLE: tuple[Callable[[Site], object], ...] = (
    Rollouts, SearchHandlers, PositionsHandlers, MatchesHandlers, GameHandlers, TimelineHandlers,
)  # fmt: skip
