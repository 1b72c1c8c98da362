"""Trees as they are served: by the root's view, in each game's words."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.exact.position import GameBefore
from engine_ext.chess.fen import START, read_fen
from engine_ext.othello.board import OthelloBoard
from master.api.routing import adapter
from master.api.searches import (
    NO_MOVE,
    REMEMBERED_MAX,
    WORDINGS_MAX,
    SearchHandlers,
    SearchTree,
    TreeWords,
    tree_of,
    turned,
)
from master.contract.errors import MasterError
from master.contract.search_views import SearchTreeView, SearchView
from master.games.chess.exact_report import view_position
from master.games.chess.tree import root_position
from master.games.job_words import PLAIN_SEARCH
from master.reports.job_result import job_lines
from tests.master.api.asgi import BEARER, application, asked, site_of
from tests.master.api.fake_master import HOT, ROOT, TREE, VIEW, FakeMaster

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


def shown_of(view: SearchTreeView) -> Any:
    reported = tree_of(view, TreeWords(view.game, view.search))
    both = adapter(SearchTree)
    written = both.dump_json(reported)
    assert both.validate_json(written) == reported
    return json.loads(written)


BOUNDS = st.none() | st.integers(-99, 99)


@given(BOUNDS, BOUNDS)
def test_turning_twice_changes_nothing(lower: int | None, upper: int | None) -> None:
    there = turned((lower, upper), is_reply=True)
    assert turned(there, is_reply=True) == (lower, upper)
    assert turned((lower, upper), is_reply=False) == (lower, upper)


@given(st.integers(-99, 99), BOUNDS, BOUNDS)
def test_value_within_bounds_is_within_turned_ones(
    value: int, lower: int | None, upper: int | None
) -> None:
    def is_within(value: int, bounds: tuple[int | None, int | None]) -> bool:
        low, high = bounds
        return (low is None or low <= value) and (high is None or value <= high)

    turned_bounds = turned((lower, upper), is_reply=True)
    assert is_within(value, (lower, upper)) == is_within(-value, turned_bounds)


def test_reply_is_seen_by_the_root() -> None:
    shown = shown_of(TREE)
    root, hot = shown["tree"]
    assert (root["lower"], root["upper"], root["window"]) == (-3, None, [-3, 5])
    assert (hot["lower"], hot["upper"], hot["window"]) == (-3, None, [-3, 5])
    assert (root["bounds"], hot["bounds"]) == ("value at least -3", "value at least -3")
    assert (root["move"], hot["move"], shown["best_move"]) == ("", "move 2", "move 2")
    assert hot["searchers"] == ["attic", "attic"]


def test_nothing_proved_is_no_text() -> None:
    view = replace(TREE, nodes=(replace(ROOT, lower=None),))
    assert shown_of(view)["tree"][0]["bounds"] == ""


def test_search_that_rests_has_no_tree_and_no_best_move() -> None:
    shown = shown_of(SearchTreeView("noop", False, SearchView(nodes=7, seconds=1.0)))
    assert (shown["tree"], shown["best_move"], shown["bounds"]) == ([], None, "")
    assert (shown["nodes"], shown["is_running"]) == (7, False)


def test_moves_are_named_as_the_game_does() -> None:
    board = OthelloBoard.start(8)
    search = replace(TREE.search, position=board.to_text(), is_exact=True)
    shown = shown_of(replace(TREE, game="othello", search=search))
    assert shown["tree"][1]["move"] == shown["best_move"] == board.moves()[1]
    assert shown["tree"][1]["depth"] == "8 empty squares"
    assert shown["tree"][1]["bounds"] == "value at least -3"

    start = read_fen(START)
    position, before = root_position(start), GameBefore([start.key])
    search = replace(TREE.search, position=view_position(position, 9, before))
    shown = shown_of(replace(TREE, game="chess", search=search))
    assert shown["tree"][1]["move"] == position.moves(9, before)[1]
    assert shown["tree"][1]["bounds"] == "value at least -0.03"


class LineWords:
    """A game that leaves first moves out of its lines, and is asked as seldom as can be."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, ...]] = []

    def moves(self, view: SearchView, path: tuple[int, ...]) -> list[str]:
        self.asked.append(path)
        return [f"m{i}" for i in path if i]


@pytest.fixture
def line_words(monkeypatch: pytest.MonkeyPatch) -> LineWords:
    words = LineWords()
    plain = PLAIN_SEARCH._replace(moves=words.moves)
    monkeypatch.setattr("master.games.job_words.PLAIN_SEARCH", plain)
    return words


def test_move_that_a_game_leaves_out_of_its_lines_is_a_pass(line_words: LineWords) -> None:
    names = TreeWords("noop", SearchView())
    assert [names.move(path) for path in [(2,), (0,), (2, 0), (2, 0, 1)]] == [
        "m2", NO_MOVE, NO_MOVE, "m1",
    ]  # fmt: skip
    assert sorted(line_words.asked) == sorted(set(line_words.asked))


def test_words_of_a_tree_that_changes_for_ever_take_no_more_room(line_words: LineWords) -> None:
    names = TreeWords("noop", SearchView())
    for i in range(1, REMEMBERED_MAX + 5):
        assert names.move((i,)) == f"m{i}"
        assert names.bracket(i, i) == f"value {i}"
    assert len(names._lines) <= REMEMBERED_MAX
    assert len(names._brackets) <= REMEMBERED_MAX


def test_bounds_that_say_nothing_are_none() -> None:
    search = replace(TREE.search, position=OthelloBoard.start(8).to_text(), is_exact=True)
    nodes = (replace(ROOT, lower=-64, upper=64, window=(-64, 3)), replace(HOT, upper=64))
    shown = shown_of(replace(TREE, game="othello", search=search, nodes=nodes))["tree"]
    assert [(node["lower"], node["upper"], node["bounds"]) for node in shown] == [
        (None, None, "")
    ] * 2
    assert shown[0]["window"] == [None, 3]


def test_what_nobody_searches_has_no_age() -> None:
    shown = shown_of(replace(TREE, nodes=(ROOT, replace(HOT, age_s=None, searchers=()))))
    assert [node["age_s"] for node in shown["tree"]] == [None, None]
