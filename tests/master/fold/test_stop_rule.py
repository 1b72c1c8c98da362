import pytest

from master.contract.commands import StoppedBy
from master.contract.views import AlternativeSummary
from master.fold.stop_rule import StopRule
from master.fold.summary import FoldSummary


def summary(rounds: int, *errors: float | None) -> FoldSummary:
    alternatives = tuple(
        AlternativeSummary(rounds, (0.0,), (error,), 0.0, None) for error in errors
    )
    return FoldSummary(rounds, 0, 0, alternatives)


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
