"""What games of Threes! are played: `threes/1 engine=DIGEST plies=N seed=S`.

Knows the text. Loads no engine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine_ext.services import ContextError, Description

KIND = "threes/1"
"""The first word of the text."""

PLIES_MAX = 4
"""More takes seconds a move, and days a game."""

SEED_MAX = 2**53 - 1

_TEXT = re.compile(rf"{KIND} engine=([0-9a-f]{{16}}) plies=([1-9]) seed=(0|[1-9][0-9]{{0,15}})")


@dataclass(frozen=True, slots=True)
class ThreesContext:
    """Games by one player; each is a trial, and its number is the game's.

    Args:
        engine: digest of the engine that plays.
        plies: moves that it looks ahead.
        seed: of all chance.
    """

    engine: str
    plies: int
    seed: int

    def to_text(self) -> str:
        """Return the canonical text."""
        return f"{KIND} engine={self.engine} plies={self.plies} seed={self.seed}"

    @classmethod
    def from_text(cls, text: str) -> ThreesContext:
        """Return the context of a text.

        Raises:
            ContextError: `bad-context`, with one sentence that says what is wrong.
        """
        match = _TEXT.fullmatch(text)
        if match is None:
            raise ContextError("bad-context", f"expected '{KIND} engine=DIGEST plies=N seed=S'")
        context = cls(match[1], int(match[2]), int(match[3]))
        if context.plies > PLIES_MAX or context.seed > SEED_MAX:
            raise ContextError(
                "bad-context", f"expected 1 to {PLIES_MAX} plies, a seed of at most {SEED_MAX}"
            )
        return context


def describe(context: str) -> Description:
    """Return how a context reads; ContextError if it is none."""
    asked = ThreesContext.from_text(context)
    line = f"games of Threes!, {asked.plies}-ply, seed {asked.seed}"
    return Description(line, {"plies": asked.plies, "seed": asked.seed})
