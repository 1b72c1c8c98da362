"""Views as messages of the control socket, and back: exact both ways."""

from collections.abc import Sequence
from itertools import pairwise

from master.contract.job_words import JobState, Priority
from master.contract.search_views import HotSpot, SearcherLine, SearchView
from master.contract.views import (
    AlternativeSummary,
    AnalyserLine,
    HeldPart,
    JobRequest,
    JobView,
    Notice,
    NoticeKind,
    PastIncident,
    Update,
)
from protocol.control import (
    AlternativeShown,
    AnalyserShown,
    HotSpotShown,
    JobShown,
    NoticeShown,
    SearcherShown,
    SearchShown,
    Submit,
    Updated,
)
from protocol.control_fields import CAUGHT_MAX, to_long_text
from protocol.messages import Message


def to_submit(request: int, job: JobRequest) -> Submit:
    """Return the message that submits a job; pydantic's ValidationError for one out of range."""
    return Submit(
        request=request,
        context=job.context,
        trials=job.trials,
        stop_se=job.stop_se,
        stop_settled=job.stop_settled,
        label=job.label,
    )


def from_submit(message: Submit) -> JobRequest:
    """Return the job that a message submits."""
    return JobRequest(
        message.context, message.trials, message.stop_se, message.label, message.stop_settled
    )


def to_job(request: int, view: JobView) -> JobShown:
    """Return a job's line, without its alternatives."""
    return JobShown(
        request=request,
        job=view.job,
        state=view.state.value,
        stopped_by=view.stopped_by,
        error=to_long_text(view.error),
        game=view.game,
        engine=view.engine,
        digest=view.digest,
        created=view.created,
        trials=view.trials,
        stop_se=view.stop_se,
        stop_settled=view.stop_settled,
        folded=view.folded,
        held=view.held,
        trials_per_s=view.trials_per_s,
        eta_s=view.eta_s,
        alternatives=view.alternative_names,
        values=view.value_names,
        caught=tuple(to_long_text(line) for line in view.caught[:CAUGHT_MAX]),
        priority=view.priority.name.lower(),
        label=view.label,
        context=view.context,
    )


def from_job(
    message: JobShown,
    alternatives: tuple[AlternativeSummary, ...] = (),
    search: SearchView | None = None,
) -> JobView:
    """Return the job of a line and of the lines that follow it."""
    return JobView(
        job=message.job,
        context=message.context,
        digest=message.digest,
        game=message.game,
        engine=message.engine,
        alternative_names=message.alternatives,
        value_names=message.values,
        label=message.label,
        created=message.created,
        trials=message.trials,
        stop_se=message.stop_se,
        state=JobState(message.state),
        stopped_by=message.stopped_by,
        error=message.error,
        folded=message.folded,
        held=message.held,
        trials_per_s=message.trials_per_s,
        eta_s=message.eta_s,
        alternatives=alternatives,
        caught=message.caught,
        search=search,
        stop_settled=message.stop_settled,
        priority=Priority[(message.priority or Priority.STANDING.name).upper()],
    )


def to_search(request: int, view: SearchView) -> list[Message]:
    """Return the lines of a search."""
    head = SearchShown(
        request=request,
        phase=to_long_text(view.phase),
        position=view.position,
        lower=view.lower,
        upper=view.upper,
        move=view.move,
        exact=view.is_exact,
        nodes=view.nodes,
        seconds=view.seconds,
        parts=view.parts,
        shot=view.shot,
        answer=view.answer,
    )
    searchers = [
        SearcherShown(
            request=request,
            name=to_long_text(one.name),
            workers=one.workers,
            parts=one.parts,
            nodes=one.nodes,
            nodes_per_s=one.nodes_per_s,
        )
        for one in view.searchers
    ]
    spots = [
        HotSpotShown(
            request=request,
            name=to_long_text(one.name),
            depth=one.depth,
            age_s=one.age_s,
            path=one.path,
        )
        for one in view.hot_spots
    ]
    return [head, *searchers, *spots]


def from_search(messages: Sequence[Message]) -> SearchView | None:
    """Return the search of some lines; None: there is none among them."""
    for head in messages:
        if isinstance(head, SearchShown):
            break
    else:
        return None
    return SearchView(
        phase=head.phase,
        position=head.position,
        lower=head.lower,
        upper=head.upper,
        move=head.move,
        is_exact=head.exact,
        nodes=head.nodes,
        seconds=head.seconds,
        parts=head.parts,
        shot=head.shot,
        searchers=tuple(
            SearcherLine(m.name, m.workers, m.parts, m.nodes, m.nodes_per_s)
            for m in messages
            if isinstance(m, SearcherShown)
        ),
        hot_spots=tuple(
            HotSpot(m.name, m.path, m.depth, m.age_s)
            for m in messages
            if isinstance(m, HotSpotShown)
        ),
        answer=head.answer,
    )


