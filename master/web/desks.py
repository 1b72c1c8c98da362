"""The desks of the web door beside that of jobs and analysers: each answers routes by their names.

A desk is made of the site; its routes stand in the table of its room.
"""

from __future__ import annotations

from collections.abc import Callable

from master.web.answering import Site
from master.web.timeline.desk import TimelineDesk

DESKS: tuple[Callable[[Site], object], ...] = (
    TimelineDesk,
)  # fmt: skip
