"""What the leaves of the fast search see: draws, captures that win, answers to checks."""

import pytest

from engine_ext.chess.fast.search import FastSearch
from engine_ext.chess.fen import read_fen
from tests.engine_ext.chess.fast.searches import every_line, search


@pytest.mark.parametrize(
    "fen",
    [
        "7k/5Q2/8/8/8/8/8/K7 b - - 0 1",  # legal moves are none but one that loses nothing
        "8/8/8/4k3/8/8/8/4KB2 w - - 0 1",  # too few men
        "8/8/8/4k3/8/8/3R4/4K3 w - - 99 80",  # fifty moves
    ],
)
def test_draws_are_worth_nothing(fen: str) -> None:
    board = read_fen(fen)
    if board.move_count:
        assert search(fen, 8).lines[0][0] == 0
    else:
        with pytest.raises(ValueError, match="no move is legal"):
            FastSearch(board)


def test_third_time_is_a_draw() -> None:
    board = read_fen("7k/8/8/8/8/q7/8/6QK w - - 10 40")
    before = []
    for move in ("g1d4", "h8h7", "d4e4", "h7h8", "e4d4", "h8h7", "d4e4", "h7h8"):
        before.append(board)
        board = board.play(move)
    values = {line[0]: value for value, line in every_line(board, before)}
    assert values["e4d4"] == 0  # the third time


def test_captures_are_seen_through_at_the_first_ply() -> None:
    # The pawn on d5 is protected; the one on a5 is not.
    fen = "4k3/8/2p5/p2p4/8/8/8/R2QK3 w - - 0 1"
    found = search(fen, 1, line_count=256)
    values = {line[0]: value for value, line in found.lines}
    assert values["d1d5"] < values["e1e2"] - 400
    assert values["a1a5"] > values["e1e2"] + 50


def test_answers_to_a_check_are_seen_at_the_first_ply() -> None:
    found = search("6k1/5ppp/8/8/8/8/4PPPP/R5K1 w - - 0 1", 1, line_count=256)
    assert found.lines[0][1][0] == "a1a8"
    assert found.lines[0][0] > 29_000
