"""Dice of a match being played: by seed, so that a match can be played again.

A roll depends only on the seed, the game and its place in the game: undoing a move and playing on
rolls the same dice, so that undo is no second chance.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

Dice = tuple[int, int]

SEED_MAX = 2**63 - 1
_FAIR_BYTES = 252
"""The largest multiple of 6 in a byte's range: larger bytes are thrown away."""


def seeded_roll(seed: int, game: int, number: int) -> Dice:
    """Return roll `number` of a game, in the order in which the dice fell.

    Roll 0 decides which player begins: it is never a double; the first die is player 0's.
    """
    faces = _faces(f"manyply dice {seed} {game} {number}")
    roll = next(faces), next(faces)
    while number == 0 and roll[0] == roll[1]:
        roll = next(faces), next(faces)
    return roll


def _faces(key: str) -> Iterator[int]:
    """Yield fair faces, endlessly: SHA-256 of the key and a counter, byte by byte."""
    counter = 0
    while True:
        for byte in hashlib.sha256(f"{key} {counter}".encode("ascii")).digest():
            if byte < _FAIR_BYTES:
                yield byte % 6 + 1
        counter += 1
