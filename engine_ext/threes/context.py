"""The context of Threes! trials: `threes/1 engine=DIGEST plies=N seed=S`, `plies=N-M`, `rare=R`.

It loads no engine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine_ext.services import ContextError, Description

KIND = "threes/1"
"""The first word of the text."""

PLIES_MAX = 8
"""Each takes some fifteen times as long as the one before: six take a second a move, eight minutes
to hours."""

RARE_MIN, RARE_MAX = 2, 1_000_000

SEED_MAX = 2**53 - 1

_PLIES = r"([1-9])(?:-([1-9]))?"
_TEXT = re.compile(
    rf"{KIND} engine=([0-9a-f]{{16}}) plies={_PLIES}(?: rare=([1-9][0-9]{{0,6}}))?"
    r" seed=(0|[1-9][0-9]{0,15})"
)


@dataclass(frozen=True, slots=True)
class Look:
    """How far a player looks ahead.

    Args:
        plies: moves, at least.
        plies_max: moves on boards where most depends on it; see engine_ext/threes/depth.pyx.
        rare: chances rarer than 1 in this number are not searched; None: all are.
    """

    plies: int
    plies_max: int
    rare: int | None = None

    @property
    def text(self) -> str:
        """The moves as they are typed: `3`, or `3-5`."""
        return str(self.plies) if self.plies == self.plies_max else f"{self.plies}-{self.plies_max}"

    @property
    def words(self) -> str:
        """How it reads: `3-ply`, or `3-5-ply, chances up to 1 in 1000`."""
        plies = self.text.replace("-", "- to ")
        return f"{plies}-ply" + (f", chances up to 1 in {self.rare}" if self.rare else "")


def read_plies(text: str) -> Look:
    """Return the look of a typed number of moves, or of two with a hyphen between; ValueError.

    0, which is static evaluation in other games and may stand in a configuration for all of them,
    is taken as 1.
    """
    match = re.fullmatch(_PLIES, "1" if text == "0" else text)
    look = Look(int(match[1]), int(match[2] or match[1])) if match is not None else None
    if look is None or not look.plies <= look.plies_max <= PLIES_MAX:
        raise ValueError(f"expected 1 to {PLIES_MAX} moves, or from N to M of them, such as 3-5")
    return look


@dataclass(frozen=True, slots=True)
class ThreesContext:
    """Games by one player; each is a trial, and its number is the game's.

    Args:
        engine: digest of the engine that plays.
        look: how far it looks ahead.
        seed: of all chance.
    """

    engine: str
    look: Look
    seed: int

    def to_text(self) -> str:
        """Return the canonical text."""
        rare = f" rare={self.look.rare}" if self.look.rare else ""
        return f"{KIND} engine={self.engine} plies={self.look.text}{rare} seed={self.seed}"

    @classmethod
    def from_text(cls, text: str) -> ThreesContext:
        """Return the context of a text.

        Raises:
            ContextError: `bad-context`, with one sentence that names the error.
        """
        match = _TEXT.fullmatch(text)
        if match is None:
            raise ContextError(
                "bad-context", f"expected '{KIND} engine=DIGEST plies=N[-M] [rare=R] seed=S'"
            )
        rare = None if match[4] is None else int(match[4])
        look = Look(int(match[2]), int(match[3] or match[2]), rare)
        context = cls(match[1], look, int(match[5]))
        if context.to_text() != text or not _is_within(context):
            raise ContextError(
                "bad-context",
                f"expected 1 to {PLIES_MAX} plies, chances of 1 in {RARE_MIN} to {RARE_MAX}, a seed"
                f" of at most {SEED_MAX}",
            )
        return context


def _is_within(context: ThreesContext) -> bool:
    look = context.look
    is_rare_right = look.rare is None or RARE_MIN <= look.rare <= RARE_MAX
    return look.plies <= look.plies_max <= PLIES_MAX and is_rare_right and context.seed <= SEED_MAX


def describe(context: str) -> Description:
    """Return how a context reads; ContextError if it is none."""
    asked = ThreesContext.from_text(context)
    look = asked.look
    facts: dict[str, object] = {"plies": look.plies, "seed": asked.seed}
    if look.plies_max != look.plies:
        facts["plies_max"] = look.plies_max
    if look.rare is not None:
        facts["rare"] = look.rare
    return Description(f"games of Threes!, {look.words}, seed {asked.seed}", facts)
