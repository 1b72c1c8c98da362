"""Midgame searches have plain minimax's values, and play its moves, in any steps and tables."""

import threading
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.control import RunControl
from engine_ext.othello.answer import BoardStatus
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.board_search import BoardSearch
from engine_ext.othello.choice import Chooser, Effort, effort_for
from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.features import FourTermEvaluation
from engine_ext.othello.patterns import load_game_patterns
from engine_ext.othello.search import ALGORITHMS, MODES, DepthSearch, default_evaluation
from engine_ext.othello.solver import Solver
from engine_ext.othello.solving import solve
from engine_ext.othello.table import HashTable
from tests.engine_ext.othello.ffo import ROWS
from tests.engine_ext.othello.pattern_weights import random_evaluation
from tests.engine_ext.othello.positions import played, running


def search_of(board: OthelloBoard, depth: int, *, mode: str = "reproducible") -> DepthSearch:
    return DepthSearch(
        board, depth, table=HashTable(1 << 18), evaluation=random_evaluation(), mode=mode
    )


@pytest.mark.slow
@given(st.integers(0, 10**6), st.integers(1, 5000), st.sampled_from(MODES))
@settings(max_examples=30)
def test_stepping_equals_running(seed: int, nodes: int, mode: str) -> None:
    board = played(seed, 40)
    straight, stepped = search_of(board, 6, mode=mode), search_of(board, 6, mode=mode)
    straight.run()
    while not stepped.step(nodes):
        pass
    assert stepped.value == straight.value
    assert stepped.nodes == straight.nodes
    assert stepped.best_move == straight.best_move
    assert stepped.move_bounds == straight.move_bounds
    assert stepped.pv == straight.pv


def test_step_ends_soon_after_its_nodes() -> None:
    search = search_of(OthelloBoard.start(), 12)
    before = 0
    for _ in range(50):
        assert not search.step(3000)
        assert 3000 <= search.nodes - before <= 3000 + 100
        before = search.nodes


def test_iterations_can_be_watched() -> None:
    search = search_of(OthelloBoard.start(), 6)
    assert (search.depth, search.value, search.best_move, search.pv) == (-1, None, None, [])
    assert search.depth_begun == -1
    depths = []
    while not search.step(1):
        depths.append(search.depth)
        assert search.depth_begun == max(search.depth, 0) + 1
    assert depths == sorted(depths)
    assert search.depth_begun == 6
    assert search.depth == 6
    assert search.is_done
    assert search.run()


def test_stopped_search_stays_where_it_is_and_counts_its_nodes() -> None:
    control = RunControl()
    search = DepthSearch(
        OthelloBoard.start(), 60, control=control, evaluation=random_evaluation(),
        table=HashTable(1 << 20),
    )  # fmt: skip
    thread = threading.Thread(target=search.run)
    thread.start()
    while control.steps < 10_000:
        pass
    control.stop()
    thread.join()
    assert not search.is_done
    nodes = search.nodes
    assert control.steps == nodes
    assert not search.run()
    assert search.nodes == nodes


def test_line_is_playable_and_leads_to_the_value() -> None:
    board = played(3, 30)
    search = search_of(board, 7)
    search.run()
    line = search.pv
    assert line[0] == search.best_move
    assert len(line) >= 5
    for depth, move in enumerate(line):
        after = board.play(move)
        board = after.passed() if after.must_pass else after
        rest = search_of(board, 7 - depth - 1)
        rest.run()
        side = 1 if (board.to_move == search.board.to_move) else -1
        assert rest.value == side * (search.value or 0)


def test_side_that_must_pass_has_a_value_and_no_move() -> None:
    board = next(board for board in (played(seed, 8) for seed in range(500)) if board.must_pass)
    search, other = search_of(board, 4), search_of(board.passed(), 4)
    search.run()
    other.run()
    assert search.value == -(other.value or 0)
    assert search.best_move is None
    assert search.move_bounds == {}


def test_finished_game_is_worth_its_score() -> None:
    board = played(5, 0)
    assert board.is_over
    search = search_of(board, 3)
    search.run()
    assert search.value == 100 * board.final_score


def test_defaults_know_every_size() -> None:
    for size in (4, 6, 8):
        search = DepthSearch(OthelloBoard.start(size), 3)
        assert search.run()
    assert isinstance(default_evaluation(6), FourTermEvaluation)


def test_bad_arguments_are_named() -> None:
    board = OthelloBoard.start()
    with pytest.raises(ValueError, match="depth is 0 to 60, not 61"):
        DepthSearch(board, 61)
    with pytest.raises(ValueError, match=r"window .* not \(5, 5\)"):
        DepthSearch(board, 3, 5, 5)
    with pytest.raises(ValueError, match="first depth is 0 or more"):
        DepthSearch(board, 3, first_depth=-1)
    with pytest.raises(ValueError, match="pvs or mtdf, not 'sss'"):
        DepthSearch(board, 3, algorithm="sss")
    with pytest.raises(ValueError, match="reproducible or fast, not 'quick'"):
        DepthSearch(board, 3, mode="quick")
    with pytest.raises(TypeError, match="of a kind"):
        DepthSearch(board, 3, evaluation=Evaluation())
    with pytest.raises(ValueError, match="1 node or more"):
        search_of(board, 3).step(0)


