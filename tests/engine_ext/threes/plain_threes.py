"""The rules of a board of Threes! once more, with lists of ranks; and games to try them on."""

import itertools
from functools import cache

from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.game import ThreesGame
from engine_ext.threes.net_file import shipped_net

Board = tuple[int, ...]
"""The ranks of 16 squares, row by row."""

DIRECTIONS = ("up", "down", "left", "right")


def ranks_of(cells: int) -> Board:
    return tuple((cells >> (4 * square)) & 15 for square in range(16))


def cells_of(board: Board) -> int:
    return sum(rank << (4 * square) for square, rank in enumerate(board))


def lines(direction: str) -> list[list[int]]:
    """Return the squares of each line, those first to which its cards are shifted."""
    rows = [[4 * row + column for column in range(4)] for row in range(4)]
    columns = [[4 * row + column for row in range(4)] for column in range(4)]
    chosen = rows if direction in ("left", "right") else columns
    return chosen if direction in ("left", "up") else [line[::-1] for line in chosen]


def shifted_line(ranks: list[int]) -> list[int]:
    for i, (near, far) in enumerate(itertools.pairwise(ranks)):
        if near == 0:
            return [*ranks[:i], *ranks[i + 1 :], 0]
        if {near, far} == {1, 2} or (near == far and 3 <= near < 15):
            merged = 3 if near < 3 else near + 1
            return [*ranks[:i], merged, *ranks[i + 2 :], 0]
    return ranks


def shifted(board: Board, direction: str) -> Board:
    after = list(board)
    for line in lines(direction):
        for square, rank in zip(line, shifted_line([board[i] for i in line]), strict=True):
            after[square] = rank
    return tuple(after)


def entries(board: Board, direction: str) -> list[int]:
    """Return the squares where a card may enter: the far ends of the lines that moved."""
    after = shifted(board, direction)
    return [line[3] for line in lines(direction) if any(board[i] != after[i] for i in line)]


def with_card(board: Board, square: int, rank: int) -> Board:
    assert board[square] == 0
    return (*board[:square], rank, *board[square + 1 :])


def score(board: Board) -> int:
    return sum(3 ** (rank - 2) for rank in board if rank >= 3)


def images(board: Board) -> list[Board]:
    """Return the eight mirror images of a board."""
    rows = [board[4 * i : 4 * i + 4] for i in range(4)]
    found = []
    for turned in (rows, list(zip(*rows, strict=True))):
        for ends in (turned, turned[::-1]):
            for across in (ends, [row[::-1] for row in ends]):
                found.append(tuple(rank for row in across for rank in row))
    return found


@cache
def played(number: int) -> tuple[ThreesGame, ...]:
    """Return a good player's game of seed 1 as it stood before each move, and at its end."""
    game, adviser, states = ThreesGame(1, number), Adviser(shipped_net()), []
    while not game.is_over:
        states.append(game.copy())
        values = adviser.values(game.cells, game.bag, game.next_ranks, 1)
        game.play(max(values, key=lambda name: values[name]))
    return (*states, game)
