"""The reason that a job does not advance: no analyser of its master is ready.

Pure: the time is an argument.
"""

from __future__ import annotations

from collections.abc import Sequence

from master.contract.views import AnalyserLine, Update

UNSERVED_S = 1.0
"""An analyser that reconnects so fast needs no message. Updates come every half second, so that the
message comes within two seconds."""

NAMED_MAX = 3
"""Analysers that are named in the one line; there may be a thousand."""

WAITING_S = 5.0
"""The same of a master in this process: links are dialled, and lost ones again, sooner."""

WAITING = "no analyser is ready: waiting for one"

NO_ANALYSER = (
    "the master has no analyser, so nothing is computed yet: a daemon has no workers of its own "
    "unless it is started with --workers N, calls on others (--analyser, --fleet) or lets them dial"
    " in (--listen)"
)


class Unserved:
    """Makes a message that no analyser is ready, once each time that begins."""

    def __init__(self, *, is_elsewhere: bool = True) -> None:
        """Start with nothing seen; `is_elsewhere` says that the master is not this process."""
        self._is_elsewhere = is_elsewhere
        self._since: float | None = None
        self._is_said = False

    def is_for(self, wait_s: float, now: float) -> bool:
        """Return whether no analyser was ready for so long, by the last update; not at once."""
        since = self._since
        return since is not None and now - since >= max(wait_s, UNSERVED_S)

    def line(self, update: Update, now: float) -> str:
        """Return the message that is due now; mostly empty."""
        if update.is_final or any(line.state == "ready" for line in update.analysers):
            self._since, self._is_said = None, False
            return ""
        self._since = now if self._since is None else self._since
        if self._is_said or now - self._since < (UNSERVED_S if self._is_elsewhere else WAITING_S):
            return ""
        self._is_said = True
        return reason(update.analysers) if self._is_elsewhere else WAITING


def reason(analysers: Sequence[AnalyserLine]) -> str:
    """Return why nothing is computed, given analysers of which none is ready."""
    if not analysers:
        return NO_ANALYSER
    shown = [f"{line.name} {line.state}{line.text and f' ({line.text})'}" for line in analysers]
    more = len(shown) - NAMED_MAX
    named = ", ".join(shown[:NAMED_MAX]) + (f" and {more} more" if more > 0 else "")
    return f"no analyser of the master is ready, so nothing is computed yet: {named}"
