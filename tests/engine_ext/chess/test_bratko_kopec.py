"""The test's positions, as the library reads them."""

from importlib.resources import files

import chess

from engine_ext.chess.bratko_kopec import bratko_kopec
from engine_ext.chess.fen import write_fen


def test_every_position_and_its_best_moves_are_there() -> None:
    suite = bratko_kopec()
    assert list(suite) == [f"BK{number}" for number in range(1, 25)]
    lines = (files("engine_ext.chess") / "data" / "bratko_kopec.epd").read_text().splitlines()
    for line, found in zip(lines, suite.values(), strict=True):
        board, operations = chess.Board.from_epd(line)
        assert write_fen(found.board) == board.fen()
        moves = {board.parse_san(move) for move in found.best}
        theirs = operations["bm"]
        assert isinstance(theirs, list)
        assert moves == set(theirs)
