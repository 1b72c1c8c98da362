"""Othello endgames in the laboratory answer as the sequential solver does, whatever happens."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.solver import Solver
from engine_ext.othello.solving import move_scores, solve
from master.games.othello.tree import (
    OthelloEndgame,
    ScoreGuess,
    SolverEngine,
    to_board,
    to_position,
)
from master.laboratory.laboratory import Laboratory, Mishap, Run
from master.search import STRATEGIES, Costs, SearchScheduler, SearchSpec, Strategy
from master.search.strategies import Sharing, Splitting
from tests.engine_ext.othello.ffo import SMALL
from tests.engine_ext.othello.positions import boards, played, running

GAME = OthelloEndgame()
COSTS = Costs(latency=300, message=30, entry=0.5, poll=512)


def first_best(board: OthelloBoard) -> tuple[int, str | None]:
    """The sequential value, and the first move in order of squares that has it."""
    if board.must_pass:
        return solve(board).score, None
    scores = move_scores(board)
    value = max(scores.values())
    return value, next(move for move in board.moves() if scores[move] == value)


def simulated(
    board: OthelloBoard, processors: int, strategy: Strategy, seed: int | None = None
) -> Run:
    rng = random.Random(seed)

    def fate(analyser: int, part: int) -> Mishap | None:
        if seed is None or rng.random() < 0.6:
            return None
        return Mishap(rng.uniform(0, 50_000), rng.random() < 0.5, rng.random() < 0.3)

    spec = SearchSpec(to_position(board), (board.empties,))
    scheduler = SearchScheduler(spec, GAME, strategy, COSTS)
    engines = [SolverEngine() for _ in range(processors)]
    return Laboratory(scheduler, engines, COSTS, fate, spare=SolverEngine).run()


def check(board: OthelloBoard, run: Run) -> None:
    assert run.answer is not None
    moves = board.moves()  # none where the side has to pass
    move = moves[run.answer.move] if moves and run.answer.move is not None else None
    assert (run.answer.value, move) == first_best(board)


@given(boards())
def test_position_means_the_board_with_black_to_move(board: OthelloBoard) -> None:
    read = to_board(to_position(board))
    assert (read.size, read.player, read.opponent) == (board.size, board.player, board.opponent)


@given(boards())
def test_children_are_the_boards_after_each_move_by_squares(board: OthelloBoard) -> None:
    children = GAME.children(to_position(board), board.empties)
    after = [board.play(move) for move in board.moves()] or [board.passed()]
    expected = [] if board.is_over else [(to_position(each), each.empties) for each in after]
    assert [(child.position, child.depth) for child in children] == expected
    assert list(GAME.children(to_position(board), 0)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.when_changed
def test_every_strategy_answers_as_the_sequential_solver_with_any_fleet(name: str) -> None:
    for row, processors in zip(SMALL[:3], (1, 3, 40), strict=True):
        strategy = replace(STRATEGIES[name], depth_min=8)
        run = simulated(row.board, processors, strategy)
        check(row.board, run)
        assert run.answer is not None
        assert run.answer.value == row.score


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(
    st.integers(0, 10_000), st.integers(8, 15), st.sampled_from([1, 2, 7, 33]),
    st.sampled_from(Splitting), st.sampled_from(Sharing), st.integers(0, 99),
)  # fmt: skip
@pytest.mark.when_changed
def test_late_doubled_and_lost_answers_change_nothing(
    game: int, empties: int, processors: int, splitting: Splitting, sharing: Sharing, seed: int
) -> None:
    board = played(game, empties)
    strategy = Strategy("any", splitting=splitting, sharing=sharing, depth_min=6)
    if not board.is_over:
        check(board, simulated(board, processors, strategy, seed))


def test_simulations_of_the_same_work_are_the_same() -> None:
    board = running(15, 1)[0]
    one = simulated(board, 5, STRATEGIES["manyply"])
    assert one == simulated(board, 5, STRATEGIES["manyply"])


@pytest.mark.parametrize("steps", [0, 1, 3, 1000])
def test_bounds_are_true_whether_the_search_is_finished_or_not(steps: int) -> None:
    board = SMALL[2].board
    engine = SolverEngine()
    engine.begin(to_position(board), board.empties, SMALL[2].score - 1, SMALL[2].score)
    for _ in range(steps):
        engine.step(2048)
    lower, upper = engine.proved()
    assert lower <= SMALL[2].score <= upper
    assert engine.is_done == (steps == 1000)
    for known in engine.moves():
        score = SMALL[2].moves[board.moves()[known.index]]
        assert known.lower <= score <= known.upper


def test_windows_beyond_all_scores_need_no_search() -> None:
    board = SMALL[0].board
    engine = SolverEngine()
    engine.begin(to_position(board), board.empties, -65, -64)
    assert engine.is_done
    assert engine.step(100) == 0
    assert engine.proved() == (-64, 64)
    assert engine.moves() == ()
    assert engine.best() is None
    with pytest.raises(ValueError, match="depth 14, the empties, not 9"):
        engine.begin(to_position(board), 9, -1, 1)


def test_news_of_one_engine_help_another() -> None:
    board = running(16, 1)[0]
    one, other, alone = SolverEngine(), SolverEngine(), SolverEngine()
    nodes = {}
    one.news(14)
    for name, engine in (("one", one), ("alone", alone)):
        engine.begin(to_position(board), board.empties, -1, 1)
        nodes[name] = engine.step(1 << 40)
    other.learn(one.news(14))
    other.begin(to_position(board), board.empties, -1, 1)
    assert other.step(1 << 40) < nodes["alone"] == nodes["one"]
    assert other.proved() == alone.proved()


def test_table_entries_name_and_prove_what_the_game_reads_from_them() -> None:
    board, game, engine = running(16, 1)[0], OthelloEndgame(), SolverEngine()
    engine.news(15)
    engine.begin(to_position(board), board.empties, -1, 1)
    engine.step(1 << 40)
    reported = {key: game.entry_bounds(content) for key, _, content in engine.news(15)}
    children = game.children(to_position(board), board.empties)
    known = [child for child in children if game.entry_key(child) in reported]
    assert len(known) > 1
    for child in known:
        solver = Solver(to_board(child.position))
        solver.run()
        lower, upper = reported[game.entry_key(child)]
        assert solver.score is not None
        assert lower <= solver.score <= upper
        assert (lower, upper) != (-64, 64)


def test_estimates_are_counted_and_plainer_far_from_the_root() -> None:
    board = running(20, 1)[0]
    near, far = OthelloEndgame(glance_depth=19), OthelloEndgame(glance_depth=20)
    children = near.children(to_position(board), 20)
    assert len(children) == len(board.moves())
    assert near.evaluated == 0
    for game in (near, far):
        assert len(game.estimates(children)) == len(children)
    assert far.evaluated == len(children) < near.evaluated


def test_guess_is_even_near_the_score_and_never_takes_long() -> None:
    board = running(16, 1)[0]
    assert abs(ScoreGuess(board).whole() - solve(board).score) <= 20
    guess = ScoreGuess(OthelloBoard.start())
    assert guess.whole() % 2 == 0
    assert guess.nodes > 1000


def test_early_guess_is_gone_on_from() -> None:
    board = running(24, 1)[0]
    guess = ScoreGuess(board)
    early, early_nodes = guess.early(), guess.nodes
    assert guess.early() == early
    assert guess.nodes == early_nodes > 0
    whole, nodes = guess.whole(), guess.nodes
    assert nodes > early_nodes
    assert (guess.early(), guess.whole(), guess.nodes) == (whole, whole, nodes)


def test_guess_of_few_plies_is_whole_at_once() -> None:
    guess = ScoreGuess(running(14, 1)[0])
    early, nodes = guess.early(), guess.nodes
    assert (guess.whole(), guess.nodes) == (early, nodes)
    assert nodes > 0
