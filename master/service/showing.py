"""How a master's analysers and results stand, as displays and the status command show them.

Knows the scheduler's shell and the doors of the fleet; reads, and changes nothing.
"""

from collections.abc import Sequence
from pathlib import Path

from master.contract.views import AnalyserLine
from master.service.analysers.doors import Door
from master.service.core import Core
from master.store.writer import GROUP_AGE_S_MAX, GROUP_TRIALS_MAX


def analyser_lines(core: Core, doors: Sequence[Door]) -> tuple[AnalyserLine, ...]:
    """Return all analysers by name: those that work, and those behind doors that do not."""
    seats = {seat.number: seat for seat in core.seats}
    lines = [
        AnalyserLine(
            name=view.name,
            address=seats[view.analyser].door.address if view.analyser in seats else "",
            state=view.state,
            workers=view.workers,
            parts=view.parts,
            trials=view.trials,
            trials_per_s=view.trials_per_s,
        )
        for view in core.scheduler.analysers()
    ]
    lines += [
        AnalyserLine(door.name or door.address, door.address, door.state, text=door.text)
        for door in _closed_doors(core, doors)
    ]
    return tuple(sorted(lines, key=lambda line: (line.name, line.address)))


def _closed_doors(core: Core, doors: Sequence[Door]) -> list[Door]:
    """Return those behind which nobody works."""
    closed = [door for door in doors if door.state != "ready"]
    used = [seat.door for seat in core.seats] if closed else []
    return [door for door in closed if door not in used]


def status_lines(core: Core, doors: Sequence[Door]) -> list[str]:
    """Return how analysers and their results stand, for people."""
    scheduler = core.scheduler
    here, ready, workers = scheduler.analyser_counts()
    return [
        f"analysers: {ready} ready of {here + len(_closed_doors(core, doors))}, {workers} workers",
        f"results: {scheduler.duplicate_count} computed twice and equal, "
        f"{scheduler.dropped_count} of parts that were gone",
    ]


def durability_line(path: Path) -> str:
    """Return what may be lost, for people."""
    return (
        f"durability: results are acknowledged once committed to {path.name} "
        f"(WAL, synchronous=FULL), in groups of {GROUP_TRIALS_MAX} or {GROUP_AGE_S_MAX:g} s"
    )
