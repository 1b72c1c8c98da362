"""The rules of Othello written plainly: a dict of squares, one disc at a time."""

from itertools import product

STEPS = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]

Grid = dict[tuple[int, int], str]


def grid(text: str) -> Grid:
    """Squares (file, rank) of a board's text without the side to move."""
    size = round(len(text) ** 0.5)
    return {(i % size, i // size): sign for i, sign in enumerate(text)}


def name(square: tuple[int, int]) -> str:
    return "abcdefgh"[square[0]] + str(square[1] + 1)


def other(side: str) -> str:
    return "O" if side == "X" else "X"


def turned(board: Grid, side: str, square: tuple[int, int]) -> list[tuple[int, int]]:
    found = []
    for step in STEPS:
        run = []
        at = (square[0] + step[0], square[1] + step[1])
        while board.get(at) == other(side):
            run.append(at)
            at = (at[0] + step[0], at[1] + step[1])
        if board.get(at) == side:
            found += run
    return found


def legal(board: Grid, side: str) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """Each legal square, a1, b1, ... on, and the discs it turns."""
    return {
        square: discs
        for square, sign in board.items()
        if sign == "-" and (discs := turned(board, side, square))
    }


def after(board: Grid, side: str, square: tuple[int, int], discs: list[tuple[int, int]]) -> Grid:
    return board | dict.fromkeys([square, *discs], side)


def text(board: Grid) -> str:
    return "".join(board.values())


def final_score(board: Grid, side: str) -> int:
    signs = text(board)
    mine, theirs = signs.count(side), signs.count(other(side))
    if mine == theirs:
        return 0
    empties = signs.count("-")
    return mine - theirs + (empties if mine > theirs else -empties)


def value(board: Grid, side: str) -> int:
    """The exact score for the side to move, by trying everything."""
    moves = legal(board, side)
    if moves:
        return max(
            -value(after(board, side, square, discs), other(side))
            for square, discs in moves.items()
        )
    if legal(board, other(side)):
        return -value(board, other(side))
    return final_score(board, side)


def stable_by_trying(board: Grid, side: str) -> set[tuple[int, int]]:
    """Discs of `side` that no sequence of moves, by either side in any order, can turn."""
    keep = {square for square, sign in board.items() if sign == side}
    seen = set()
    waiting = [board]
    while waiting and keep:
        now = waiting.pop()
        if text(now) in seen:
            continue
        seen.add(text(now))
        keep = {square for square in keep if now[square] == side}
        for mover in "XO":
            waiting += [after(now, mover, *move) for move in legal(now, mover).items()]
    return keep
