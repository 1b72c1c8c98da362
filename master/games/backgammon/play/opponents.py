"""The opponents of backgammon by level, and money games of one level against another.

From the result of such a game the luck of each roll is taken off, as the static evaluation values
it: its mean over all rolls is 0, so that the mean result stays and its error becomes small.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.play import CubeDecision, Roll, decide_cube
from engine_ext.backgammon.ranking import drive
from engine_ext.backgammon.roll_values import ROLLS, roll_values
from engine_ext.backgammon.searcher import Searcher
from engine_ext.control import RunControl
from master.games.backgammon.matches.flow import (
    GameStage,
    ReplayState,
    apply,
    start_of,
    turned_to,
)
from master.games.backgammon.matches.record import Action, Double, Game, Match, Play
from master.games.backgammon.play.advice import has_cube_decision, is_double_right, right_answer
from master.games.backgammon.play.live_match import Dice, seeded_roll
from master.games.opponents import LevelGames, noise

CUBE_SHARE: Final = 4
"""Cube decisions get a quarter of the noise: there are many more of them than there are doubles."""

_UNITS: Final = 1_000
"""Of noise, in a thousandth of a point."""

_NO_DOUBLE, _DOUBLE = 1 << 20, (1 << 20) + 1
"""Numbers of the alternatives at the cube; moves have smaller ones."""


@dataclass(frozen=True, slots=True)
class Strength:
    """How a level decides.

    Args:
        ply: of its look-ahead.
        noise: standard deviation of the noise of a move's equity, in thousandths of a point.
    """

    ply: int
    noise: int

    @property
    def text(self) -> str:
        """Its settings in words."""
        return f"{self.ply}-ply" + (f", noise {self.noise / _UNITS:.3f}" if self.noise else "")


OPPONENTS: Final[Mapping[str, Strength]] = {
    "beginner": Strength(0, 138),
    "novice": Strength(0, 133),
    "learner": Strength(0, 120),
    "casual": Strength(0, 108),
    "amateur": Strength(0, 95),
    "intermediate": Strength(0, 83),
    "club": Strength(0, 70),
    "advanced": Strength(0, 58),
    "expert": Strength(0, 50),
    "master": Strength(0, 32),
    "grandmaster": Strength(0, 15),
    "world": Strength(2, 0),
}
"""By level."""


@dataclass(frozen=True, slots=True)
class BackgammonOpponent:
    """Decides as a level does. The same seed and actions get the same answers."""

    strength: Strength
    seed: int = 0

    def chosen(self, decision: int, moves: Iterable[tuple[int, float]]) -> int:
        """Return the number of the move to play.

        Args:
            decision: how many actions the match has so far.
            moves: each legal move's number in the order of generation, and its equity; the best
                first.
        """
        deviation = self.strength.noise
        worth = [
            (equity + self._noise(decision, number, deviation), -rank, number)
            for rank, (number, equity) in enumerate(moves)
        ]
        return max(worth)[2] if deviation else worth[0][2]

    def believed(self, decision: int, answers: CubeDecision) -> CubeDecision:
        """Return the answers to a cube question as the level values them."""
        deviation = self.strength.noise // CUBE_SHARE
        if not deviation:
            return answers
        taken = answers.double_take + self._noise(decision, _DOUBLE, deviation)
        beaver = answers.double_beaver
        return replace(
            answers,
            no_double=answers.no_double + self._noise(decision, _NO_DOUBLE, deviation),
            double_take=taken,
            double_beaver=2 * taken if beaver is not None and taken < 0 else None,
        )

    def _noise(self, decision: int, move: int, deviation: int) -> float:
        return noise(self.seed, decision, move, _UNITS * deviation) / (1_000 * _UNITS)


ACTIONS_MAX: Final = 2_000
"""No game comes near; one that did would count as even."""

_WEIGHTS = tuple(1 if die1 == die2 else 2 for die1, die2 in ROLLS)
_MONEY = Match(("", ""), 0, jacoby=True, beavers=True)

_Players = tuple[BackgammonOpponent, BackgammonOpponent]


def played(players: _Players, seed: int) -> float:
    """Return the points of the first player in a money game, less its luck."""
    state, luck, rolls = start_of(_MONEY, Game(score=(0, 0))), 0.0, 0
    for decision in range(ACTIONS_MAX):
        is_opening = state.stage is GameStage.OPENING
        action = None if is_opening else _cube_action(state, players, decision)
        if action is None:
            dice, rolls = seeded_roll(seed, 0, rolls), rolls + 1
            if is_opening:
                state = turned_to(state, Play(int(dice[1] > dice[0]), dice, ()))
            mover = state.player_on_roll
            of_roll = _luck(state.game, dice, is_opening=is_opening)
            luck += -of_roll if mover else of_roll
            action = Play(mover, dice, _steps(state.game, dice, players[mover], decision))
        state = apply(state, action)
        if state.result is not None:
            points = state.result.points
            return (-points if state.result.winner else points) - luck
    return -luck


def _luck(state: GameState, dice: Dice, *, is_opening: bool) -> float:
    """Return the points that a roll is worth more than the mean of all rolls."""
    values = roll_values(Searcher(), state.position, cube_of(state.match), 0, RunControl())
    assert values is not None, "nothing stops it"
    weighted = sum(weight * value for weight, value in zip(_WEIGHTS, values, strict=True))
    mean = 0.0 if is_opening else weighted / 36  # either player may win the opening roll
    return (values[ROLLS.index((max(dice), min(dice)))] - mean) * state.match.cube_value


def _steps(
    state: GameState, dice: Dice, mover: BackgammonOpponent, decision: int
) -> tuple[tuple[int, int], ...]:
    """Return the move that a player chooses."""
    roll, ply, control = Roll(state, dice), mover.strength.ply, RunControl()
    if ply == 0:
        moves = [(one.number, one.equity) for one in roll.rank_statically()]
        return roll.legal[mover.chosen(decision, moves)].steps
    ranked = drive(roll.rank_in_stages(ply), lambda stage: roll.evaluate(stage, control))
    numbers = {move.after.swapped(): number for number, move in enumerate(roll.legal)}
    moves = [(numbers[one.position_after], one.equity_cubeful) for one in ranked]
    return roll.legal[mover.chosen(decision, moves)].steps


def _cube_action(state: ReplayState, players: _Players, decision: int) -> Action | None:
    """Return a double or the answer to one; None: a roll."""
    decider, is_answer = state.decider, state.stage is GameStage.ANSWER
    if not is_answer and not has_cube_decision(state):
        return None
    asked = replace(state.game, match=replace(state.game.match, is_double_offered=False))
    player = players[decider]
    believed = player.believed(decision, decide_cube(asked, player.strength.ply))
    if is_answer:
        return right_answer(believed, decider)
    return Double(decider) if is_double_right(believed) else None


def pair(first: Strength, second: Strength, seed: int, number: int) -> tuple[float, float]:
    """Return the points of the first in two games with the same dice and the sides exchanged."""
    own = seed + number
    one, other = BackgammonOpponent(first, own), BackgammonOpponent(second, own)
    return played((one, other), own), -played((other, one), own)


LEVEL_GAMES: Final = LevelGames(OPPONENTS, pair, has_points=True)
