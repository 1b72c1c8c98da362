"""Reports of all kinds are what they are called: objects of text, numbers, lists and objects."""

import json
from typing import get_args, get_origin

import pytest

from engine_ext.noop.runner import noop_context
from master.contract.views import JobView
from master.games.backgammon.rollout_report import rollout_report
from master.reports.job_result import job_report
from master.reports.job_table import job_object
from master.reports.report import Report
from tests.master.cli.shown import TWO_MOVES, job_view

VIEWS = [
    job_view(**TWO_MOVES),
    job_view(alternatives=(), stopped_by="trials", caught=("one", "two")),
]
NOOP = job_view(context=noop_context(), game="noop", value_names=("hash",), alternatives=())


def is_reported(value: object) -> bool:
    """Say whether a value is text, a number, absent, or a list or object of such."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and is_reported(each) for key, each in value.items())
    if isinstance(value, list):
        return all(map(is_reported, value))
    return value is None or type(value) in (str, int, float, bool)


def test_report_is_an_object() -> None:
    assert (get_origin(Report), get_args(Report)) == (dict, (str, object))


@pytest.mark.parametrize("view", [*VIEWS, NOOP], ids=["moves", "caught", "noop"])
def test_reports_of_a_job_are_objects_that_json_gives_back(view: JobView) -> None:
    reports = [job_report(view), job_object(view)]
    reports += [rollout_report(view)] if view.game != "noop" else []
    for report in reports:
        assert is_reported(report)
        assert json.loads(json.dumps(report)) == report