def to_alternative(request: int, summary: AlternativeSummary) -> AlternativeShown:
    """Return an alternative's line."""
    errors = [error for error in summary.std_errors if error is not None]
    return AlternativeShown(
        request=request,
        trials=summary.trials,
        means=summary.means,
        std_errors=tuple(errors) or None,
        diff_to_best=summary.diff_to_best,
        diff_std_error=summary.diff_std_error,
        quantiles=summary.quantiles or None,
    )


def from_alternative(message: AlternativeShown) -> AlternativeSummary:
    """Return the alternative of a line."""
    return AlternativeSummary(
        trials=message.trials,
        means=message.means,
        std_errors=message.std_errors or (None,) * len(message.means),
        diff_to_best=message.diff_to_best,
        diff_std_error=message.diff_std_error,
        quantiles=message.quantiles or (),
    )


def to_analyser(request: int, line: AnalyserLine) -> AnalyserShown:
    """Return an analyser's line."""
    part = line.part
    return AnalyserShown(
        request=request,
        state=line.state,
        name=to_long_text(line.name),
        address=to_long_text(line.address),
        workers=line.workers,
        parts=line.parts,
        trials=line.trials,
        trials_per_s=line.trials_per_s,
        text=to_long_text(line.text),
        games=tuple(game for game, _ in line.powers) or None,
        powers=tuple(power for _, power in line.powers) or None,
        round_trip_s=line.round_trip_s,
        part_job=None if part is None else part.job,
        part_first=None if part is None else part.first_seq,
        part_count=None if part is None else part.count,
        incident_kinds=tuple(kind for kind, _ in line.incident_counts) or None,
        incident_counts=tuple(count for _, count in line.incident_counts) or None,
        incidents=tuple(to_long_text(f"{one.at} {one.kind} {one.text}") for one in line.incidents)
        or None,
    )


def from_analyser(message: AnalyserShown) -> AnalyserLine:
    """Return the analyser of a line."""
    part = None
    if message.part_first is not None and message.part_count is not None:
        part = HeldPart(message.part_job, message.part_first, message.part_count)
    return AnalyserLine(
        name=message.name,
        address=message.address,
        state=message.state,
        workers=message.workers,
        parts=message.parts,
        trials=message.trials,
        trials_per_s=message.trials_per_s,
        text=message.text,
        powers=tuple(zip(message.games or (), message.powers or (), strict=False)),
        round_trip_s=message.round_trip_s,
        part=part,
        incident_counts=tuple(
            zip(message.incident_kinds or (), message.incident_counts or (), strict=False)
        ),
        incidents=tuple(map(_from_incident, message.incidents or ())),
    )


def _from_incident(line: str) -> PastIncident:
    at, _, rest = line.partition(" ")
    kind, _, text = rest.partition(" ")
    return PastIncident(at, kind, text)


def to_shown(request: int, view: JobView) -> list[Message]:
    """Return a job's lines: its own, and its alternatives' or those of the search that it is."""
    alternatives = [to_alternative(request, summary) for summary in view.alternatives]
    search = [] if view.search is None else to_search(request, view.search)
    return [to_job(request, view), *alternatives, *search]


def to_update(request: int, update: Update) -> list[Message]:
    """Return an update's lines."""
    notices = [
        NoticeShown(request=request, kind=notice.kind.value, text=to_long_text(notice.text))
        for notice in update.notices
    ]
    analysers = [to_analyser(request, line) for line in update.analysers]
    end = Updated(request=request, is_final=update.is_final)
    return [*to_shown(request, update.job), *analysers, *notices, end]


def from_update(messages: list[Message]) -> Update:
    """Return the update of its lines."""
    end = messages[-1]
    assert isinstance(end, Updated), "the caller cut the lines there"
    analysers = [from_analyser(m) for m in messages if isinstance(m, AnalyserShown)]
    notices = [Notice(NoticeKind(m.kind), m.text) for m in messages if isinstance(m, NoticeShown)]
    return Update(from_shown(messages)[0], tuple(analysers), tuple(notices), end.is_final)


def from_shown(messages: list[Message]) -> list[JobView]:
    """Return the jobs of some lines, in their order."""
    views: list[JobView] = []
    heads = [i for i, message in enumerate(messages) if isinstance(message, JobShown)]
    for start, end in pairwise([*heads, len(messages)]):
        head = messages[start]
        assert isinstance(head, JobShown), "chosen above"
        rest = messages[start + 1 : end]
        summaries = tuple(from_alternative(m) for m in rest if isinstance(m, AlternativeShown))
        views.append(from_job(head, summaries, from_search(rest)))
    return views
