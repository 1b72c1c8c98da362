import json
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from master.api.rollouts import Convergence, Flow, convergence_of, drawing_fields, flow_of
from master.api.rules import CONTENT_SECURITY, SECURITY_FIELDS
from master.contract.search_views import SearchView
from master.contract.views import ConvergencePoint, FlowSample, JobConvergence, JobFlow
from master.games.backgammon.rollout_report import cube_lines
from master.games.backgammon.rollout_request import RolloutOptions, to_context
from master.games.backgammon.typed import read_id
from master.games.table import front_of
from master.games.threes.report import score
from tests.master.api.asgi import application, asked
from tests.master.api.fake_master import VIEW
from tests.master.cli.shown import POSITION, TWO_MOVES, alternative, job_view
from tests.master.games.threes.test_report import summary
from tests.master.games.threes.test_report import view as games

STYLES = (
    "'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='"
    " 'sha256-bFFs/DBuU2NqQJqoR4DblzBJDGs5KMyrDxg6j7w5Ek4='"
)
"""The digests of "a", and of "b", a line's end and "c"."""

ROLLOUT = job_view(job=1, **TWO_MOVES)

CONVERGENCE = JobConvergence(
    (
        ConvergencePoint(1, (0.5, 0.25), (None, None)),
        ConvergencePoint(36, (0.1, None), (0.01, None)),
    ),
    is_behind=True,
)


def said(reported: Convergence | Flow) -> Any:
    """Return it as JSON, from which it comes back."""
    both: TypeAdapter[Any] = TypeAdapter(type(reported))
    written = both.dump_json(reported)
    assert both.validate_json(written) == reported
    return json.loads(written)


async def test_convergence_is_answered_with_what_the_job_says_now() -> None:
    master, app = application(ROLLOUT)
    master.convergences[1] = JobConvergence((ConvergencePoint(36, (0.1, 0.2), (0.01, 0.02)),))
    reported = (await asked(app, "GET", "/api/jobs/1/course")).json
    assert reported["rounds"] == [36]
    assert [each["mean"] for each in reported["alternatives"]] == [0.1, 0.35]
    assert [kind for kind, _ in master.asked] == ["course", "show"]


async def test_flow_is_answered() -> None:
    master, app = application(ROLLOUT)
    master.flows[1] = JobFlow((FlowSample(0.0, 3, 2),), is_live=True)
    reported = (await asked(app, "GET", "/api/jobs/1/flow")).json
    assert (reported["received"], reported["folded"], reported["is_live"]) == ([3], [2], True)


async def test_texts_are_those_that_the_command_prints() -> None:
    _, app = application(ROLLOUT)
    answered = await asked(app, "GET", "/api/jobs/1/texts")
    front = front_of("backgammon")
    assert [(each["name"], each["text"].splitlines()) for each in answered.json["texts"]] == [
        ("table", front.job_lines(ROLLOUT, None)),
        *((name, "\n".join(form(ROLLOUT)).splitlines()) for name, form in front.job_texts.items()),
    ]


async def test_job_before_its_first_round_has_a_table_alone() -> None:
    _, app = application(replace(ROLLOUT, alternatives=()))
    answered = await asked(app, "GET", "/api/jobs/1/texts")
    assert [each["name"] for each in answered.json["texts"]] == ["table"]


def test_styles_of_a_drawing_are_let_in_one_by_one_and_nothing_else_is() -> None:
    policies = [
        drawing_fields(drawing)["Content-Security-Policy"].split("; ")
        for drawing in ("<svg/>", "<svg><style>a</style><style>b\nc</style></svg>")
    ]
    for policy, allowed in zip(policies, ("'none'", STYLES), strict=True):
        (style,) = [each for each in policy if each.startswith("style-src")]
        assert style == f"style-src {allowed}"
        policy[policy.index(style)] = "style-src 'self'"
        assert "; ".join(policy) == CONTENT_SECURITY
    assert drawing_fields("").keys() == SECURITY_FIELDS.keys()


