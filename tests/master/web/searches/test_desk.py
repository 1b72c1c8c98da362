from master.contract.errors import MasterError
from tests.master.web.asgi import BEARER, application, asked
from tests.master.web.fake_master import VIEW

PATH = "/api/jobs/1/tree"


async def test_tree_of_a_search_is_answered() -> None:
    master, app = application(VIEW)
    answer = await asked(app, "GET", PATH)
    assert answer.status == 200
    assert answer.json["phase"] == "depth 9"
    assert [node["move"] for node in answer.json["tree"]] == ["", "move 2"]
    assert master.asked == [("search_tree", 1)]


async def test_what_has_no_tree_is_said() -> None:
    master, app = application(VIEW)
    assert (await asked(app, "GET", "/api/jobs/2/tree")).json["code"] == "unknown-job"
    assert (await asked(app, "GET", "/api/jobs/x/tree")).status == 404
    master.error = MasterError("job 1 is no search: it has no tree")
    answer = await asked(app, "GET", PATH)
    assert (answer.status, answer.json["code"]) == (409, "refused")


async def test_strangers_are_shown_no_tree() -> None:
    _, app = application(VIEW, is_reading_free=False)
    assert (await asked(app, "GET", PATH)).status == 401
    assert (await asked(app, "GET", PATH, BEARER)).status == 200
