"""A master's analysers, results and timeline, as displays and the status command show them."""

import secrets
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from master.contract.views import ANALYSER_STATES, AnalyserLine, Figures, HeldPart, OfferedEngine
from master.scheduler.limits import Log
from master.scheduler.scheduler import AnalyserStatus, LeaseStatus
from master.service.analysers.endpoints import Endpoint
from master.service.analysers.sessions import Session
from master.service.core import Core
from master.service.searches import Searches
from master.store.writer import GROUP_AGE_S_MAX, GROUP_TRIALS_MAX
from master.timeline.journal import Journal
from master.timeline.showing import ShownTimeline
from master.timeline.timeline import Timeline
from master.timeline.turns import JobTurns, LiveSearches


def analyser_lines(
    core: Core, endpoints: Sequence[Endpoint], searching: Mapping[int, int]
) -> tuple[AnalyserLine, ...]:
    """Return all analysers by name: those that work, and those behind endpoints that do not.

    Args:
        core: the scheduler's shell.
        endpoints: of the fleet.
        searching: parts of searches that analysers have in hand, by session.
    """
    sessions = {session.number: session for session in core.sessions}
    lines = [
        _line(core, view, sessions.get(view.analyser), searching.get(view.analyser, 0))
        for view in core.scheduler.analysers()
    ]
    for endpoint in _closed_endpoints(core, endpoints):
        name = endpoint.name or endpoint.address
        line = AnalyserLine(name, endpoint.address, endpoint.state, text=endpoint.text)
        lines.append(_with_incidents(core, line, endpoint.seen_as))
    return with_keys(sorted(lines, key=lambda line: (line.name, line.address)))


def with_keys(lines: Sequence[AnalyserLine]) -> tuple[AnalyserLine, ...]:
    """Return the analysers, each with a key of its own.

    It is name and address, and of several that share both, which of them it is.
    """
    seen: Counter[tuple[str, str]] = Counter()
    keyed = []
    for line in lines:
        seen[line.name, line.address] += 1
        key = f"{line.name} {line.address} {seen[line.name, line.address]}"
        keyed.append(replace(line, key=key))
    return tuple(keyed)


def _line(
    core: Core, view: AnalyserStatus, session: Session | None, searching: int
) -> AnalyserLine:
    offers = () if session is None else tuple(session.offers.values())
    is_searching = view.state == "unsuited" and searching > 0  # of jobs that the scheduler has not
    line = AnalyserLine(
        name=view.name,
        address="" if session is None else session.endpoint.address,
        state="ready" if is_searching else view.state,
        workers=view.workers,
        parts=view.parts + searching,
        trials=view.trials,
        trials_per_s=view.trials_per_s,
        powers=tuple((offer.game, offer.power) for offer in offers),
        engines=tuple(OfferedEngine(offer.game, offer.digest, offer.name) for offer in offers),
        round_trip_s=None if session is None else session.round_trip_s,
        part=_held_part(view.lease),
        text="" if is_searching else view.text,
    )
    return _with_incidents(core, line, view.name)


def _held_part(lease: LeaseStatus | None) -> HeldPart | None:
    if lease is None:
        return None
    return HeldPart(lease.job, lease.first, lease.count)


def _with_incidents(core: Core, line: AnalyserLine, name: str) -> AnalyserLine:
    counts = core.incidents.counts(name)
    if not counts:
        return line
    return replace(line, incident_counts=counts, incidents=core.incidents.latest(name))


def _closed_endpoints(core: Core, endpoints: Sequence[Endpoint]) -> list[Endpoint]:
    """Return the endpoints without a known analyser: one that loads engines is not known yet."""
    closed = [endpoint for endpoint in endpoints if endpoint.state != "ready"]
    known = {view.analyser for view in core.scheduler.analysers()} if closed else set()
    used = [session.endpoint for session in core.sessions if session.number in known]
    return [endpoint for endpoint in closed if endpoint not in used]


def status_lines(core: Core, searches: Searches, endpoints: Sequence[Endpoint]) -> list[str]:
    """Return the state of analysers, of their parts and of their results, for people."""
    scheduler = core.scheduler
    here, ready, workers = scheduler.analyser_counts()
    waiting = scheduler.parts_waiting + searches.parts_waiting
    count = here + len(_closed_endpoints(core, endpoints))
    return [
        f"analysers: {ready} ready of {count}, {workers} workers",
        f"parts: {waiting} wait for further analysers, {_busy_count(core, searches)} workers are"
        " busy",
        f"results: {scheduler.duplicate_count} computed twice and equal, "
        f"{scheduler.dropped_count} of parts that were gone",
    ]


def figures(
    core: Core, searches: Searches, endpoints: Sequence[Endpoint], jobs: Mapping[str, int]
) -> Figures:
    """Return all of it in numbers.

    Args:
        core: the scheduler's shell.
        searches: those that are going on.
        endpoints: of the fleet.
        jobs: how many are in each state.
    """
    scheduler = core.scheduler
    states = Counter(view.state for view in scheduler.analysers())
    states.update(endpoint.state for endpoint in _closed_endpoints(core, endpoints))
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


class LivingTimeline:
    """Records the events of a master's jobs and searches.

    Args:
        clock: the loop's.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._timeline = Timeline()
        self._journal = Journal(self._timeline)
        self.searches = LiveSearches(self._journal)

    @property
    def log(self) -> Log:
        """The function to be called at each turn of the scheduler."""
        return JobTurns(self._journal).turn

    def shown(self) -> ShownTimeline:
        """Return it as it is shown from now on."""
        return ShownTimeline(
            self._timeline,
            secrets.token_hex(8),
            self._clock,
            time.time() - self._clock(),
            journal=self._journal,
        )
