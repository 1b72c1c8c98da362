"""A master's state in numbers, for those who watch it or size its fleet."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from master.contract.shapes import Count, Shown

ANALYSER_STATES = ("ready", "away", "draining", "suspect", "unsuited", "connecting", "quarantined")
"""Of an analyser, or of a way in through which no analyser has come."""


@dataclass(frozen=True, slots=True)
class Figures(Shown):
    """A master's numbers at one moment; counts of results are since it began.

    Args:
        parts_waiting: parts that could be handed to further analysers now: see
            master.scheduler.waiting and, of a search, find_waiting in master.search.assignment.
        workers_busy: worker threads that have a part to compute.
        analysers: how many are in each of ANALYSER_STATES.
        jobs: how many are in each state of a job, by its word.
        results: of trials and questions, that were new.
        duplicates: that were known already, with the same values.
        dropped: of parts that were gone.
    """

    parts_waiting: Count = 0
    workers_busy: Count = 0
    analysers: Mapping[str, Count] = field(default_factory=dict)
    jobs: Mapping[str, Count] = field(default_factory=dict)
    results: Count = 0
    duplicates: Count = 0
    dropped: Count = 0