# Kept through a whole run: what one search leaves behind may not change another's value.
SHARED = {size: HashTable(1 << 15) for size in (4, 6, 8)}

boards = st.builds(played, st.integers(0, 10**6), st.integers(0, 58), st.sampled_from([4, 6, 8]))
algorithms = st.sampled_from(ALGORITHMS)


@cache
def evaluation(size: int) -> Evaluation:
    return random_evaluation() if size == 8 else FourTermEvaluation(size)


def minimax(board: OthelloBoard, depth: int) -> int:
    """V(board, depth) as midgame.pyx defines it."""
    if not board.empties or (depth and board.is_over):
        return 100 * board.final_score
    if depth == 0:
        return max(-6399, min(6399, evaluation(board.size).value(board)))
    if board.must_pass:
        return -minimax(board.passed(), depth)
    return max(-minimax(board.play(move), depth - 1) for move in board.moves())


def first_best(board: OthelloBoard, depth: int, value: int) -> str | None:
    if depth == 0:
        return None
    moves = [move for move in board.moves() if -minimax(board.play(move), depth - 1) == value]
    return moves[0] if moves else None


def searched(board: OthelloBoard, depth: int, table: HashTable, algorithm: str) -> DepthSearch:
    search = DepthSearch(
        board, depth, table=table, evaluation=evaluation(board.size), algorithm=algorithm
    )
    assert search.run()
    return search


@pytest.mark.slow
@given(boards, st.integers(0, 3), algorithms)
@settings(max_examples=60)
@pytest.mark.when_changed
def test_searches_give_minimax_whatever_the_table_holds(
    board: OthelloBoard, depth: int, algorithm: str
) -> None:
    value = minimax(board, depth)
    move = first_best(board, depth, value)
    for table in (HashTable(1 << 12), SHARED[board.size]):
        search = searched(board, depth, table, algorithm)
        assert (search.value, search.best_move) == (value, move)


@given(boards, st.integers(1, 3), st.integers(-300, 300), st.integers(1, 200), algorithms)
@settings(max_examples=60)
def test_windows_prove_what_fail_soft_promises(
    board: OthelloBoard, depth: int, below: int, width: int, algorithm: str
) -> None:
    true = minimax(board, depth)
    alpha = max(-6400, min(6399, true - below))
    beta = min(6400, alpha + width)
    search = DepthSearch(
        board, depth, alpha, beta, table=SHARED[board.size],
        evaluation=evaluation(board.size), algorithm=algorithm,
    )  # fmt: skip
    search.run()
    assert search.value is not None
    if search.value <= alpha:
        assert true <= search.value
    elif search.value >= beta:
        assert true >= search.value
    else:
        assert search.value == true
    for move, (lower, upper, _) in search.move_bounds.items():
        assert lower <= -minimax(board.play(move), depth - 1) <= upper


@pytest.mark.slow
@given(boards, st.integers(4, 7))
@settings(max_examples=25)
def test_deeper_searches_agree_with_each_other(board: OthelloBoard, depth: int) -> None:
    answers = {
        (search.value, search.best_move)
        for search in (
            searched(board, depth, HashTable(1 << 12), "pvs"),
            searched(board, depth, HashTable(1 << 20), "mtdf"),
            searched(board, depth, SHARED[board.size], "pvs"),
        )
    }
    assert len(answers) == 1


@pytest.mark.slow
@given(st.integers(0, 10**6), st.integers(0, 7))
@settings(max_examples=20)
def test_depth_of_the_empty_squares_gives_the_exact_score(seed: int, empties: int) -> None:
    board = played(seed, empties)
    search = searched(board, board.empties, SHARED[8], "pvs")
    plain = searched(board, 20, HashTable(1 << 12), "mtdf")
    assert search.value == plain.value
    assert search.value is not None
    assert search.value % 100 == 0


@given(st.integers(0, 10**6), st.integers(0, 9), algorithms)
@settings(max_examples=30)
def test_fast_searches_to_the_end_are_exact(seed: int, empties: int, algorithm: str) -> None:
    board = played(seed, empties)
    searches = [
        DepthSearch(
            board, board.empties, table=HashTable(1 << 14), evaluation=evaluation(8),
            algorithm=algorithm, mode=mode, first_depth=board.empties,
        )
        for mode in MODES
    ]  # fmt: skip
    assert all(search.run() for search in searches)
    assert searches[0].value == searches[1].value


