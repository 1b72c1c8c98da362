"""Threes! in the registry of `engine_ext.services`: digest, power, games as trials.

It makes games from a context.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache

from engine_ext.contexts import DIGEST_CHARS, ContextError, TrialValues, ValueRanges, context_digest
from engine_ext.control import RunControl
from engine_ext.threes.context import ThreesContext
from engine_ext.threes.depth import dynamic_plies, rarity_of
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.game import ThreesGame
from engine_ext.threes.net_file import shipped_net
from engine_ext.threes.player import play_game

RULES_VERSION = 2
"""Raised when games change their meaning in a way that the self-test may not show."""

CARDS = (192, 384, 768, 1536, 3072, 6144, 12288)
"""Players compare how many games reach each of these cards."""

FIRST_RANK = 9
"""That of the first of them."""

SCORE_UNIT = 32
"""Points that one of a trial's value is worth: so all scores are below VALUE_MAX."""

VALUE_NAMES = ("moves", *(f"reached {card}" for card in CARDS), "score")

MOVES_MAX = 1 << 17
"""More than any game of cards up to 12288 can have."""

SCORE_MAX = 16 * 3**13
"""Sixteen cards of 12288."""

TEST_MOVES = 40
TEST_RARE = 100
POWER_MOVES = 300


def self_test() -> list[str]:
    """Value the moves of a fixed game, some plies ahead; return the values."""
    game, adviser, found = ThreesGame(3), Adviser(shipped_net()), list[str]()
    for number in range(TEST_MOVES):
        plies = dynamic_plies(game.cells, 2, 3)
        rarity = rarity_of(None if number % 2 else TEST_RARE)
        values = adviser.values(game.cells, game.bag, game.next_ranks, plies, rarity)
        if not values:
            break
        best = max(values, key=lambda name: values[name])
        found.append(f"{best} {values[best].hex()}")
        game.play(best)
    return found


@cache
def engine_digest() -> str:
    """Return the digest of weights, rules and the values of some moves found here."""
    parts = [f"manyply threes {RULES_VERSION}", shipped_net().digest, *self_test()]
    return hashlib.sha256("\n".join(parts).encode("ascii")).hexdigest()[:DIGEST_CHARS]


def power_work(control: RunControl) -> int:
    """Make some moves, two plies ahead; a unit is a move."""
    game, adviser, moves = ThreesGame(1), Adviser(shipped_net(), control), 0
    while moves < POWER_MOVES and not game.is_over:
        values = adviser.values(game.cells, game.bag, game.next_ranks, 2)
        game.play(max(values, key=lambda name: values[name]))
        moves += 1
    return moves


@dataclass(frozen=True)
class ThreesRunner:
    """Plays games of one context; may be used from several threads at once."""

    context: str
    asked: ThreesContext
    game: str = "threes"
    alternative_names: tuple[str, ...] = ("games",)
    value_names: tuple[str, ...] = VALUE_NAMES

    @property
    def digest(self) -> str:
        """The context's digest."""
        return context_digest(self.context)

    @property
    def engine(self) -> str:
        """Digest of the engine that the context asks for."""
        return self.asked.engine

    def run(self, first_seq: int, count: int, control: RunControl) -> list[TrialValues]:
        """Return the values of games first_seq ...; fewer if `control` was stopped."""
        values, net, lookahead = list[TrialValues](), shipped_net(), self.asked.lookahead
        rarity = rarity_of(lookahead.rare)
        for number in range(first_seq, first_seq + count):
            played = play_game(
                net, self.asked.seed, number, lookahead.plies, control, lookahead.plies_max, rarity
            )
            if played is None:
                break
            values.append(to_values(*played))
        return values


def to_values(moves: int, highest: int, score: int) -> TrialValues:
    """Return a game as a trial: moves, which cards were reached, the score in SCORE_UNIT."""
    reached = (float(highest >= FIRST_RANK + i) for i in range(len(CARDS)))
    return (float(moves), *reached, score / SCORE_UNIT)


def runner(context: str) -> ThreesRunner:
    """Return the runner of a context; ContextError if it is none, or of another engine."""
    asked = ThreesContext.from_text(context)
    if asked.engine != engine_digest():
        raise ContextError(
            "engine-mismatch", f"this engine is {engine_digest()}, not {asked.engine}"
        )
    return ThreesRunner(context, asked)


def value_ranges(context: str) -> ValueRanges:
    """Return the ranges of a game's values."""
    ThreesContext.from_text(context)
    reached = ((0.0, 1.0),) * len(CARDS)
    return ((0.0, float(MOVES_MAX)), *reached, (0.0, SCORE_MAX / SCORE_UNIT))
