from dataclasses import replace

from engine_ext.othello.board import OthelloBoard
from master.contract.errors import MasterError
from master.contract.search_views import SearchTreeView, SearchView
from master.reports.job_result import job_lines
from master.web.searches.handlers import WORDINGS_MAX, SearchHandlers
from tests.master.web.asgi import BEARER, application, asked, site_of
from tests.master.web.fake_master import TREE, VIEW, FakeMaster

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


async def test_search_that_rests_says_what_it_found() -> None:
    master, app = application(VIEW)
    master.trees[1] = SearchTreeView("noop", False, SearchView(nodes=7))
    shown = (await asked(app, "GET", PATH)).json
    assert (shown["is_running"], shown["tree"]) == (False, [])
    assert shown["answer"] == job_lines(VIEW)
    assert (await asked(app, "GET", "/api/jobs/1/tree")).json["nodes"] == 7


async def test_words_are_those_of_the_position_that_is_searched_now() -> None:
    master, app = application(VIEW)
    for position in (OthelloBoard.start(8), OthelloBoard.start(8).play("d3")):
        search = replace(TREE.search, position=position.to_text(), is_exact=True)
        master.trees[1] = replace(TREE, game="othello", search=search)
        assert (await asked(app, "GET", PATH)).json["tree"][1]["move"] == position.moves()[1]


async def test_many_searches_that_are_looked_at_are_not_all_remembered() -> None:
    jobs = range(1, WORDINGS_MAX + 4)
    handlers = SearchHandlers(site_of(FakeMaster()))
    for job in jobs:
        handlers._wording_of(job, TREE)
    assert sorted(handlers._wordings) == [*jobs][-WORDINGS_MAX:]
    first = handlers._wordings[WORDINGS_MAX]
    assert handlers._wording_of(WORDINGS_MAX, TREE) is first
    assert [*handlers._wordings][-1] == WORDINGS_MAX
