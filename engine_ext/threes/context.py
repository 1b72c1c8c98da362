"""The context of Threes! trials: `threes/1 engine=DIGEST plies=N seed=S`, `plies=N-M`, `rare=R`.

It loads no engine.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine_ext.contexts import ContextError, Description

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
class Lookahead:
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


def read_plies(text: str) -> Lookahead:
    """Return the look of a typed number of moves, or of two with a hyphen between; ValueError.

    0, which is static evaluation in other games and may stand in a configuration for all of them,
    is taken as 1.
    """
    match = re.fullmatch(_PLIES, "1" if text == "0" else text)
    lookahead = Lookahead(int(match[1]), int(match[2] or match[1])) if match is not None else None
    if lookahead is None or not lookahead.plies <= lookahead.plies_max <= PLIES_MAX:
        raise ValueError(f"expected 1 to {PLIES_MAX} moves, or from N to M of them, such as 3-5")
    return lookahead


@dataclass(frozen=True, slots=True)
class ThreesContext:
    """Games by one player; each is a trial, and its number is the game's.

    Args:
        engine: digest of the engine that plays.
        lookahead: how far it looks ahead.
        seed: of all chance.
    """

    engine: str
    lookahead: Lookahead
    seed: int

    def to_text(self) -> str:
        """Return the canonical text."""
        rare = f" rare={self.lookahead.rare}" if self.lookahead.rare else ""
        return f"{KIND} engine={self.engine} plies={self.lookahead.text}{rare} seed={self.seed}"

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
        lookahead = Lookahead(int(match[2]), int(match[3] or match[2]), rare)
        context = cls(match[1], lookahead, int(match[5]))
        if context.to_text() != text or not _is_within(context):
            raise ContextError(
                "bad-context",
                f"expected 1 to {PLIES_MAX} plies, chances of 1 in {RARE_MIN} to {RARE_MAX}, a seed"
                f" of at most {SEED_MAX}",
            )
        return context


def _is_within(context: ThreesContext) -> bool:
    lookahead = context.lookahead
    is_rare_right = lookahead.rare is None or RARE_MIN <= lookahead.rare <= RARE_MAX
    return (
        lookahead.plies <= lookahead.plies_max <= PLIES_MAX
        and is_rare_right
        and context.seed <= SEED_MAX
    )


def describe(context: str) -> Description:
    """Return how a context reads; ContextError if it is none."""
    asked = ThreesContext.from_text(context)
    lookahead = asked.lookahead
    facts: dict[str, object] = {"plies": lookahead.plies, "seed": asked.seed}
    if lookahead.plies_max != lookahead.plies:
        facts["plies_max"] = lookahead.plies_max
    if lookahead.rare is not None:
        facts["rare"] = lookahead.rare
    return Description(f"games of Threes!, {lookahead.words}, seed {asked.seed}", facts)
