"""Views of jobs as a master shows them, made by hand."""

from typing import Any

from engine_ext import services
from engine_ext.backgammon.questions import AnalysisSettings
from engine_ext.backgammon.trials import VALUE_NAMES
from master.contract.job_words import JobState
from master.contract.views import AlternativeSummary, AnalyserLine, JobView, Update
from master.games.backgammon.matches.decisions import ask_about
from master.games.backgammon.rollout_request import RolloutOptions, to_context
from master.games.backgammon.typed import read_id
from tests.master.games.backgammon.matches.random_matches import random_match

POSITION = "4HPwATDgc/ABMA"
CONTEXT = to_context(read_id(POSITION), RolloutOptions(seed=5)).to_text()


def alternative(equity: float, error: float = 0.01, diff: float = 0.0) -> AlternativeSummary:
    return AlternativeSummary(
        trials=36,
        means=(0.5, 0.125, 0.25, 0.0625, 0.03125, 0.75, equity),
        std_errors=(0.001, 0.002, 0.003, 0.004, 0.005, 0.006, error),
        diff_to_best=diff,
        diff_std_error=0.02 if diff else 0.0,
    )


TWO_MOVES = {
    "alternative_names": ("13/10 6/5", "8/5 6/5"),
    "alternatives": (alternative(0.1, diff=-0.25), alternative(0.35, error=0.04)),
    "folded": 72,
}


def job_view(**changes: Any) -> JobView:
    """Return a job of the position itself, 36 of 100 trials done at 8 trials a second."""
    fields: dict[str, Any] = {
        "job": 3, "context": CONTEXT, "digest": "d" * 16, "game": "backgammon",
        "engine": "e" * 16, "alternative_names": ("position",), "value_names": VALUE_NAMES,
        "label": POSITION, "created": "2026-11-21T08:00:00+00:00", "trials": 100, "stop_se": None,
        "state": JobState.RUNNING, "stopped_by": "", "error": "", "folded": 36, "held": 0,
        "trials_per_s": 8.0, "eta_s": 8.0, "alternatives": (alternative(0.35, error=0.04),),
    }  # fmt: skip
    return JobView(**(fields | changes))


def update(view: JobView, *lines: AnalyserLine, is_final: bool = False) -> Update:
    return Update(view, lines, (), is_final)


def match_questions(count: int) -> list[str]:
    """The first questions about a match, each another."""
    settings = AnalysisSettings(0, 0)
    asked = ask_about(random_match(1), settings, services.engine_digest("backgammon"))
    return list(dict.fromkeys(one.question.to_text() for one in asked))[:count]
