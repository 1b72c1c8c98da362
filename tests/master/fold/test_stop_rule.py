from dataclasses import replace

import pytest

from master.contract.commands import StoppedBy
from master.contract.views import AlternativeSummary
from master.fold.stop_rule import StopRule
from master.fold.summary import FoldSummary


def summary(rounds: int, *errors: float | None) -> FoldSummary:
    alternatives = tuple(
        AlternativeSummary(rounds, (0.0,), (error,), 0.0, None) for error in errors
    )
    return FoldSummary(rounds, 0, 0, alternatives, tuple(range(len(errors))))


@pytest.mark.parametrize(
    ("trials", "stop_se", "rounds", "check"),
    [
        (1296, None, 0, 1296),
        (None, 0.01, 0, 144),
        (None, 0.01, 143, 144),
        (None, 0.01, 144, 180),
        (None, 0.01, 181, 216),
        (100, 0.01, 0, 100),
        (150, 0.01, 144, 150),
    ],
)
def test_checks_lie_on_the_stated_grid(
    trials: int | None, stop_se: float | None, rounds: int, check: int
) -> None:
    assert StopRule(trials, stop_se).next_check(rounds) == check


def test_every_alternative_must_be_sure_enough() -> None:
    rule = StopRule(None, 0.01)
    assert rule.verdict(summary(144, 0.01, 0.009)) is StoppedBy.STOP_SE
    assert rule.verdict(summary(144, 0.011, 0.009)) is None


def test_too_few_games_are_never_sure_enough() -> None:
    assert StopRule(None, 0.01).verdict(summary(108, 0.0)) is None


def test_trials_asked_for_end_the_job_whatever_the_error() -> None:
    assert StopRule(200, 0.01).verdict(summary(200, 0.001)) is StoppedBy.TRIALS
    assert StopRule(1, None).verdict(summary(1, None)) is StoppedBy.TRIALS


def compared(
    rounds: int, *means: float, lead_error: float = 0.01, staying: tuple[int, ...] = ()
) -> FoldSummary:
    """Return a summary of alternatives whose leads have all the same standard error."""
    best = means.index(max(means))
    alternatives = tuple(
        AlternativeSummary(rounds, (mean,), (0.01,), mean - means[best], lead_error)
        for mean in means
    )
    return FoldSummary(rounds, best, 0, alternatives, staying or tuple(range(len(means))))


def test_who_trails_by_enough_gets_no_more_trials() -> None:
    rule = StopRule(1296, None, stop_settled=2.0)
    summary = compared(144, 0.5, 0.47, 0.485)
    assert rule.verdict(summary) is None
    assert rule.beaten(summary) == [1]


def test_job_is_settled_when_one_alternative_is_left() -> None:
    rule = StopRule(1296, None, stop_settled=2.0)
    assert rule.verdict(compared(144, 0.5, 0.47, 0.48)) is StoppedBy.SETTLED
    assert rule.verdict(compared(144, 0.5, 0.47, 0.49, staying=(0, 1))) is StoppedBy.SETTLED
    assert rule.verdict(compared(108, 0.5, 0.0)) is None
    assert rule.beaten(compared(108, 0.5, 0.0)) == []


def test_equal_trials_of_equal_alternatives_are_settled() -> None:
    rule = StopRule(1296, None, stop_settled=2.0)
    assert rule.verdict(compared(144, 0.5, 0.5, lead_error=0.0)) is StoppedBy.SETTLED


@pytest.mark.parametrize(
    ("no_double", "double_take", "verdict", "beaten"),
    [
        (0.70, 0.80, StoppedBy.SETTLED, [0]),  # double, take
        (0.70, 0.69, None, []),  # close: double or not
        (0.70, 0.995, None, [0]),  # double, and perhaps a pass
        (0.90, 1.20, StoppedBy.SETTLED, [0]),  # double, pass
        (0.99, 1.20, None, []),  # a pass; too good, or not
        (1.05, 1.20, StoppedBy.SETTLED, [1]),  # too good
        (0.90, 0.40, StoppedBy.SETTLED, [1]),  # no double
    ],
)
def test_double_is_settled_with_its_answer(
    no_double: float, double_take: float, verdict: StoppedBy | None, beaten: list[int]
) -> None:
    rule = StopRule(1296, None, stop_settled=2.0, caps=(None, 1.0))
    summary = compared(144, no_double, double_take)
    assert (rule.verdict(summary), rule.beaten(summary)) == (verdict, beaten)


def test_standard_error_is_asked_of_those_that_stay() -> None:
    rule = StopRule(None, 0.01, stop_settled=9.0)
    wide = summary(144, 0.009, 0.02)
    assert rule.verdict(wide) is None
    assert rule.verdict(replace(wide, staying=(0,))) is StoppedBy.STOP_SE
