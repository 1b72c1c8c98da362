from dataclasses import replace

from master.contract.convergences import ConvergencePoint, FlowSample, JobConvergence, JobFlow
from master.contract.search_views import SearchView
from master.web.rollouts.handlers import drawing_fields
from master.web.rules import CONTENT_SECURITY, SECURITY_FIELDS
from tests.master.cli.shown import TWO_MOVES, job_view
from tests.master.web.asgi import application, asked
from tests.master.web.fake_master import VIEW

STYLES = (
    "'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='"
    " 'sha256-bFFs/DBuU2NqQJqoR4DblzBJDGs5KMyrDxg6j7w5Ek4='"
)
"""The digests of "a", and of "b", a line's end and "c"."""

ROLLOUT = job_view(job=1, **TWO_MOVES)


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
