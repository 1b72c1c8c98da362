"""The scheduler's state for displays and status commands: plain values.

A view is a copy and is never updated.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LeaseStatus:
    """An attempt.

    Args:
        job: the number of its job of trials; None: it is a question.
        first: its first trial, or question.
        count: how many.
    """

    job: int | None
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class AnalyserStatus:
    """One analyser as a display shows it.

    Args:
        analyser: the session.
        name: as it announced itself.
        workers: its worker threads.
        state: "ready", "away" (its session may come back), "draining", "suspect", or "unsuited"
            (it can compute none of the jobs that go on).
        parts: parts outstanding.
        window: how many parts it may hold.
        trials: results it has delivered that were new.
        trials_per_s: its observed rate; 0.0 before the first result.
        lease: the lease that it computes first; None: none.
        text: of an unsuited one the reason, for people.
    """

    analyser: int
    name: str
    workers: int
    state: str
    parts: int
    window: int
    trials: int
    trials_per_s: float
    lease: LeaseStatus | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class JobStatus:
    """One job as a display shows it.

    Args:
        job: its number.
        is_ended: no more parts will be handed out.
        trials_target: trials over all alternatives until its limit; None: no limit.
        folded: trials in the folded prefix.
        held: results that wait for a gap to close.
        leased: trials outstanding at analysers, counted for each attempt.
    """

    job: int
    is_ended: bool
    trials_target: int | None
    folded: int
    held: int
    leased: int
