from dataclasses import replace
from typing import Any

from jsonschema import Draft202012Validator

from master.cli.backgammon.rollout_report import cube_lines
from master.contract.convergences import ConvergencePoint, FlowSample, JobConvergence, JobFlow
from master.contract.search_views import SearchView
from master.games.backgammon.rollout_request import RolloutOptions, to_context
from master.games.backgammon.typed import read_id
from master.games.threes.report import score
from master.reports.report import Report
from master.web.rollouts.resources import convergence_resource, flow_resource
from master.web.schemas import SCHEMAS
from tests.master.cli.shown import POSITION, TWO_MOVES, alternative, job_view
from tests.master.games.threes.test_report import summary
from tests.master.games.threes.test_report import view as games
from tests.master.web.fake_master import VIEW

CONVERGENCE = JobConvergence(
    (
        ConvergencePoint(1, (0.5, 0.25), (None, None)),
        ConvergencePoint(36, (0.1, None), (0.01, None)),
    ),
    is_behind=True,
)


def checked(name: str, reported: Report) -> Any:
    schema = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": SCHEMAS}}
    Draft202012Validator(schema).validate(reported)
    return reported


def test_convergence_is_told_in_columns_beside_where_the_job_stands() -> None:
    reported = checked("Course", convergence_resource(job_view(**TWO_MOVES), CONVERGENCE))
    assert (reported["value"], reported["rounds"], reported["is_behind"]) == (
        "equity_cubeful",
        [1, 36],
        True,
    )
    first, second = reported["alternatives"]
    assert (first["means"], first["std_errors"]) == ([0.5, 0.1], [None, 0.01])
    assert (second["means"], second["std_errors"]) == ([0.25, None], [None, None])
    assert (first["name"], first["mean"], first["diff_to_best"]) == ("13/10 6/5", 0.1, -0.25)
    assert first["outcomes"][0]["name"] == "wins a backgammon"
    assert reported["has_board"] is True


def test_values_are_told_in_the_unit_that_people_use() -> None:
    found = summary()
    points = (ConvergencePoint(100, (found.means[-1],), (found.std_errors[-1],)),)
    reported = checked("Course", convergence_resource(games(found), JobConvergence(points)))
    (only,) = reported["alternatives"]
    assert (only["mean"], only["std_error"]) == score(found)
    assert (only["means"], only["std_errors"]) == ([only["mean"]], [only["std_error"]])


def test_notes_of_the_game_and_who_was_caught_follow_the_table() -> None:
    assert convergence_resource(job_view(**TWO_MOVES), JobConvergence())["notes"] == []
    context = to_context(read_id(POSITION), RolloutOptions(is_cube=True)).to_text()
    names = {"context": context, "alternative_names": ("no double", "double, take")}
    asked = job_view(**TWO_MOVES | names, caught=("barn lied",))
    notes = checked("Course", convergence_resource(asked, JobConvergence()))["notes"]
    assert notes == [*cube_lines(asked), "Caught: barn lied"]
    assert len(notes) == 3
    early = job_view(**names | {"alternatives": ()})
    assert convergence_resource(early, JobConvergence())["notes"] == []


def test_who_gets_no_more_trials_is_out() -> None:
    fewer = replace(alternative(0.1, diff=-0.25), trials=18)
    view = job_view(**TWO_MOVES | {"alternatives": (fewer, alternative(0.35))})
    reported = checked("Course", convergence_resource(view, CONVERGENCE))
    assert [each["is_out"] for each in reported["alternatives"]] == [True, False]


def test_job_before_its_first_round_has_names_alone() -> None:
    reported = checked("Course", convergence_resource(job_view(alternatives=()), JobConvergence()))
    (only,) = reported["alternatives"]
    assert (only["name"], only["trials"], only["mean"]) == ("position", 0, None)
    assert only["outcomes"] == only["means"] == []


def test_game_that_says_nothing_has_neither_board_nor_outcomes() -> None:
    view = replace(VIEW, alternatives=(replace(alternative(0.5), means=(0.5,), std_errors=(0.1,)),))
    reported = checked("Course", convergence_resource(view, JobConvergence()))
    assert reported["has_board"] is False
    assert reported["alternatives"][0]["outcomes"] == []


def test_search_has_no_convergence() -> None:
    reported = checked(
        "Course", convergence_resource(job_view(search=SearchView()), JobConvergence())
    )
    assert (reported["alternatives"], reported["has_board"]) == ([], False)


def test_flow_is_told_in_columns() -> None:
    samples = (FlowSample(0.0, 0, 0), FlowSample(1.25, 90, 36))
    flow = JobFlow(samples, (("attic", 36),), stored=5, is_live=True)
    assert checked("Flow", flow_resource(7, flow)) == {
        "job": 7, "is_live": True, "seconds": [0.0, 1.25], "received": [0, 90],
        "folded": [0, 36], "stored": 5, "analysers": [{"name": "attic", "trials": 36}],
    }  # fmt: skip
