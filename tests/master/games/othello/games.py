"""Games of Othello as they go on, back and on again, for the laws."""

from __future__ import annotations

import random

from hypothesis import strategies as st

from engine_ext.othello.board import OthelloBoard
from master.games.othello.game import OthelloGame, Turn, game_from
from tests.engine_ext.othello.positions import played

starts = st.one_of(
    st.builds(OthelloBoard.start, st.sampled_from([4, 6, 8])),
    st.builds(played, st.integers(0, 10**6), st.integers(0, 60)),
    st.just(OthelloBoard.from_text("OX" + "-" * 62 + " X")),  # black must pass
)
steps = st.sampled_from(["play"] * 6 + ["undo", "redo"])


def random_turn(game: OthelloGame, choose: random.Random) -> Turn:
    square = choose.choice(game.board.moves())
    if choose.random() < 0.5:
        return Turn(square)
    return Turn(square, f"{choose.randint(-6400, 6400) / 100:+.2f}", str(choose.randint(0, 99)))


def random_game(seed: int, turn_count: int, start: OthelloBoard | None = None) -> OthelloGame:
    """Play so many random turns, or to the end."""
    choose = random.Random(seed)
    game = game_from(OthelloBoard.start() if start is None else start)
    while game.side is not None and len(game.turns) < turn_count:
        game = game.play(random_turn(game, choose))
    return game


games = st.builds(random_game, st.integers(0, 10**6), st.integers(0, 60), starts)
