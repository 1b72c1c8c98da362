"""Games of Othello for tests of their analysis."""

from __future__ import annotations

from engine_ext.othello.board import OthelloBoard
from master.games.othello.analysis.judging import AnalysedGame, Judgement, judged
from master.games.othello.record import OthelloRecord, read_record

TIGER = "f5d6c3d3c4f4f6f3e6e7d7"
SHORTEST = "e6f4e3f6g5d6e7f5c5"


def worth_their_file(board: OthelloBoard, square: str) -> Judgement:
    """Value moves by their letters: h is best, a disc better than g; of equals the one made."""
    best = max(board.moves(), key=lambda move: (move[0], move == square))
    return Judgement(ord(square[0]) - 96.0, best, ord(best[0]) - 96.0, is_exact=True)


def analysed(text: str, number: int = 1, black: str = "", white: str = "") -> AnalysedGame:
    """Return a game judged by letters."""
    record = OthelloRecord(read_record(text)[0].game, black, white)
    return AnalysedGame(number, record, tuple(judged(record, worth_their_file)))
