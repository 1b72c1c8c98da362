"""Users' requests, checked: a new job, or more games for an old one."""

import re
from dataclasses import asdict, replace

from engine_ext import contexts, services
from engine_ext.contexts import ContextError
from engine_ext.services import trial_runner
from master.contract.errors import MasterError
from master.contract.goals import NO_GOAL, Goal
from master.contract.job_words import JobState
from master.contract.views import STOP_SETTLED_MAX, JobRequest, JobView
from master.fold.trials import SEQ_MAX
from master.store.records import JobRecord, NewJob

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
    if request.goal != NO_GOAL:
        raise MasterError("a search has no trials, and no standard error to stop at")
    context = request.context
    try:
        services.describe(context)
    except ContextError as error:
        raise MasterError(str(error)) from None
    engine, digest = _ENGINE.search(context), contexts.context_digest(context)
    if engine is None:
        raise MasterError("a search names its engine: expected engine=DIGEST")
    game = services.context_game(context)
    return NewJob(context, digest, game, engine[1], (), (), label=request.label)


def _new_rollout(request: JobRequest) -> NewJob:
    goal = request.goal
    if goal == NO_GOAL:
        raise MasterError("a job needs a number of trials or a standard error to stop at")
    if goal.trials is not None and goal.trials < 1:
        raise MasterError("a job has at least one trial")
    if goal.stop_se is not None and not goal.stop_se > 0:
        raise MasterError("the standard error to stop at is greater than 0")
    if goal.stop_settled is not None and not 0 < goal.stop_settled <= STOP_SETTLED_MAX:
        expected = f"more than 0 and at most {STOP_SETTLED_MAX:g} standard errors"
        raise MasterError(f"a job is settled by {expected}, not {goal.stop_settled:g}")
    try:
        runner = trial_runner(request.context)
    except ContextError as error:
        raise MasterError(str(error)) from None
    if goal.stop_settled is not None and len(runner.alternative_names) < 2:
        raise MasterError("there is nothing to settle: the job has one alternative")
    _check_length(goal.trials, len(runner.alternative_names))
    return NewJob(
        context=request.context,
        digest=runner.digest,
        game=runner.game,
        engine=runner.engine,
        alternative_names=runner.alternative_names,
        value_names=runner.value_names,
        goal=goal,
        label=request.label,
    )


def request_again(view: JobView) -> JobRequest:
    """Return the request that begins a job's question anew, under the engine of today."""
    context = view.context
    if _ENGINE.search(context) is not None:
        today = services.engine_digest(view.game)
        context = _ENGINE.sub(lambda found: found[0].replace(found[1], today), context, count=1)
    return JobRequest(context, label=view.label, **asdict(view.goal))


def extended_goal(record: JobRecord, extra: int) -> Goal:
    """Return the stop rules of a job to which games of each alternative are added.

    They are added to the games asked for; where the job ended by another rule, to those it has,
    and that rule is dropped, since it would end the job again at once.

    Raises:
        MasterError: nothing is added, or the job has no number of trials to add to.
    """
    request, goal = record.request, record.request.goal
    if extra < 1:
        raise MasterError("a job is extended by at least one trial")
    stopped_by = record.end.stopped_by if record.state is JobState.DONE else ""
    if stopped_by in ("stop_se", "settled"):
        trials = record.end.folded // len(request.alternative_names) + extra
        _check_length(trials, len(request.alternative_names))
        if stopped_by == "stop_se":
            return replace(goal, trials=trials, stop_se=None)
        return replace(goal, trials=trials, stop_settled=None)
    if goal.trials is None:
        raise MasterError(f"job {record.job} has no number of trials that could be extended")
    _check_length(goal.trials + extra, len(request.alternative_names))
    return replace(goal, trials=goal.trials + extra)


def _check_length(trials: int | None, alternatives: int) -> None:
    """Refuse a job with more trials than there are numbers for."""
    if trials is not None and trials * alternatives > SEQ_MAX:
        raise MasterError(f"a job has at most {SEQ_MAX // alternatives} trials of each alternative")
