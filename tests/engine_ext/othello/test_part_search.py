import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.control import RunControl
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.part_search import PartDeepener, PartSolver
from engine_ext.othello.search import DepthSearch, default_evaluation
from engine_ext.othello.solver import Solver
from engine_ext.othello.solving import move_scores, solve
from engine_ext.othello.table import HashTable
from engine_ext.search.part_text import PartAnswer
from tests.engine_ext.othello.ffo import SMALL
from tests.engine_ext.othello.positions import boards, running


def new_solver(size: int = 8) -> PartSolver:
    return PartSolver(HashTable(1 << 16), size=size)


def check(board: OthelloBoard, answer: PartAnswer) -> None:
    """Every bound is true."""
    scores, places = move_scores(board), board.moves()
    assert answer.lower <= solve(board).score <= answer.upper
    for move in answer.moves:
        assert move.lower <= scores[places[move.place]] <= move.upper
    assert answer.best is None or 0 <= answer.best < len(places)


windows = st.tuples(st.integers(-70, 70), st.integers(-70, 70)).filter(lambda w: w[0] < w[1])


@settings(deadline=None)
@given(boards(4, 10), windows, st.lists(st.integers(1, 3000), max_size=4))
def test_what_is_proved_is_true_at_any_moment(
    board: OthelloBoard, window: tuple[int, int], steps: list[int]
) -> None:
    part = new_solver()
    part.begin(board, *window)
    nodes = 0
    for step in steps:
        nodes += part.step(step)
        assert part.answer().nodes == nodes
        check(board, part.answer())


@settings(deadline=None)
@given(boards(15, 20), st.integers(1, 5000))
def test_moves_left_to_search_are_told_with_what_they_are_expected_to_be_worth(
    board: OthelloBoard, nodes: int
) -> None:
    part = new_solver()
    part.begin(board, -1, 1)
    examined = part.examined
    assert (examined > 0) == bool(board.moves())
    part.step(nodes)
    reported = {move.place: move for move in part.answer().moves}
    places = range(len(board.moves()))
    if part.is_done:
        assert all(move.estimate is None for move in reported.values())
    else:
        assert list(reported) == list(places)
        assert all(
            (move.estimate is None) == (move.lower == move.upper) for move in reported.values()
        )
    solver = Solver(board, -1, 1, table=HashTable(1 << 16), evaluation=default_evaluation(8))
    assert solver.examined == examined
    for place, move in reported.items():
        expected = round(solver.move_estimates[board.moves()[place]] / 100)
        assert move.estimate in (None, max(-64, min(expected, 64)))


@settings(deadline=None)
@given(boards(0, 10), windows)
def test_finished_search_answers_its_window(board: OthelloBoard, window: tuple[int, int]) -> None:
    part = new_solver()
    part.begin(board, *window)
    while not part.is_done:
        part.step(4096)
    alpha, beta = max(window[0], -64), min(window[1], 64)
    lower, upper = part.proved()
    assert lower == upper or lower >= beta or upper <= alpha or alpha >= beta
    check(board, part.answer())
    assert PartAnswer.from_text(part.answer().to_text()) == part.answer()


@pytest.mark.parametrize("size", [4, 6])
def test_smaller_boards_are_solved_as_well(size: int) -> None:
    part = new_solver(size)
    for board in running(8, 5, size):
        part.begin(board, -64, 64)
        part.step(1 << 40)
        assert part.proved() == (solve(board).score,) * 2


def test_stopped_search_stays_where_it_is() -> None:
    control = RunControl()
    part = new_solver()
    part.begin(SMALL[0].board, -64, 64, control)
    part.step(1000)
    before = part.answer()
    assert control.steps == before.nodes > 0
    control.stop()
    assert part.step(1000) == 0
    assert not part.is_done
    assert part.answer() == before
    part.begin(SMALL[1].board, -64, 64)
    assert part.step(1000) > 0
    assert control.steps == before.nodes


def value(board: OthelloBoard, depth: int) -> int:
    """What every search of this depth must find."""
    search = DepthSearch(board, depth, table=HashTable(1 << 16))
    search.run()
    assert search.value is not None
    return search.value


def check_depth(board: OthelloBoard, depth: int, answer: PartAnswer) -> None:
    """Every bound is true of this very depth."""
    assert answer.lower <= value(board, depth) <= answer.upper
    for move in answer.moves:
        after = board.play(board.moves()[move.place])
        assert move.lower <= -value(after, depth - 1) <= move.upper


depth_windows = st.tuples(st.integers(-6500, 6500), st.integers(1, 3000)).map(
    lambda pair: (pair[0], pair[0] + pair[1])
)


@settings(deadline=None, max_examples=40)
@given(boards(5, 50), st.integers(0, 5), depth_windows, st.lists(st.integers(1, 5000), max_size=4))
def test_what_is_proved_of_a_depth_is_true_of_it_at_any_moment(
    board: OthelloBoard, depth: int, window: tuple[int, int], steps: list[int]
) -> None:
    table = HashTable(1 << 12)
    for again in (window, (window[0] - 7, window[1] + 7)):  # with what the first one left behind
        part = PartDeepener(board, depth, again, table)
        for step in steps:
            part.step(step)
            check_depth(board, depth, part.answer())
        while not part.is_done:
            part.step(4096)
        alpha, beta = max(again[0], -6400), min(again[1], 6400)
        lower, upper = part.proved()
        assert lower == upper or lower >= beta or upper <= alpha or alpha >= beta
        check_depth(board, depth, part.answer())


def test_shallower_iterations_prove_nothing() -> None:
    board = running(40, 1)[0]
    part = PartDeepener(board, 9, (-6400, 6400), HashTable(1 << 20))
    part.step(100)
    assert (part.proved(), part.moves()) == ((-6400, 6400), ())
    assert not part.is_done


def test_last_iteration_proves_something_of_moves_even_if_it_is_the_only_one() -> None:
    board, table = running(40, 1)[0], HashTable(1 << 20)
    assert PartDeepener(board, 6, (-6400, 6400), table).step(1 << 40)
    part = PartDeepener(board, 7, (-6400, 6400), table)
    while not part.moves():
        part.step(100)
        assert not part.is_done
    check_depth(board, 7, part.answer())


def test_iterations_that_the_table_knows_are_left_out() -> None:
    board, table = running(40, 1)[0], HashTable(1 << 20)
    nodes = []
    for window in [(-6400, 6400), (-6400, 6400), (6000, 6001)]:
        part = PartDeepener(board, 7, window, table)
        part.step(1 << 40)
        nodes.append(part.answer().nodes)
    assert max(nodes[1:]) < nodes[0] // 20


def test_windows_beyond_all_scores_need_no_search() -> None:
    part = new_solver()
    part.begin(SMALL[0].board, -65, -64)
    assert part.is_done
    assert part.step(100) == 0
    assert part.answer() == PartAnswer(-64, 64, 0)
