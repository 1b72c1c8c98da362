"""Users' requests, checked: a new job, or more games for an old one."""

import re

from engine_ext import services
from engine_ext.services import ContextError, trial_runner
from master.contract.errors import MasterError
from master.contract.job_words import JobState
from master.contract.views import STOP_SETTLED_MAX, JobRequest, JobView
from master.fold.trials import SEQ_MAX
from master.store.records import Goal, JobRecord, NewJob

_ENGINE = re.compile(r" engine=([0-9a-f]{16})(?: |$)")


def to_new_job(request: JobRequest) -> NewJob:
    """Return the job as the store keeps it; blocks while a game's engine is loaded.

    Raises:
        MasterError: the context or the stop rules are wrong.
    """
    try:
        is_search = services.is_whole_search(request.context)
    except ContextError as error:
        raise MasterError(str(error)) from None
    return _new_search(request) if is_search else _new_rollout(request)


def _new_search(request: JobRequest) -> NewJob:
    if (request.trials, request.stop_se, request.stop_settled) != (None, None, None):
        raise MasterError("a search has no trials, and no standard error to stop at")
    context = request.context
    try:
        services.describe(context)
    except ContextError as error:
        raise MasterError(str(error)) from None
    engine, digest = _ENGINE.search(context), services.context_digest(context)
    if engine is None:
        raise MasterError("a search names its engine: expected engine=DIGEST")
    game = services.context_game(context)
    return NewJob(context, digest, game, engine[1], (), (), None, None, request.label)


def _new_rollout(request: JobRequest) -> NewJob:
    if (request.trials, request.stop_se, request.stop_settled) == (None, None, None):
        raise MasterError("a job needs a number of trials or a standard error to stop at")
    if request.trials is not None and request.trials < 1:
        raise MasterError("a job has at least one trial")
    if request.stop_se is not None and not request.stop_se > 0:
        raise MasterError("the standard error to stop at is greater than 0")
    if request.stop_settled is not None and not 0 < request.stop_settled <= STOP_SETTLED_MAX:
        expected = f"more than 0 and at most {STOP_SETTLED_MAX:g} standard errors"
        raise MasterError(f"a job is settled by {expected}, not {request.stop_settled:g}")
    try:
        runner = trial_runner(request.context)
    except ContextError as error:
        raise MasterError(str(error)) from None
    if request.stop_settled is not None and len(runner.alternative_names) < 2:
        raise MasterError("there is nothing to settle: the job has one alternative")
    _check_length(request.trials, len(runner.alternative_names))
    return NewJob(
        context=request.context,
        digest=runner.digest,
        game=runner.game,
        engine=runner.engine,
        alternative_names=runner.alternative_names,
        value_names=runner.value_names,
        trials=request.trials,
        stop_se=request.stop_se,
        label=request.label,
        stop_settled=request.stop_settled,
    )


def request_again(view: JobView) -> JobRequest:
    """Return the request that begins a job's question anew, under the engine of today."""
    context = view.context
    if _ENGINE.search(context) is not None:
        today = services.engine_digest(view.game)
        context = _ENGINE.sub(lambda found: found[0].replace(found[1], today), context, count=1)
    return JobRequest(context, view.trials, view.stop_se, view.label, view.stop_settled)


def extended_goal(record: JobRecord, extra: int) -> Goal:
    """Return the stop rules of a job to which games of each alternative are added.

    They are added to the games asked for; where the job ended by another rule, to those it has,
    and that rule is dropped, since it would end the job again at once.

    Raises:
        MasterError: nothing is added, or the job has no number of trials to add to.
    """
    request = record.request
    if extra < 1:
        raise MasterError("a job is extended by at least one trial")
    stopped_by = record.end.stopped_by if record.state is JobState.DONE else ""
    if stopped_by in ("stop_se", "settled"):
        trials = record.end.folded // len(request.alternative_names) + extra
        _check_length(trials, len(request.alternative_names))
        is_sure = stopped_by == "stop_se"
        stop_se, stop_settled = request.stop_se, request.stop_settled
        return Goal(trials, None if is_sure else stop_se, stop_settled if is_sure else None)
    if request.trials is None:
        raise MasterError(f"job {record.job} has no number of trials that could be extended")
    _check_length(request.trials + extra, len(request.alternative_names))
    return Goal(request.trials + extra, request.stop_se, request.stop_settled)


def _check_length(trials: int | None, alternatives: int) -> None:
    """Refuse a job with more trials than there are numbers for."""
    if trials is not None and trials * alternatives > SEQ_MAX:
        raise MasterError(f"a job has at most {SEQ_MAX // alternatives} trials of each alternative")
