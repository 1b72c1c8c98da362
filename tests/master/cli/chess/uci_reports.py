"""What searches of the UCI engine report, heard to the end."""

from __future__ import annotations

import queue

from master.games.chess.uci.wording import Iteration

WAIT_S_MAX = 20

Reports = queue.Queue[tuple[Iteration, bool]]


def until_end(reports: Reports) -> list[Iteration]:
    """Return what is reported, the end's report last."""
    found = []
    while True:
        iteration, is_end = reports.get(timeout=WAIT_S_MAX)
        found.append(iteration)
        if is_end:
            return found
