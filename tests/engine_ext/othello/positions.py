"""Boards that games reach, for the laws."""

import random
from functools import cache

from hypothesis import strategies as st

from engine_ext.othello.board import OthelloBoard


def played(seed: int, empties: int, size: int = 8) -> OthelloBoard:
    """Play random moves until so many squares are left empty, or the game is over."""
    choose = random.Random(seed)
    board = OthelloBoard.start(size)
    while board.empties > empties and not board.is_over:
        board = board.passed() if board.must_pass else board.play(choose.choice(board.moves()))
    return board


@cache
def running(empties: int, count: int, size: int = 8) -> list[OthelloBoard]:
    """Different boards with exactly so many empty squares whose game is not over."""
    found: list[OthelloBoard] = []
    seed = 0
    while len(found) < count:
        board = played(seed, empties, size)
        seed += 1
        if not board.is_over and board not in found:
            found.append(board)
    return found


def boards(empties_min: int = 0, empties_max: int = 60) -> st.SearchStrategy[OthelloBoard]:
    """Boards of 8 x 8 that random games reach, finished ones among them."""
    return st.builds(played, st.integers(0, 10**6), st.integers(empties_min, empties_max))


sizes = st.sampled_from([4, 6, 8])


@st.composite
def strewn_boards(draw: st.DrawFn) -> OthelloBoard:
    """Any discs anywhere, any size: boards that no game reaches."""
    size = draw(sizes)
    side = draw(st.sampled_from("XO"))
    squares = draw(st.text("XXOO-", min_size=size * size, max_size=size * size))
    return OthelloBoard.from_text(squares + side)
