"""How a master's analysers and results stand, as displays and the status command show them.

Knows the scheduler's shell and the doors of the fleet; reads, and changes nothing.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from master.contract.figures import ANALYSER_STATES, Figures
from master.contract.views import AnalyserLine
from master.service.analysers.doors import Door
from master.service.core import Core
from master.service.searches import Searches
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
    """Return those behind which nobody works, or nobody yet: who loads engines is not known yet."""
    closed = [door for door in doors if door.state != "ready"]
    known = {view.analyser for view in core.scheduler.analysers()} if closed else set()
    used = [seat.door for seat in core.seats if seat.number in known]
    return [door for door in closed if door not in used]


def status_lines(core: Core, searches: Searches, doors: Sequence[Door]) -> list[str]:
    """Return how analysers, their parts and their results stand, for people."""
    scheduler = core.scheduler
    here, ready, workers = scheduler.analyser_counts()
    waiting = scheduler.parts_waiting + searches.parts_waiting
    return [
        f"analysers: {ready} ready of {here + len(_closed_doors(core, doors))}, {workers} workers",
        f"parts: {waiting} wait for further analysers, {_busy_count(core, searches)} workers are"
        " busy",
        f"results: {scheduler.duplicate_count} computed twice and equal, "
        f"{scheduler.dropped_count} of parts that were gone",
    ]


def figures(
    core: Core, searches: Searches, doors: Sequence[Door], jobs: Mapping[str, int]
) -> Figures:
    """Return all of it in numbers.

    Args:
        core: the scheduler's shell.
        searches: those that are going on.
        doors: of the fleet.
        jobs: how many are in each state.
    """
    scheduler = core.scheduler
    states = Counter(view.state for view in scheduler.analysers())
    states.update(door.state for door in _closed_doors(core, doors))
    return Figures(
        parts_waiting=scheduler.parts_waiting + searches.parts_waiting,
        workers_busy=_busy_count(core, searches),
        analysers={state: states[state] for state in ANALYSER_STATES},
        jobs=jobs,
        results=scheduler.result_count,
        duplicates=scheduler.duplicate_count,
        dropped=scheduler.dropped_count,
    )


def _busy_count(core: Core, searches: Searches) -> int:
    """Return how many workers have a part, of a job or of a search."""
    held = searches.held()
    views = core.scheduler.analysers()
    return sum(min(view.workers, view.parts + held[view.analyser]) for view in views)


def durability_line(path: Path) -> str:
    """Return what may be lost, for people."""
    return (
        f"durability: results are acknowledged once committed to {path.name} "
        f"(WAL, synchronous=FULL), in groups of {GROUP_TRIALS_MAX} or {GROUP_AGE_S_MAX:g} s"
    )
