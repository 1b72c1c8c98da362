"""An engine that ranks moves of Threes! by what it was asked, so that answers tell of it."""

from engine_ext.threes.advice import MoveValue
from engine_ext.threes.board import ThreesBoard


def value_of(bag: tuple[int, int, int], next_ranks: tuple[int, ...], plies: int) -> float:
    """Return what the first move is said to be worth."""
    digits = "".join(map(str, (*next_ranks, plies, *bag)))
    return int(digits) + 0.25


def advise(
    board: ThreesBoard, bag: tuple[int, int, int], next_ranks: tuple[int, ...], plies: int
) -> list[MoveValue]:
    """Return the legal moves, the last first, each worth two points less than the one before."""
    first = value_of(bag, next_ranks, plies)
    return [
        MoveValue(name, first - 2 * place) for place, name in enumerate(reversed(board.moves()))
    ]
