"""The rules of checker play in plain Python: slow, obvious, and independent of the kernel."""

from __future__ import annotations

from collections.abc import Iterator

from engine_ext.backgammon.board import Position

BAR = 25
Board = tuple[tuple[int, ...], tuple[int, ...]]  # the mover's slots, the opponent's slots
Steps = tuple[tuple[int, int], ...]


def reference_moves(position: Position, dice: tuple[int, int]) -> dict[Board, Steps]:
    """Every distinct board after a legal move and the first way to it, in the kernel's order."""
    board = (position.on_roll, position.opponent)
    larger, smaller = max(dice), min(dice)
    orders = [[larger] * 4] if larger == smaller else [[larger, smaller], [smaller, larger]]
    plays = [play for order in orders for play in _plays(board, order)]
    longest = max(len(steps) for steps, _ in plays)
    if longest == 1 and larger != smaller:
        plays = list(_plays(board, [larger]))
        if not plays[0][0]:
            plays = list(_plays(board, [smaller]))
    found: dict[Board, Steps] = {}
    for steps, after in plays:
        if len(steps) == longest:
            found.setdefault(after, steps)
    return found


def _plays(board: Board, dice: list[int]) -> Iterator[tuple[Steps, Board]]:
    """All ways to play the dice in this order as far as they go."""
    followers = [
        (source, after) for source in range(BAR, 0, -1) for after in _step(board, source, dice)
    ]
    if not followers:
        yield (), board
    for source, after in followers:
        step = (source, max(source - dice[0], 0))
        for steps, end in _plays(after, dice[1:]):
            yield (step, *steps), end


def _step(board: Board, source: int, dice: list[int]) -> Iterator[Board]:
    own, other = list(board[0]), list(board[1])
    if not dice or own[source] == 0 or (own[BAR] and source != BAR):
        return
    target = source - dice[0]
    if target <= 0:
        if any(own[7:]) or (target < 0 and any(own[source + 1 :])):
            return
        target = 0
    elif other[BAR - target] > 1:
        return
    elif other[BAR - target] == 1:
        other[BAR - target] = 0
        other[BAR] += 1
    own[source] -= 1
    own[target] += 1
    yield tuple(own), tuple(other)
