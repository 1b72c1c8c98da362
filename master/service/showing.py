"""A master's analysers and results, as displays and the status command show them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from master.contract.figures import ANALYSER_STATES, Figures
from master.contract.views import AnalyserLine, HeldPart
from master.scheduler.standings import AnalyserStanding, LeaseStanding
from master.service.analysers.doors import Door
from master.service.analysers.seats import Seat
from master.service.core import Core
from master.service.searches import Searches
from master.store.writer import GROUP_AGE_S_MAX, GROUP_TRIALS_MAX


def analyser_lines(
    core: Core, doors: Sequence[Door], searching: Mapping[int, int]
) -> tuple[AnalyserLine, ...]:
    """Return all analysers by name: those that work, and those behind doors that do not.

    Args:
        core: the scheduler's shell.
        doors: of the fleet.
        searching: parts of searches that analysers have in hand, by session.
    """
    seats = {seat.number: seat for seat in core.seats}
    lines = [
        _line(core, view, seats.get(view.analyser), searching.get(view.analyser, 0))
        for view in core.scheduler.analysers()
    ]
    for door in _closed_doors(core, doors):
        name = door.name or door.address
        line = AnalyserLine(name, door.address, door.state, text=door.text)
        lines.append(_with_incidents(core, line, door.seen_as))
    return tuple(sorted(lines, key=lambda line: (line.name, line.address)))


def _line(core: Core, view: AnalyserStanding, seat: Seat | None, searching: int) -> AnalyserLine:
    offers = () if seat is None else tuple(seat.offers.values())
    is_searching = view.state == "unsuited" and searching > 0  # of jobs that the scheduler has not
    line = AnalyserLine(
        name=view.name,
        address="" if seat is None else seat.door.address,
        state="ready" if is_searching else view.state,
        workers=view.workers,
        parts=view.parts + searching,
        trials=view.trials,
        trials_per_s=view.trials_per_s,
        powers=tuple((offer.game, offer.power) for offer in offers),
        round_trip_s=None if seat is None else seat.round_trip_s,
        part=_held_part(view.lease),
        text="" if is_searching else view.text,
    )
    return _with_incidents(core, line, view.name)


def _held_part(lease: LeaseStanding | None) -> HeldPart | None:
    if lease is None:
        return None
    return HeldPart(lease.job if lease.job > 0 else None, lease.first, lease.count)


def _with_incidents(core: Core, line: AnalyserLine, name: str) -> AnalyserLine:
    counts = core.incidents.counts(name)
    if not counts:
        return line
    return replace(line, incident_counts=counts, incidents=core.incidents.latest(name))


def _closed_doors(core: Core, doors: Sequence[Door]) -> list[Door]:
    """Return the doors without a known analyser: one that still loads engines is not known yet."""
    closed = [door for door in doors if door.state != "ready"]
    known = {view.analyser for view in core.scheduler.analysers()} if closed else set()
    used = [seat.door for seat in core.seats if seat.number in known]
    return [door for door in closed if door not in used]


def status_lines(core: Core, searches: Searches, doors: Sequence[Door]) -> list[str]:
    """Return the state of analysers, of their parts and of their results, for people."""
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
    """Return the possible loss of data, for people."""
    return (
        f"durability: results are acknowledged once committed to {path.name} "
        f"(WAL, synchronous=FULL), in groups of {GROUP_TRIALS_MAX} or {GROUP_AGE_S_MAX:g} s"
    )