@pytest.mark.slow
def test_fast_searches_visit_less_and_mostly_agree() -> None:
    nodes, agreed = dict.fromkeys(MODES, 0), 0
    for board in running(36, 12):
        moves = set()
        for mode in MODES:
            search = DepthSearch(board, 8, mode=mode, table=HashTable(1 << 20))
            search.run()
            nodes[mode] += search.nodes
            moves.add(search.best_move)
            assert search.best_move in board.moves()
        agreed += len(moves) == 1
    assert nodes["fast"] < 0.6 * nodes["reproducible"]
    assert agreed >= 8


SMALL_TABLE = 1 << 16
BALANCED = 10
"""Few boards of random games are within so many discs: in the others no move gives a win away."""


def chooser(*effort: int) -> Chooser:
    return Chooser(load_game_patterns(), Effort(*effort), SMALL_TABLE)


def outcome(board: OthelloBoard) -> int:
    score = solve(board, (-1, 1)).score
    return (score > 0) - (score < 0)


def outcome_of(board: OthelloBoard, move: str) -> int:
    """What a move makes of the board, for the side that moves."""
    return -outcome(board.play(move))


def fast(board: OthelloBoard, depth: int) -> DepthSearch:
    search = DepthSearch(
        board, depth, table=HashTable(SMALL_TABLE), evaluation=load_game_patterns(), mode="fast"
    )
    search.run()
    return search


def test_far_from_the_end_it_is_the_fast_searchs_move() -> None:
    for board in running(30, 6):
        assert chooser(4, 20, 16, 12).choose(board) == fast(board, 4).best_move


def test_near_the_end_it_is_the_best_move() -> None:
    for board in running(10, 8):
        move = chooser(2, 14, 12, 10).choose(board)
        assert -solve(board.play(move)).score == solve(board).score


@pytest.mark.parametrize("empties", [9, 12, 14])
def test_no_win_and_no_draw_is_let_go(empties: int) -> None:
    for board in running(empties, 25):
        move = chooser(1, 0, empties, 0).choose(board)
        assert outcome_of(board, move) == outcome(board)


def test_move_that_looks_best_is_kept_if_it_wins() -> None:
    kept = 0
    for board in running(12, 25):
        best = fast(board, 2).best_move
        assert best is not None
        if outcome_of(board, best) > 0:
            assert chooser(2, 0, 12, 0).choose(board) == best
            kept += 1
    assert kept >= 5


@pytest.mark.slow
@pytest.mark.when_changed
def test_probable_winners_win_more_often_than_what_looks_best() -> None:
    lost = {"probable": 0, "looks": 0}
    for board in running(16, 200):
        if abs(solve(board).score) <= BALANCED:
            best = outcome(board)
            lost["probable"] += best - outcome_of(board, chooser(2, 16, 0, 0).choose(board))
            lost["looks"] += best - outcome_of(board, chooser(2, 0, 0, 0).choose(board))
    assert lost["probable"] < 0.7 * lost["looks"]


@pytest.mark.parametrize("effort", [effort_for(4), Effort(6, 18, 10, 8), Effort(3)])
def test_games_go_on_to_their_end_and_are_the_same_again(effort: Effort) -> None:
    records = []
    player = Chooser(load_game_patterns(), effort, SMALL_TABLE)
    for _ in range(2):
        player.forget()
        board, moves = OthelloBoard.start().play("f5"), []
        while not board.is_over:
            if board.must_pass:
                board = board.passed()
                continue
            moves.append(player.choose(board))
            board = board.play(moves[-1])
        records.append(moves)
    assert records[0] == records[1]


@pytest.mark.slow
def test_long_choices_tell_how_they_stand_and_can_be_left() -> None:
    board = ROWS["FFO41"].board
    reported = list(chooser(8, 0, 30, 0).steps(board))
    assert all(isinstance(status, BoardStatus) for status in reported)
    assert reported[-1].pv[0] in board.moves()
    nodes = [status.nodes for status in reported]
    assert nodes == sorted(nodes)
    assert len(nodes) > 5
    left = chooser(8, 0, 30, 0).steps(board)
    next(left)
    left.close()


def test_efforts_grow_with_the_depth() -> None:
    assert effort_for(15) == Effort(15, 24, 19, 15)
    for depth in range(1, 60):
        less, more = effort_for(depth), effort_for(depth + 1)
        assert depth == less.solve <= less.win <= less.probable
        assert less.win <= more.win
        assert less.probable <= more.probable


@pytest.mark.parametrize("size", [4, 6, 8])
def test_moves_go_by_the_names_of_the_board_s_squares(size: int) -> None:
    board = OthelloBoard.start(size)
    searches: list[BoardSearch] = [DepthSearch(board, 2), Solver(board)]
    for search in searches:
        assert search.board == board
        assert set(search.move_bounds) == set(board.moves())


def test_best_move_of_a_search_of_nothing_is_none() -> None:
    over = OthelloBoard.from_text("XXXXXXXXXXXXXXXX X")
    search = DepthSearch(over, 1)
    search.run()
    assert (search.best_move, search.move_bounds) == (None, {})
