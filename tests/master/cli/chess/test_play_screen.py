"""What is said at a chess board: master.cli.chess.play_screen."""

from __future__ import annotations

import pytest

from engine_ext.chess.fast.search import MATE_VALUE
from engine_ext.chess.fen import START, read_fen
from master.cli.chess.play_screen import (
    LINE_MOVES_SHOWN,
    game_lines,
    moves_text,
    player_text,
    result_text,
    show_hints,
)
from master.games.chess.game import ChessGame, game_from
from master.games.chess.record import ChessRecord
from master.games.chess.threaded_search import ChessLine
from tests.master.games.chess.games import random_game

CASTLED = game_from(read_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), ["O-O"])


def over(fen: str) -> ChessRecord:
    return ChessRecord(game_from(read_fen(fen)), "Ann", "Bob")


@pytest.mark.parametrize(
    ("fen", "text"),
    [
        ("R6k/8/6K1/8/8/8/8/8 b - - 0 1", "The game is over: White Ann wins by checkmate."),
        ("r6K/8/6k1/8/8/8/8/8 w - - 0 1", "The game is over: Black Bob wins by checkmate."),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "The game is over, a draw: stalemate."),
        ("7k/8/6K1/8/8/8/8/8 b - - 0 1", "The game is over, a draw: neither side can mate."),
        ("7k/8/6K1/8/8/8/8/R7 b - - 100 80", "The game is over, a draw: fifty moves without a "
         "capture or a pawn's move."),
    ],
)  # fmt: skip
def test_a_result_says_how_it_came(fen: str, text: str) -> None:
    assert result_text(over(fen)) == text


def test_the_last_move_of_a_king_that_castled_is_marked_where_it_went() -> None:
    lines = ["".join(span.text for span in line)
             for line in game_lines(ChessRecord(CASTLED, "Ann"), is_flipped=False)]  # fmt: skip
    assert lines[8].replace("♖", "R").replace("♔", "K") == (
        " 1   .  .  .  . (.) R (K) .  1   White Ann"
    )


def test_lines_of_hints_are_cut_to_the_screen(capsys: pytest.CaptureFixture[str]) -> None:
    game = random_game(3, 40)
    start = game_from(read_fen(START))
    long = ChessLine(4 - MATE_VALUE, game.moves)
    show_hints(start, (long, long))
    out = capsys.readouterr().out
    assert out.count("mated in 2") == 2
    assert f" {game.sans[LINE_MOVES_SHOWN - 1]}\n" in out
    assert all(len(line) <= 80 for line in out.splitlines())


def test_players_without_a_name_are_their_side() -> None:
    record = ChessRecord(CASTLED, "", "Bob\n")
    assert (player_text(record, "w"), player_text(record, "b")) == ("White", "Black Bob?")


def test_moves_have_their_numbers() -> None:
    def said(game: ChessGame) -> str:
        return moves_text(game)

    assert said(CASTLED) == "1. O-O"
    assert said(game_from(read_fen(START))) == "no move is made"
