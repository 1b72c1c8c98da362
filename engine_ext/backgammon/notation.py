"""Finds the legal move that a written move means.



A written move means the legal move that takes the same checkers from and to the same points.
Where checkers could get there with different hits on the way, the points it names decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise

from engine_ext.backgammon.board import Position
from engine_ext.backgammon.move_text import (
    BAR,
    OFF,
    Chain,
    MoveError,
    format_move,
    is_blot,
    point_name,
    split_move,
)
from engine_ext.backgammon.movegen import LegalMove, legal_moves

__all__ = ["ALL_ROLLS", "MoveError", "find_rolls", "format_move", "parse_move", "place_of_steps"]

ALL_ROLLS = tuple((die1, die2) for die1 in range(1, 7) for die2 in range(1, die1 + 1))


def parse_move(position: Position, dice: Sequence[int] | None, text: str) -> LegalMove:
    """Find the legal move of the player on roll that `text` means.

    Args:
        position: before the move, the mover on roll.
        dice: the roll; None = any one with which the move is legal (the first such, larger die
            first, if all give the same position).
        text: "8/5 6/5", "bar/20*", "8/5(2)", "24/18", "13/7*/5*", "6/off", in any order; hits need
            not be marked.

    Raises:
        MoveError: not a move, not legal or ambiguous; the text says which and why.
        ValueError: the dice are not two numbers from 1 to 6.
    """
    chains = split_move(text)
    text = " ".join(text.split())
    if dice is not None:
        return _find_move(position, dice, chains, text)
    rolls = _legal_rolls(position, chains)
    if not rolls:
        reason = _explain_checkers(position, chains) or "no dice play it"
        raise MoveError(f"{text} is not legal with any roll: {reason}")
    if len({move.after for move in rolls.values()}) > 1:
        names = ", ".join(f"{die1}-{die2}" for die1, die2 in rolls)
        raise MoveError(f"{text} gives different positions with {names}: give the dice as well")
    return next(iter(rolls.values()))


def find_rolls(position: Position, text: str) -> dict[tuple[int, int], LegalMove]:
    """Map each roll, larger die first, with which `text` is legal to the move it means then.

    Raises:
        MoveError: the text is not a move.
    """
    return _legal_rolls(position, split_move(text))


def place_of_steps(
    position: Position, legal: Sequence[LegalMove], steps: Iterable[tuple[int, int]]
) -> int | None:
    """Return the place of the legal move that leads where these steps do; None if none does.

    Args:
        position: before the move, the mover on roll.
        legal: the roll's legal moves.
        steps: (from, to) of single checkers, the mover's numbering, 25 = bar, 0 = off.
    """
    own, opponent = list(position.on_roll), list(position.opponent)
    for source, target in steps:
        own[source] -= 1
        own[target] += 1
        if is_blot(position, target) and opponent[BAR - target]:
            opponent[BAR - target] = 0
            opponent[BAR] += 1
    slots = (tuple(own), tuple(opponent))
    return next(
        (i for i, move in enumerate(legal) if (move.after.on_roll, move.after.opponent) == slots),
        None,
    )


def _legal_rolls(position: Position, chains: list[Chain]) -> dict[tuple[int, int], LegalMove]:
    rolls = {}
    for dice in ALL_ROLLS:
        moves = _matching(position, legal_moves(position, dice), chains)
        if len(moves) == 1:
            rolls[dice] = moves[0]
    return rolls


def _find_move(
    position: Position, dice: Sequence[int], chains: list[Chain], text: str
) -> LegalMove:
    legal = legal_moves(position, dice)
    found = _matching(position, legal, chains)
    if len(found) == 1:
        return found[0]
    if found:
        names = " or ".join(format_move(position, move.steps) for move in found)
        raise MoveError(f"{text} may mean {names}: name the points on the way")
    raise MoveError(_explain(position, dice, legal, chains, text))


def _matching(position: Position, legal: list[LegalMove], chains: list[Chain]) -> list[LegalMove]:
    """The legal moves that the chains mean: one, or several if they leave it open, or none."""
    wanted = _net_of_chains(chains)
    moves = [move for move in legal if _net(move.steps) == wanted]
    marked = {point for chain in chains for point in chain.hits}
    moves = [move for move in moves if marked <= _hits(position, move)]
    if len(moves) < 2:
        return moves
    named = {point for chain in chains for point in chain.points[1:] if is_blot(position, point)}
    return [move for move in moves if _hits(position, move) == named] or moves


def _legs(chain: Chain) -> list[tuple[int, int]]:
    return list(pairwise(chain.points))


def _net(steps: Iterable[tuple[int, int]]) -> dict[int, int]:
    """How many checkers each slot gains (negative: loses); slots that keep theirs are absent."""
    gains: dict[int, int] = {}
    for source, target in steps:
        gains[source] = gains.get(source, 0) - 1
        gains[target] = gains.get(target, 0) + 1
    return {slot: gain for slot, gain in gains.items() if gain}


def _net_of_chains(chains: Iterable[Chain]) -> dict[int, int]:
    return _net((chain.points[0], chain.points[-1]) for chain in chains)


def _hits(position: Position, move: LegalMove) -> set[int]:
    return {target for _, target in move.steps if is_blot(position, target)}


def _explain(
    position: Position,
    dice: Sequence[int],
    legal: list[LegalMove],
    chains: list[Chain],
    text: str,
) -> str:
    """Say why the chains are not legal, by the first rule they break."""
    roll = f"{max(dice)}-{min(dice)}"
    if not legal[0].steps:
        return f"there is no legal move with {roll}"
    if not chains:
        return f"with {roll} a move must be made: {len(legal)} are legal"
    reason = (
        _explain_checkers(position, chains)
        or _explain_distance(dice, chains)
        or _explain_unplayed(legal, chains)
        or "no order of the dice plays it"
    )
    return f"{text} is not one of the {len(legal)} legal moves with {roll}: {reason}"


def _explain_checkers(position: Position, chains: list[Chain]) -> str | None:
    """Why no roll at all plays the chains, if the checkers alone show it."""
    after = list(position.on_roll)
    for slot, gain in _net_of_chains(chains).items():
        after[slot] += gain
    for slot in range(BAR, OFF, -1):
        if after[slot] < 0:
            have = position.on_roll[slot]
            checkers = f"only {have} of these checkers" if have else "no checker"
            return f"the player on roll has {checkers} on {_place(slot)}"
    moves_others = any(chain.points[0] != BAR for chain in chains)
    if after[BAR] and moves_others:
        return "checkers on the bar enter before others move"
    for chain in chains:
        for point in chain.points[1:]:
            if point and position.opponent[BAR - point] > 1:
                return f"the opponent holds {_place(point)}"
            if point in chain.hits and not is_blot(position, point):
                return f"there is no blot to hit on {_place(point)}"
    if any(chain.points[-1] == OFF for chain in chains) and any(after[7:]):
        return "no checker is borne off before all are home"
    return None


def _place(slot: int) -> str:
    return "the bar" if slot == BAR else f"point {point_name(slot)}"


def _explain_distance(dice: Sequence[int], chains: list[Chain]) -> str | None:
    larger, smaller = max(dice), min(dice)
    if larger == smaller:
        reach = {larger * steps for steps in range(1, 5)}
    else:
        reach = {larger, smaller, larger + smaller}
    for chain in chains:
        for source, target in _legs(chain):
            pips = source - target
            if pips not in reach and not (target == OFF and pips < max(reach)):
                return f"{point_name(source)}/{point_name(target)} is {pips} pips"
    return None


def _explain_unplayed(legal: list[LegalMove], chains: list[Chain]) -> str | None:
    wanted = _net_of_chains(chains)
    for move in legal:
        for count in range(1, len(move.steps)):
            if any(_net(part) == wanted for part in combinations(move.steps, count)):
                return "it leaves a die unplayed that can be played"
    return None
