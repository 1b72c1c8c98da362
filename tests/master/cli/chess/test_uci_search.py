"""Searches of the UCI engine: fast, reproducible, and by a fleet."""

import queue
from collections.abc import Callable
from concurrent.futures import CancelledError, Future

import pytest

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.exact.position import GameBefore
from engine_ext.chess.fast.table import FastTable
from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.parts.answer import ExactAnswer, ExactQuestion, answer_at_once
from engine_ext.search.table import KeyedTable
from master.cli.chess import uci_search
from master.cli.chess.search_fleet import uci_fleet
from master.cli.chess.uci_search import ExactUciSearch, Fleet, UciSearch
from master.cli.place import Place
from master.contract.errors import MasterError
from master.contract.search_views import SearchView
from master.games.chess.threaded_search import mate_moves
from master.games.chess.uci.commands import Go
from master.games.chess.uci.options import REPRODUCIBLE, Options
from master.games.chess.uci.session import Wish
from master.games.chess.uci.thinking import LostTime, Thinking
from tests.master.cli.chess.uci_reports import WAIT_S_MAX, Reports, until_end


def searching(
    go: Go, options: Options | None = None, elapsed_s: float = 0.0
) -> tuple[UciSearch, Reports]:
    reports: Reports = queue.Queue()
    wish = Wish((read_fen(START),), go, options or Options())
    table = FastTable(1 << 20)
    report = lambda *each: reports.put(each)  # noqa: E731
    return UciSearch(
        Thinking(wish, LostTime().begin(wish)), table, lambda: elapsed_s, report
    ), reports


def test_iterations_are_reported_in_order_and_the_last_again() -> None:
    search, reports = searching(Go(depth=4))
    found = until_end(reports)
    assert [each.depth for each in found] == [1, 2, 3, 4, 4]
    assert found[-1] == found[-2]
    assert search.nodes > 0
    assert 0 <= search.fill <= 1


@pytest.mark.parametrize("threads", [1, 2])
def test_stop_ends_all_threads(threads: int) -> None:
    search, reports = searching(Go(), Options(threads=threads))
    assert reports.get(timeout=WAIT_S_MAX)[0].depth == 1
    assert search.current_move is not None
    search.stop()
    last = until_end(reports)[-1]
    assert last.lines[0][1][0] in read_fen(START).moves()
    nodes = search.nodes
    assert search.nodes == nodes


def test_no_iteration_is_begun_when_the_time_is_over() -> None:
    _, reports = searching(Go(clocks_ms=(1_000, None)), elapsed_s=1.0)
    assert [each.depth for each in until_end(reports)] == [1, 1]


def test_lines_and_moves_are_those_that_were_asked_for() -> None:
    _, reports = searching(Go(depth=3, moves=("a2a3", "e2e4")), Options(line_count=2))
    lines = until_end(reports)[-1].lines
    assert {line[0] for _, line in lines} == {"a2a3", "e2e4"}
    values = [value for value, _ in lines if value is not None]
    assert values == sorted(values, reverse=True)
    assert len(values) == 2


def test_nodes_are_bounded_and_shared_among_threads() -> None:
    _, alone = searching(Go(nodes=5_000))
    depth = until_end(alone)[-1].depth
    assert depth >= 1
    search, shared = searching(Go(nodes=5_000), Options(threads=2))
    until_end(shared)
    assert search.nodes < 12_000


TABLE_BYTES = 1 << 22
MATE_IN_1 = "1k6/8/1K6/8/8/8/8/7R w - - 0 1"


def exact_searching(
    go: Go,
    boards: tuple[ChessBoard, ...] = (read_fen(START),),
    table: KeyedTable | None = None,
    elapsed_s: float = 0.0,
    fleet: Fleet | None = None,
) -> tuple[ExactUciSearch, Reports]:
    reports: Reports = queue.Queue()
    wish = Wish(boards, go, Options(mode=REPRODUCIBLE))
    search = ExactUciSearch(
        Thinking(wish, LostTime().begin(wish)),
        table or KeyedTable(TABLE_BYTES),
        lambda: elapsed_s,
        lambda *each: reports.put(each),
        fleet,
    )
    return search, reports


def exact(boards: tuple[ChessBoard, ...], depth: int) -> tuple[int, str]:
    question = ExactQuestion(boards[-1], GameBefore.of_game(boards), depth)
    found = answer_at_once(question, KeyedTable(TABLE_BYTES))
    return found.value, found.line[0]


