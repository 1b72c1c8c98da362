"""Translation of a running search's messages into calls of a timeline: requests and replies."""

from __future__ import annotations

from collections.abc import Sequence

from master.contract.events import PartEnded
from master.contract.reading import Work
from master.search.running.run import Send
from master.timeline.job_turns import ENDINGS
from master.timeline.journal import TimelineRecorder
from master.timeline.spans import Kind
from master.timeline.timeline import Part
from protocol.messages import Search, Stop


class LiveSearches:
    """Passes the messages of all searches of a master on to a timeline."""

    def __init__(self, timeline: TimelineRecorder) -> None:
        self._timeline = timeline

    def begin(self, search: int, game: str) -> None:
        """A search begins."""
        self._timeline.name(Kind.SEARCH, search, game)

    def send(self, search: int, sent: Send, now: float) -> None:
        """A session is sent a message."""
        timeline, message = self._timeline, sent.message
        if isinstance(message, Search):
            timeline.advance(now)
            part = Part(Kind.SEARCH, search, message.part, message.attempt, is_urgent=True)
            timeline.hand_out(sent.session, part)
        elif isinstance(message, Stop):
            timeline.advance(now)
            timeline.ask_to_stop(message.part, message.attempt, is_shot=sent.is_shot)

    def receive(self, work: Sequence[Work], now: float) -> None:
        """A session has replied about parts of searches."""
        for ended in work:
            if isinstance(ended, PartEnded):
                self._timeline.advance(now)
                self._timeline.end(ended.part, ended.attempt, ENDINGS[ended.outcome])
