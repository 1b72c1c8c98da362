"""Answers requests for pictures of jobs of trials."""

from __future__ import annotations

import asyncio
import re
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeVar

from starlette.responses import Response

from master.api.routing import Operation
from master.api.rules import CONTENT_SECURITY, SECURITY_FIELDS, Need, Refusal, RefusedError
from master.api.site import Site
from master.contract.job_words import JobNumber
from master.contract.shapes import Count, Rate, Shown
from master.contract.views import JobConvergence, JobFlow, JobView
from master.games.job_words import Outcome
from master.games.table import front_of
from master.reports.job_table import round_count

Values = tuple[float | None, ...]

T = TypeVar("T")

_JOB = "/api/jobs/{job}"


@dataclass(frozen=True, slots=True)
class OutcomeShown(Shown):
    """One way a game ends; see master.games.job_words."""

    name: str
    share: float
    is_won: bool | None


@dataclass(frozen=True, slots=True)
class AlternativeShown(Shown):
    """An alternative of a job of trials.

    Args:
        name: it.
        trials: folded.
        mean: of the ranking value; None: there is no trial yet.
        std_error: of the mean; None as well from a single trial.
        diff_to_best: the mean less that of the best alternative.
        diff_std_error: of that difference.
        is_out: it gets no more trials.
        means: after the rounds of the same place in `rounds`.
        std_errors: of these means.
        outcomes: how its games end.
    """

    name: str
    trials: Count
    mean: float | None
    std_error: Rate | None
    diff_to_best: float | None
    diff_std_error: Rate | None
    is_out: bool
    means: Values
    std_errors: Values
    outcomes: tuple[OutcomeShown, ...]


@dataclass(frozen=True, slots=True)
class Convergence(Shown):
    """The way of the means of a job's alternatives.

    `rounds`, `means` and `std_errors` are of stored trials; the other fields are newer.

    Args:
        job: its number.
        value: name of the ranking value.
        rounds: whole rounds folded, by which the means are shown.
        alternatives: of the job; of a search there are none.
        notes: lines for people.
        has_board: its position can be drawn.
        is_behind: more is stored than was read by now: ask again.
    """

    job: JobNumber
    value: str
    rounds: tuple[Count, ...]
    alternatives: tuple[AlternativeShown, ...]
    notes: tuple[str, ...]
    has_board: bool
    is_behind: bool


@dataclass(frozen=True, slots=True)
class Contribution(Shown):
    """An analyser's folded trials of a job."""

    name: str
    trials: Count


@dataclass(frozen=True, slots=True)
class Flow(Shown):
    """How results of a job came in since it went on in this master.

    Args:
        job: its number.
        is_live: it runs, and more is to come.
        seconds: since it went on, of each sample.
        received: results that are known and count, at each sample.
        folded: of those the ones in the folded prefix.
        stored: folded trials that were there when the job went on.
        analysers: which ones computed it, the most first.
    """

    job: JobNumber
    is_live: bool
    seconds: tuple[Rate, ...]
    received: tuple[Count, ...]
    folded: tuple[Count, ...]
    stored: Count
    analysers: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True)
class JobText(Shown):
    """A job's result as text; the name is of the option of `manyply show`, or `table`."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class JobTexts(Shown):
    """A job's result in all forms that its game writes."""

    job: JobNumber
    texts: tuple[JobText, ...]


class RolloutHandlers:
    """Answers requests for pictures of jobs of trials."""

    def __init__(self, site: Site) -> None:
        self._master = site.master

    @Operation("GET", f"{_JOB}/course", Need.READING)
    async def convergence(self, job: JobNumber) -> Convergence:
        """Show how the means of a job's alternatives have gone, and how their games end."""
        convergence = await self._master.convergence(job)
        return convergence_of(await self._master.show(job), convergence)

    @Operation("GET", f"{_JOB}/flow", Need.READING)
    async def flow(self, job: JobNumber) -> Flow:
        """Show how results came in since the job went on in this master, and from whom."""
        return flow_of(job, await self._master.flow(job))

    @Operation("GET", f"{_JOB}/texts", Need.READING)
    async def texts(self, job: JobNumber) -> JobTexts:
        """Show a job's result as texts to be pasted elsewhere, as `manyply show` prints them."""
        return await asyncio.to_thread(texts_of, await self._master.show(job))

    @Operation("GET", f"{_JOB}/board.svg", Need.READING, media="image/svg+xml")
    async def board(self, job: JobNumber) -> Response:
        """Draw the position that a job is of."""
        view = await self._master.show(job)
        job_board = front_of(view.game).job_board
        if job_board is None or view.search is not None:
            raise RefusedError(Refusal(404, "no-board", "the position of this job is not drawn"))
        try:
            drawing = job_board(view)
        except ValueError as error:  # the context is of another version
            raise RefusedError(Refusal(404, "no-board", str(error))) from None
        return Response(drawing, media_type="image/svg+xml", headers=drawing_fields(drawing))


