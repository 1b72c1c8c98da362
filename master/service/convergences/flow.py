"""The flow of a job's results: received and folded over time, and by analyser. Pure."""

from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace

from master.contract.views import FlowSample, JobFlow

SAMPLES_MAX = 256
"""More than a curve as wide as a page shows; twice as far apart whenever there are more."""

NAMES_MAX = 32
"""Analysers shown by name; the rest are shown together, under `OTHERS`."""

OTHERS = "all others"

FLOWS_MAX = 64
"""Jobs whose flows are remembered: as many as can run at a time."""


class Staircase:
    """Samples over time, of which every other one goes when there are too many.

    The first and the newest one always stay, and where nothing changes two are enough.
    """

    def __init__(self) -> None:
        """Start with none."""
        self._kept: list[FlowSample] = []
        self._newest: FlowSample | None = None
        self._gap_s = 0.0

    def record(self, sample: FlowSample) -> None:
        """Take a sample in; times never go back."""
        kept, newest = self._kept, self._newest
        if not kept:
            kept.append(sample)
            return
        if newest is not None and newest.at_s - kept[-1].at_s >= self._gap_s:
            is_flat = _counts(kept[-1]) == _counts(newest) == _counts(sample)
            if not is_flat:
                kept.append(newest)
        self._newest = sample
        if len(kept) > SAMPLES_MAX:
            self._kept = kept[::2]
            self._gap_s = max(2 * self._gap_s, (kept[-1].at_s - kept[0].at_s) / SAMPLES_MAX)

    def samples(self) -> tuple[FlowSample, ...]:
        """Return the samples, oldest first."""
        return tuple(self._kept) + (() if self._newest is None else (self._newest,))


def _counts(sample: FlowSample) -> tuple[int, int]:
    return sample.received, sample.folded


class Flow:
    """The flow of one job.

    Args:
        began_at: when it went on.
        stored: its results that were there by then.
    """

    def __init__(self, began_at: float, stored: int) -> None:
        self._began_at = began_at
        self._stored = stored
        self._staircase = Staircase()
        self._counted = 0  # trials of the prefix whose analysers are counted
        self._withdrawals = 0
        self._by_name: Counter[str] = Counter()

    def observe(
        self,
        now: float,
        counts: tuple[int, int],
        folded_end: int,
        withdrawals: int,
        sources: Callable[[int, int], Mapping[str, int]],
    ) -> None:
        """Take a sample of the job.

        Args:
            now: when.
            counts: results received, and those folded.
            folded_end: length of the folded prefix.
            withdrawals: how often results of an analyser were taken out.
            sources: takes first and end of trials, and returns how many come from each analyser.
        """
        self._staircase.record(FlowSample(now - self._began_at, *counts))
        if folded_end < self._counted or withdrawals != self._withdrawals:
            self._counted, self._withdrawals = 0, withdrawals
            self._by_name.clear()
        if folded_end > self._counted:
            self._by_name.update(sources(self._counted, folded_end))
            self._counted = folded_end

    def view(self) -> JobFlow:
        """Return how results came in."""
        ranked = sorted(self._by_name.items(), key=lambda pair: (-pair[1], pair[0]))
        view, rest = ranked[:NAMES_MAX], ranked[NAMES_MAX:]
        if rest:
            view.append((OTHERS, sum(count for _, count in rest)))
        return JobFlow(self._staircase.samples(), tuple(view), self._stored)


class Flows:
    """The flows of the jobs that went on last."""

    def __init__(self) -> None:
        """Start with none."""
        self._flows: OrderedDict[int, Flow] = OrderedDict()

    def begin(self, job: int, now: float, stored: int) -> Flow:
        """Return the flow of a job that goes on now, in place of an earlier one."""
        flow = self._flows[job] = Flow(now, stored)
        self._flows.move_to_end(job)
        while len(self._flows) > FLOWS_MAX:
            self._flows.popitem(last=False)
        return flow

    def view(self, job: int, *, is_live: bool) -> JobFlow | None:
        """Return how results of a job came in; None: it is not known here."""
        flow = self._flows.get(job)
        return None if flow is None else replace(flow.view(), is_live=is_live)
