"""Whole answers about a board by a fleet, which is simulated: they are the sequential ones."""

from collections.abc import AsyncGenerator

import pytest

from engine_ext.control import RunControl
from engine_ext.othello.answer import BoardQuestion, answer_at_once
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.part_search import PartDeepener
from engine_ext.othello.table import HashTable
from engine_ext.othello.transcript import boards_of
from master.contract.search_views import SearchView
from master.games.othello import fleet_search as module
from master.games.othello.fleet_search import FleetSearcher
from master.games.othello.tree import OthelloEndgame, SolverEngine, to_board
from master.laboratory.laboratory import Laboratory
from master.search import Costs, SearchScheduler
from master.search.events import MoveBounds, TableEntry
from master.search.running.status import SearchStatus
from master.search.running.task import SearchTask
from master.search.strategies import Mode
from tests.engine_ext.othello.positions import played, running

COSTS = Costs(latency=100, message=20, entry=1, poll=50)


class DepthEngine:
    """A simulated analyser's engine for parts of a depth, without a table of its own."""

    def begin(self, position: bytes, depth: int, alpha: int, beta: int) -> float:
        self._search = PartDeepener(
            to_board(position), depth, (alpha, beta), HashTable(1 << 20), RunControl()
        )
        return 0.0

    def step(self, nodes: int) -> int:
        return self._search.step(nodes)

    @property
    def is_done(self) -> bool:
        return self._search.is_done

    def proved(self) -> tuple[int, int]:
        return self._search.proved()

    def best(self) -> int | None:
        return self._search.best()

    def moves(self) -> tuple[MoveBounds, ...]:
        return tuple(MoveBounds(*move) for move in self._search.moves())

    @property
    def answer_nodes(self) -> float:
        return 0.0

    def news(self, depth_min: int) -> tuple[TableEntry, ...]:
        return ()

    def learn(self, entries: tuple[TableEntry, ...]) -> None:
        pass


class Simulated:
    """Two simulated analysers; each has an engine for one kind of search."""

    def __init__(self) -> None:
        self.tasks: list[SearchTask] = []

    async def search(self, task: SearchTask) -> AsyncGenerator[SearchStatus, None]:
        self.tasks.append(task)
        rules = task.wording.rules
        scheduler = SearchScheduler(task.spec, rules, task.strategy, COSTS)
        is_solved = type(rules) is OthelloEndgame
        engines = [SolverEngine() if is_solved else DepthEngine() for _ in range(2)]
        run = Laboratory(scheduler, engines, COSTS).run()
        for found in (None, run.answer):
            yield SearchStatus(1, None, None, None, run.nodes, 1.0, 1, 0, (), (), found)


@pytest.fixture(autouse=True)
def no_board_is_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HERE_EMPTIES_MAX", 6)
    monkeypatch.setattr(module, "HERE_DEPTH_MAX", 2)


def check_line(board: OthelloBoard, line: tuple[str, ...], score: float) -> None:
    last = boards_of(line, board)[-1]
    assert last.is_over
    assert (last.final_score if last.to_move == board.to_move else -last.final_score) == score


@pytest.mark.parametrize("board", running(12, 6))
async def test_value_and_move_are_the_sequential_ones(board: OthelloBoard) -> None:
    searcher = FleetSearcher(Simulated().search)
    found = await searcher.answer(BoardQuestion(board, 60))
    expected = answer_at_once(BoardQuestion(board, 12))
    assert (found.value, found.best_move) == (expected.value, expected.best_move)
    assert await searcher.answer(BoardQuestion(board, 60)) == found
    assert found.is_exact
    assert found.nodes > 0
    assert found.pv[:1] == (found.best_move,)
    check_line(board, found.pv, found.value)


@pytest.mark.parametrize("board", running(11, 3))
@pytest.mark.when_changed
async def test_every_move_has_its_value_and_line(board: OthelloBoard) -> None:
    question = BoardQuestion(board, 11, is_every_move_asked=True)
    found = await FleetSearcher(Simulated().search).answer(question)
    expected = answer_at_once(question)
    assert found.moves == expected.moves
    assert (found.value, found.best_move) == (expected.value, expected.best_move)
    assert found.pv == found.lines[0]
    for (move, value), line in zip(found.moves, found.lines, strict=True):
        assert line[0] == move
        check_line(board, line, value)


@pytest.mark.parametrize("board", [*running(30, 3), *running(9, 2)])
@pytest.mark.parametrize("is_every_move_asked", [False, True])
async def test_depth_is_searched_as_by_one_thread(
    board: OthelloBoard, is_every_move_asked: bool
) -> None:
    question = BoardQuestion(board, 6, is_every_move_asked=is_every_move_asked)
    found = await FleetSearcher(Simulated().search).answer(question)
    expected = answer_at_once(question)
    assert (found.value, found.best_move) == (expected.value, expected.best_move)
    assert found.moves == expected.moves
    assert found.is_exact is False
    assert found.pv[0] == found.best_move
    assert len(boards_of(found.pv, board)) == len(found.pv) + 1 <= 7


async def test_any_best_move_will_do_in_mode_fast() -> None:
    fleet = Simulated()
    board = running(12, 1)[0]
    found = await FleetSearcher(fleet.search).answer(BoardQuestion(board, 12, mode="fast"))
    assert fleet.tasks[0].strategy.mode is Mode.FAST
    assert found.value == answer_at_once(BoardQuestion(board, 12)).value


async def test_board_whose_side_must_pass_has_a_line_and_no_move() -> None:
    board = next(one for one in running(8, 200) if one.must_pass)
    found = await FleetSearcher(Simulated().search).answer(BoardQuestion(board, 60))
    assert found.best_move is None
    check_line(board, found.pv, found.value)


@pytest.mark.parametrize("board", [played(1, 0), running(5, 1)[0]])
async def test_little_is_solved_here(board: OthelloBoard) -> None:
    fleet = Simulated()
    found = await FleetSearcher(fleet.search).answer(BoardQuestion(board, 60))
    assert found == answer_at_once(BoardQuestion(board, board.empties))
    assert fleet.tasks == []


async def test_statuses_name_the_phase_and_count_all_nodes() -> None:
    reported: list[SearchView] = []
    board = running(12, 1)[0]
    searcher = FleetSearcher(Simulated().search, on_view=reported.append)
    found = await searcher.answer(BoardQuestion(board, 12, is_every_move_asked=True))
    assert reported[0].phase == "solving 12 empty squares"
    assert "finding the best line" in {one.phase for one in reported}
    assert any(one.phase.endswith(", solving 11 empty squares") for one in reported)
    counts = [one.nodes for one in reported]
    assert counts == sorted(counts)
    assert counts[-1] <= found.nodes
