"""Analysers that come, change, go and come back."""

from master.contract.commands import Incident, IncidentKind, StopPart
from master.contract.events import (
    AnalyserDraining,
    AnalyserLost,
    AnalyserReady,
    AnalyserResized,
    EngineOffer,
)
from master.contract.leases import Life
from master.scheduler.dispatch import fill
from master.scheduler.jobs import Analyser
from master.scheduler.outstanding import begin_waiting
from master.scheduler.paces import Paces
from master.scheduler.reclaiming import drop_analyser, quarantine
from master.scheduler.state import SchedulerState


def analyser_ready(state: SchedulerState, event: AnalyserReady) -> None:
    """Take an analyser in, or go on with one that came back within its grace."""
    analyser = state.analysers.get(event.analyser)
    offers = {offer.game: offer for offer in event.engines}
    if analyser is None:
        workers = max(1, event.workers)
        analyser = Analyser(event.analyser, event.name, workers, offers, host=event.host)
        state.analysers[event.analyser] = analyser
    else:
        _come_back(state, analyser)
        _resize(state, analyser, max(1, event.workers), offers)
    fill(state, analyser)


def analyser_resized(state: SchedulerState, event: AnalyserResized) -> None:
    """Give an analyser parts for its further workers, or only as many as fewer can compute."""
    analyser = state.analysers.get(event.analyser)
    if analyser is not None:
        offers = {offer.game: offer for offer in event.engines}
        _resize(state, analyser, max(1, event.workers), offers)
        fill(state, analyser)


def _resize(
    state: SchedulerState, analyser: Analyser, workers: int, offers: dict[str, EngineOffer]
) -> None:
    """Take over an analyser's new workers and engines; surplus parts in hand are finished."""
    number, factor = analyser.number, workers / analyser.workers
    for job in state.active:
        before, now = (each.get(job.spec.game) for each in (analyser.offers, offers))
        if now is not None and (before is None or not before.is_like(now)):
            job.unsuited.pop(number, None)  # it may be able to now
    analyser.workers, analyser.offers = workers, offers
    analyser.turn += 1  # its cached lanes are of the former workers
    for fleet, game in _paces_of(state, number):
        pace = fleet[number]
        before_rate, pace.power = pace.rate, offers[game].power if game in offers else pace.power
        pace.rescale(factor, state.now)
        fleet.fleet_rate = max(0.0, fleet.fleet_rate + pace.rate - before_rate)
        pace.resize(workers, fleet.fleet_rate, state.options)
    begin_waiting(analyser, state.now)


def _paces_of(state: SchedulerState, number: int) -> list[tuple[Paces, str]]:
    """Return each fleet that an analyser has a pace in, once, and the game of it."""
    fleets = {id(job.paces): (job.paces, job.spec.game) for job in state.active}
    return [(fleet, game) for fleet, game in fleets.values() if number in fleet]


def _come_back(state: SchedulerState, analyser: Analyser) -> None:
    """Go on with a session: its parts' clocks start anew.

    A part that showed no sign of life may never have arrived: its silence is the only sign of that.
    A request to stop may have been lost, or was not sent while it was away: it is repeated.
    """
    analyser.away_until = None
    analyser.is_suspect = False
    analyser.update_taking()
    for lease in analyser.leases.values():
        is_doubtful = lease.moved_at is None or lease.life is Life.DOUBTFUL
        lease.live(Life.DOUBTFUL if is_doubtful else Life.AT_WORK)
        lease.moved_at = None
        if lease.is_stopped and lease.sent < lease.end:
            state.out.append(StopPart(analyser.number, lease.part.number, lease.attempt))


def analyser_lost(state: SchedulerState, event: AnalyserLost) -> None:
    """Hold a session's parts for its grace, or give them back at once."""
    analyser = state.analysers.get(event.analyser)
    if analyser is None:
        return
    if event.breach:
        text = f"{analyser.name}: {event.reason}"
        state.out.append(Incident(IncidentKind.RULE_BROKEN, text, analyser.number))
        quarantine(state, analyser, event.breach, text)
    elif event.grace_s > 0.0:
        analyser.away_until = state.now + event.grace_s
        state.tick_at = min(state.tick_at, analyser.away_until)
        analyser.update_taking()
        state.hungry.pop(analyser.number, None)
    else:
        drop_analyser(state, analyser, is_death=not event.is_orderly)


def analyser_draining(state: SchedulerState, event: AnalyserDraining) -> None:
    """Hand an analyser no new parts."""
    analyser = state.analysers.get(event.analyser)
    if analyser is not None:
        analyser.is_draining = True
        analyser.update_taking()
        state.hungry.pop(analyser.number, None)