def texts_of(view: JobView) -> JobTexts:
    """Return the texts of a job; only the table before it has a result."""
    front = front_of(view.game)
    found = {"table": front.job_lines(view, None)}
    if view.alternatives and view.search is None:
        found |= {name: form(view) for name, form in front.job_texts.items()}
    return JobTexts(
        view.job, tuple(JobText(name, "\n".join(lines)) for name, lines in found.items())
    )


def drawing_fields(drawing: str) -> dict[str, str]:
    """Return the fields of a drawing's answer: its own styles are let in, by their digests."""
    styles = re.findall(r"<style>(.*?)</style>", drawing, re.DOTALL)
    digests = [b64encode(sha256(style.encode()).digest()).decode() for style in styles]
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"
    policy = CONTENT_SECURITY.replace("style-src 'self'", f"style-src {allowed}")
    return SECURITY_FIELDS | {"Content-Security-Policy": policy}


def convergence_of(view: JobView, convergence: JobConvergence) -> Convergence:
    """Return the course of a job; of a search there is none."""
    front = front_of(view.game)
    count = 0 if view.search is not None else len(view.alternative_names)
    unit = front.job_unit()
    outcomes = _by_alternative(view, front.job_outcomes)
    notes = _by_alternative(view, front.job_notes)
    return Convergence(
        job=view.job,
        value=view.value_names[-1] if view.value_names else "",
        rounds=tuple(point.rounds for point in convergence.points),
        alternatives=tuple(
            _alternative(view, index, unit, convergence, outcomes[index] if outcomes else ())
            for index in range(count)
        ),
        notes=(*notes, *(f"Caught: {line}" for line in view.caught)),
        has_board=front.job_board is not None and count > 0,
        is_behind=convergence.is_behind,
    )


def _by_alternative(view: JobView, of: Callable[[JobView], Sequence[T]] | None) -> Sequence[T]:
    """Return a game's view of a job; nothing if it has none, or before a result."""
    if of is None or not view.alternatives or view.search is not None:
        return ()
    return of(view)


def _alternative(
    view: JobView, index: int, unit: float, convergence: JobConvergence, ends: Sequence[Outcome]
) -> AlternativeShown:
    """Return an alternative with its figures."""
    found = view.alternatives[index] if view.alternatives else None
    return AlternativeShown(
        name=view.alternative_names[index],
        trials=0 if found is None else found.trials,
        mean=None if found is None else _times(unit, found.means[-1]),
        std_error=None if found is None else _times(unit, found.std_errors[-1]),
        diff_to_best=None if found is None else _times(unit, found.diff_to_best),
        diff_std_error=None if found is None else _times(unit, found.diff_std_error),
        is_out=found is not None and found.trials < round_count(view),
        means=tuple(_times(unit, point.means[index]) for point in convergence.points),
        std_errors=tuple(_times(unit, point.std_errors[index]) for point in convergence.points),
        outcomes=tuple(OutcomeShown(*one) for one in ends),
    )


def _times(unit: float, value: float | None) -> float | None:
    return None if value is None else unit * value


def flow_of(job: int, flow: JobFlow) -> Flow:
    """Return how results of a job came in."""
    return Flow(
        job=job,
        is_live=flow.is_live,
        seconds=tuple(round(sample.at_s, 2) for sample in flow.samples),
        received=tuple(sample.received for sample in flow.samples),
        folded=tuple(sample.folded for sample in flow.samples),
        stored=flow.stored,
        analysers=tuple(Contribution(name, trials) for name, trials in flow.by_analyser),
    )
