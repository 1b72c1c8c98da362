"""Which move is played: a legal one, the best where the end is known, and no win is let go."""

import pytest

from engine_ext.othello.answer import BoardStatus
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.choice import Chooser, Effort, effort_for
from engine_ext.othello.patterns import load_game_patterns
from engine_ext.othello.search import DepthSearch
from engine_ext.othello.solving import solve
from engine_ext.othello.table import HashTable
from tests.engine_ext.othello.ffo import ROWS
from tests.engine_ext.othello.positions import running

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