async def test_board_is_a_drawing_that_keeps_to_the_pages_rules() -> None:
    _, app = application(ROLLOUT)
    answer = await asked(app, "GET", "/api/jobs/1/board.svg")
    assert answer.status == 200
    assert answer.fields["content-type"] == "image/svg+xml"
    expected = drawing_fields(answer.body.decode())["Content-Security-Policy"]
    assert answer.fields["content-security-policy"] == expected
    assert answer.body.startswith(b"<svg ")


async def test_job_whose_position_is_not_drawn_has_no_board() -> None:
    for view in (
        VIEW,
        replace(ROLLOUT, search=SearchView()),
        replace(ROLLOUT, context="backgammon-rollout/9 seed=1"),
    ):
        _, app = application(view)
        answer = await asked(app, "GET", "/api/jobs/1/board.svg")
        assert (answer.status, answer.json["code"]) == (404, "no-board")


async def test_job_that_there_is_not_has_no_pictures() -> None:
    _, app = application()
    for name in ("course", "flow", "board.svg"):
        answer = await asked(app, "GET", f"/api/jobs/9/{name}")
        assert (answer.status, answer.json["code"]) == (404, "unknown-job")


def test_convergence_has_columns_beside_the_statistics_of_the_job() -> None:
    reported = said(convergence_of(job_view(**TWO_MOVES), CONVERGENCE))
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


def test_values_are_in_the_unit_that_people_use() -> None:
    found = summary()
    points = (ConvergencePoint(100, (found.means[-1],), (found.std_errors[-1],)),)
    reported = said(convergence_of(games(found), JobConvergence(points)))
    (only,) = reported["alternatives"]
    assert (only["mean"], only["std_error"]) == score(found)
    assert (only["means"], only["std_errors"]) == ([only["mean"]], [only["std_error"]])


def test_notes_are_those_of_the_game_and_then_of_caught_analysers() -> None:
    assert convergence_of(job_view(**TWO_MOVES), JobConvergence()).notes == ()
    context = to_context(read_id(POSITION), RolloutOptions(is_cube=True)).to_text()
    names = {"context": context, "alternative_names": ("no double", "double, take")}
    asked = job_view(**TWO_MOVES | names, caught=("barn lied",))
    notes = said(convergence_of(asked, JobConvergence()))["notes"]
    assert notes == [*cube_lines(asked), "Caught: barn lied"]
    assert len(notes) == 3
    early = job_view(**names | {"alternatives": ()})
    assert convergence_of(early, JobConvergence()).notes == ()


def test_alternative_without_further_trials_is_out() -> None:
    fewer = replace(alternative(0.1, diff=-0.25), trials=18)
    view = job_view(**TWO_MOVES | {"alternatives": (fewer, alternative(0.35))})
    reported = said(convergence_of(view, CONVERGENCE))
    assert [each["is_out"] for each in reported["alternatives"]] == [True, False]


def test_job_before_its_first_round_has_names_alone() -> None:
    reported = said(convergence_of(job_view(alternatives=()), JobConvergence()))
    (only,) = reported["alternatives"]
    assert (only["name"], only["trials"], only["mean"]) == ("position", 0, None)
    assert only["outcomes"] == only["means"] == []


def test_game_without_a_front_of_its_own_has_neither_board_nor_outcomes() -> None:
    view = replace(VIEW, alternatives=(replace(alternative(0.5), means=(0.5,), std_errors=(0.1,)),))
    reported = said(convergence_of(view, JobConvergence()))
    assert reported["has_board"] is False
    assert reported["alternatives"][0]["outcomes"] == []


def test_search_has_no_convergence() -> None:
    reported = said(convergence_of(job_view(search=SearchView()), JobConvergence()))
    assert (reported["alternatives"], reported["has_board"]) == ([], False)


def test_flow_has_columns() -> None:
    samples = (FlowSample(0.0, 0, 0), FlowSample(1.25, 90, 36))
    flow = JobFlow(samples, (("attic", 36),), stored=5, is_live=True)
    assert said(flow_of(7, flow)) == {
        "job": 7, "is_live": True, "seconds": [0.0, 1.25], "received": [0, 90],
        "folded": [0, 36], "stored": 5, "analysers": [{"name": "attic", "trials": 36}],
    }  # fmt: skip