def test_each_depth_finds_what_a_search_to_it_finds_though_the_table_knows_other_games() -> None:
    start = read_fen(START)
    played = (start, start.play("e2e4"), start.play("e2e4").play("e7e5"))
    table = KeyedTable(TABLE_BYTES)
    for boards in ((start,), played, played[-1:]):
        search, reports = exact_searching(Go(depth=8), boards, table)
        found = until_end(reports)
        assert found[-1] == found[-2]
        assert search.nodes > 0
        for each in found:
            value, line = each.lines[0]
            assert (value, line[0]) == exact(boards, each.depth)


def test_stop_ends_it_with_the_last_finished_depth() -> None:
    search, reports = exact_searching(Go())
    first, is_end = reports.get(timeout=WAIT_S_MAX)
    assert not is_end
    search.stop()
    found = [first, *until_end(reports)]
    assert found[-1] == found[-2]
    value, line = found[-1].lines[0]
    assert (value, line[0]) == exact((read_fen(START),), found[-1].depth)


@pytest.mark.parametrize("go", [Go(clocks_ms=(1_000, None)), Go(nodes=1)])
def test_one_depth_is_searched_in_any_case(go: Go) -> None:
    found = until_end(exact_searching(go, elapsed_s=1.0)[1])
    assert len(found) == 2
    assert found[0].lines[0][1]


class Helpers:
    """A fleet that answers up to a depth, fails behind it, or never answers."""

    def __init__(self, depth_max: int, error: MasterError | None) -> None:
        self.depths: list[int] = []
        self._depth_max = depth_max
        self._error = error

    def ask(
        self, question: ExactQuestion, on_view: Callable[[SearchView], None]
    ) -> Future[ExactAnswer]:
        self.depths.append(question.depth)
        on_view(SearchView(nodes=7))
        asked: Future[ExactAnswer] = Future()
        if question.depth <= self._depth_max:
            asked.set_result(answer_at_once(question, KeyedTable(TABLE_BYTES)))
        elif self._error is not None:
            asked.set_exception(self._error)
        return asked


@pytest.fixture
def nothing_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uci_search, "ALONE_NODES", 0)


@pytest.mark.usefixtures("nothing_alone")
def test_one_thread_goes_on_where_the_fleet_fails(capsys: pytest.CaptureFixture[str]) -> None:
    helpers = Helpers(5, MasterError("all are gone"))
    found = until_end(exact_searching(Go(depth=8), fleet=helpers)[1])
    assert helpers.depths == [4, 5, 6]
    assert [each.depth for each in found] == [4, 5, 6, 7, 8, 8]
    for each in found:
        value, line = each.lines[0]
        assert (value, line[0]) == exact((read_fen(START),), each.depth)
    assert capsys.readouterr().err.count("the fleet cannot search: all are gone") == 1


@pytest.mark.usefixtures("nothing_alone")
def test_stop_gives_up_what_the_fleet_was_asked() -> None:
    search, reports = exact_searching(Go(), fleet=Helpers(4, None))
    assert reports.get(timeout=WAIT_S_MAX)[0].depth == 4
    search.stop()
    assert until_end(reports)[-1].depth == 4
    assert search.nodes > 7


def test_mates_are_named_by_their_length() -> None:
    last = until_end(exact_searching(Go(depth=8), (read_fen(MATE_IN_1),))[1])[-1]
    value, line = last.lines[0]
    assert value is not None
    assert mate_moves(value) == 1
    assert line == ("h1h8",)


FLEET_WAIT_S_MAX = 30

DEPTH = 14
"""A search of a second or more: it is looked at several times meanwhile."""


def question(depth: int) -> ExactQuestion:
    board = read_fen(START)
    return ExactQuestion(board, GameBefore.of_game([board]), depth)


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.when_changed
def test_answers_are_those_of_one_thread_and_what_is_cancelled_ends() -> None:
    views: list[SearchView] = []
    with uci_fleet(Place(local=1), is_trusting=False) as fleet:
        given_up = fleet.ask(question(40), views.append)
        given_up.cancel()
        with pytest.raises(CancelledError):
            given_up.result(FLEET_WAIT_S_MAX)
        found = fleet.ask(question(DEPTH), views.append).result(FLEET_WAIT_S_MAX)
    expected = answer_at_once(question(DEPTH), KeyedTable(1 << 22))
    assert (found.value, found.line[0]) == (expected.value, expected.line[0])
    assert views
