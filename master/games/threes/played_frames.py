"""A game of Threes! that the engine plays: each board with the values of its moves.

The game is that of `manyply play threes --auto` with the same seed and plies, and the first one of
such a rollout.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine_ext.threes.board import ThreesBoard, card_of
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.game import ThreesGame
from engine_ext.threes.net_file import shipped_net
from master.reports.report import Report


def frames(seed: int, level: str) -> Iterator[Report]:
    """Yield each board of a game with its next card and the values of its moves, best move made.

    Of moves of equal value the first of up, down, left, right is made.
    """
    game, adviser = ThreesGame(seed), Adviser(shipped_net())
    entered: int | None = None
    while True:
        values = adviser.values(game.cells, game.bag, game.next_ranks, int(level))
        best = max(values, key=lambda name: values[name], default=None)
        yield _frame(game, values, best, entered)
        if best is None:
            return
        shifted = ThreesBoard(game.cells).shifted(best).ranks
        game.play(best)
        pairs = zip(shifted, ThreesBoard(game.cells).ranks, strict=True)
        entered = next(square for square, (old, new) in enumerate(pairs) if old != new)


def _frame(
    game: ThreesGame, values: dict[str, float], best: str | None, entered: int | None
) -> Report:
    board = ThreesBoard(game.cells)
    return {
        "cards": [card_of(rank) if rank else 0 for rank in board.ranks],
        "next": [card_of(rank) for rank in game.next_ranks],
        "score": board.score,
        "values": values,
        "move": best,
        "entered": entered,
    }
