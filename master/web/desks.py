"""The desks of the web door beside that of jobs and analysers: each answers routes by their names.

A desk is made of the site; its routes are in the table of its folder.
"""

from __future__ import annotations

from collections.abc import Callable

from master.web.answering import Site
from master.web.games.desk import GameDesk
from master.web.matches.desk import MatchesDesk
from master.web.positions.desk import PositionsDesk
from master.web.rollouts.desk import Rollouts
from master.web.searches.desk import SearchDesk
from master.web.timeline.desk import TimelineDesk

DESKS: tuple[Callable[[Site], object], ...] = (
    Rollouts, SearchDesk, PositionsDesk, MatchesDesk, GameDesk, TimelineDesk,
)  # fmt: skip
