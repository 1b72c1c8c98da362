"""Writes checker moves as gnubg does, and splits users' texts of moves into chains of points."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine_ext.backgammon.board import Position

BAR = 25
OFF = 0
NO_MOVE = "no move"

MOVE_CHARACTERS_MAX = 100
"""Four chains of five points, with hits and counts, need under 80."""

CHECKERS_MAX = 4

_POINT = r"(?:bar|off|[0-9]{1,2})\*?"
_CHAIN = re.compile(rf"({_POINT}(?:[/-]{_POINT})+)(?:\s*\(([0-9]{{1,2}})\))?", re.IGNORECASE)


class MoveError(ValueError):
    """A move that cannot be read or played; the text says why in one sentence."""


@dataclass(frozen=True)
class Chain:
    """One checker's way as written: its points in order, and which of them carry a `*`.

    Numbering is the mover's; 25 = bar, 0 = off.
    """

    points: tuple[int, ...]
    hits: frozenset[int]

    @property
    def text(self) -> str:
        """The chain as gnubg writes it."""
        return "/".join(point_name(point) + "*" * (point in self.hits) for point in self.points)


def point_name(point: int) -> str:
    """Name a slot of the mover: bar, off or its number."""
    return {BAR: "bar", OFF: "off"}.get(point, str(point))


def is_blot(position: Position, point: int) -> bool:
    """Tell whether the opponent has one checker on that point of the player on roll."""
    return OFF < point < BAR and position.opponent[BAR - point] == 1


def format_move(position: Position, steps: Iterable[Sequence[int]]) -> str:
    """Write a move as gnubg does: "8/5 6/5", "bar/20*", "8/5(2)", "24/18", "13/7*/5*".

    Steps of one checker are joined, naming only the points on which it hits; the furthest back
    come first; a `*` stands at the first checker that hits on a point.

    Args:
        position: before the move, the mover on roll.
        steps: (source, target) of single checkers, the mover's numbering, 25 = bar, 0 = off.
    """
    chains: list[list[int]] = []
    for source, target in sorted(steps, key=lambda step: step[0], reverse=True):
        chain = next((chain for chain in chains if chain[-1] == source != OFF), None)
        if chain is None:
            chains.append([source, target])
        elif is_blot(position, source):
            chain.append(target)
        else:
            chain[-1] = target
    if not chains:
        return NO_MOVE
    return _join_chains(position, chains)


def _join_chains(position: Position, chains: list[list[int]]) -> str:
    counts: dict[tuple[int, ...], int] = {}
    for chain in chains:
        counts[tuple(chain)] = counts.get(tuple(chain), 0) + 1
    texts = []
    hit: set[int] = set()
    for points, count in counts.items():
        hits = {point for point in points[1:] if is_blot(position, point)} - hit
        hit |= hits
        text = Chain(points, frozenset(hits)).text
        texts.append(f"{text}({count})" if count > 1 else text)
    return " ".join(texts)


def split_move(text: str) -> list[Chain]:
    """Split a user's text into chains, one for each checker; the text of no move gives no chain.

    Chains are separated by blanks, commas or semicolons and come in any order; `-` does for `/`,
    25 for bar, 0 for off; capitals do not matter; `(2)` repeats a chain.

    Raises:
        MoveError: not the text of a move.
    """
    body = " ".join(text.replace(",", " ").replace(";", " ").split())
    if len(body) > MOVE_CHARACTERS_MAX:
        raise MoveError(f"a move has at most {MOVE_CHARACTERS_MAX} characters")
    if body.lower() in (NO_MOVE, "cannot move"):
        return []
    chains: list[Chain] = []
    position = 0
    while position < len(body):
        match = _CHAIN.match(body, position)
        if match is None or body[match.end() : match.end() + 1] not in ("", " "):
            raise MoveError(_explain_syntax(body[position:].split()[0]))
        chains += [_read_chain(match[1])] * _read_count(match[2])
        position = match.end() + 1
    if not chains:
        raise MoveError("an empty text is not a move")
    if len(chains) > CHECKERS_MAX:
        raise MoveError(f"no roll moves {len(chains)} checkers")
    return chains


def _explain_syntax(word: str) -> str:
    return f"{word!r} is not a checker move: write source/target, as 8/5, bar/20* or 6/off"


def _read_count(text: str | None) -> int:
    count = int(text or 1)
    if not 1 <= count <= CHECKERS_MAX:
        raise MoveError(f"({count}) is not a number of checkers: (1) to ({CHECKERS_MAX})")
    return count


def _read_chain(text: str) -> Chain:
    words = re.split("[/-]", text.lower())
    points = tuple(_read_point(word.rstrip("*")) for word in words)
    for source, target in pairwise(points):
        if source <= target:
            raise MoveError(f"{text} does not move forward")
    hits = frozenset(point for point, word in zip(points, words, strict=True) if word.endswith("*"))
    if points[0] in hits or OFF in hits:
        raise MoveError(f"{text} has a '*' where nothing can be hit")
    return Chain(points, hits)


def _read_point(word: str) -> int:
    point = {"bar": BAR, "off": OFF}.get(word, -1)
    if point < 0:
        point = int(word)
    if point > BAR:
        raise MoveError(f"there is no point {point}: points are 1 to 24")
    return point
