"""Games of chess by random moves, ours beside those of the library that judges."""

from __future__ import annotations

import random

import chess
from hypothesis import strategies as st

from engine_ext.chess.fen import START, read_fen
from master.games.chess.game import ChessGame, game_from
from tests.engine_ext.chess.positions import judged, ours


def random_game(seed: int, move_count: int, fen: str = START) -> ChessGame:
    """Play so many random moves, or to the end."""
    choose = random.Random(seed)
    game = game_from(read_fen(fen))
    while game.side is not None and len(game.moves) < move_count:
        game = game.play(choose.choice(game.board.moves(is_chess960=True)))
    return game


def followed(board: chess.Board) -> ChessGame:
    """Return the judge's game as ours."""
    game, replayed = game_from(ours(board.root())), board.root()
    replayed.chess960 = True
    for move in board.move_stack:
        game = game.play(replayed.uci(move))
        replayed.push(move)
    return game


judged_games = st.builds(
    judged, st.integers(0, 10**6), st.integers(0, 120), st.one_of(st.none(), st.integers(0, 959))
)
games = st.builds(random_game, st.integers(0, 10**6), st.integers(0, 60))
