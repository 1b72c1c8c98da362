"""What moves of Othello gave away: master.games.othello.analysis.judging."""

from __future__ import annotations

from hypothesis import given

from engine_ext.othello.board import OthelloBoard
from master.games.othello.analysis.judging import AnalysedGame, Judgement, SideFigures, judged
from master.games.othello.game import OthelloGame
from master.games.othello.record import OthelloRecord
from tests.master.games.othello.analysis.games import TIGER, analysed, worth_their_file
from tests.master.games.othello.games import games


@given(games)
def test_each_move_is_judged_once_where_it_was_made(game: OthelloGame) -> None:
    asked: list[tuple[OthelloBoard, str]] = []

    def judge(board: OthelloBoard, square: str) -> Judgement:
        asked.append((board, square))
        return worth_their_file(board, square)

    moves = list(judged(OthelloRecord(game), judge))
    assert tuple(move.square for move in moves) == game.squares
    assert [move.side for move in moves] == [game.side_of(move.number) for move in moves]
    choices = [
        (board, square)
        for board, square in zip(game.boards, game.squares, strict=False)
        if len(board.moves()) > 1
    ]
    assert asked == choices
    assert all(move.judgement is not None or move.lost == 0 for move in moves)


@given(games)
def test_both_sides_figures_are_those_of_all_moves(game: OthelloGame) -> None:
    record = OthelloRecord(game)
    found = AnalysedGame(1, record, tuple(judged(record, worth_their_file)))
    black, white = (found.figures(side) for side in "XO")
    assert black.moves + white.moves == len(game.turns)
    assert black.discs_lost + white.discs_lost == sum(move.lost for move in found.moves)
    for side in (black, white):
        assert 0 <= side.best <= side.choices <= side.moves
        assert (side.accuracy is None) == (side.choices == 0)
        assert (side.best == side.choices) == (side.discs_lost == 0)


def test_the_worst_moves_come_first() -> None:
    game = analysed(TIGER)
    lost = [move.lost for move in game.worst(60)]
    assert lost == sorted(lost, reverse=True)
    assert all(lost)
    assert game.worst(2) == game.worst(60)[:2]


def test_accuracy_is_the_share_of_moves_that_gave_nothing_away() -> None:
    figures = SideFigures(moves=5, choices=4, best=3, discs_lost=2.0)
    assert (figures.accuracy, figures.discs_lost_a_choice) == (75.0, 0.5)
    nothing = SideFigures(1, 0, 0, 0.0)
    assert nothing.accuracy is nothing.discs_lost_a_choice is None
