"""The course of a match: the lead after each action, the luck so far, and the cost of errors.

All values are from player 0's view: the chance to win the match, or points ahead (money play).
"""

from __future__ import annotations

from dataclasses import dataclass

from engine_ext.backgammon.analysis import CubeAnalysis
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met import kazaross_xg2
from master.games.backgammon.matches.figures import match_value
from master.games.backgammon.matches.record import Beaver, Double, Drop, Take
from master.games.backgammon.review.turns import GameReview, MatchReview, Turn


@dataclass(frozen=True)
class Step:
    """One action in the course of the match.

    Args:
        turn: the action.
        match_value: player 0's lead after it; None if it is unknown.
        luck: of player 0 minus that of player 1, summed up to here, in points or chances.
    """

    turn: Turn
    match_value: float | None
    luck: float


@dataclass(frozen=True)
class GameTrend:
    """A game: its steps, and player 0's lead before the first and after the last of them.

    `after` is None for an unfinished game.
    """

    review: GameReview
    before: float
    steps: tuple[Step, ...]
    after: float | None


def trend(review: MatchReview) -> tuple[GameTrend, ...]:
    """Return the course of the analysed games."""
    met = kazaross_xg2() if review.table is None else review.table.met
    match, luck, games = review.analysed.match, 0.0, []
    for game in review.games:
        steps = []
        for turn in game.turns:
            if turn.luck is not None:
                luck += -turn.luck.cost if turn.player else turn.luck.cost
            steps.append(Step(turn, match_value_after(turn, review.table), luck))
        is_over = game.game.result is not None
        after = match_value(match, game.game, met, is_over=True) if is_over else None
        games.append(GameTrend(game, match_value(match, game.game, met), tuple(steps), after))
    return tuple(games)


def match_value_after(turn: Turn, table: MatchTable | None = None) -> float | None:
    """Return player 0's lead after an action, by the action's analysis; None without one."""
    equity = None
    if turn.checker is not None:
        equity = turn.checker.moves[turn.checker.played].equity_cubeful
    elif turn.cube is not None:
        equity = _equity_after(turn, turn.cube)
    return None if equity is None else _match_value_at(turn.state, equity, table)


def _equity_after(turn: Turn, cube: CubeAnalysis) -> float | None:
    """Return the equity after a cube action, from the doubler's view."""
    if isinstance(turn.action, Double):
        return cube.doubled
    if isinstance(turn.action, Take):
        return cube.double_take
    if isinstance(turn.action, Beaver):
        return cube.not_passed
    return cube.double_pass if isinstance(turn.action, Drop) else None


def _match_value_at(state: GameState, equity: float, table: MatchTable | None) -> float:
    match = state.match
    is_second = match.player_on_roll == 1
    if match.match_length == 0:
        ahead = match.score[0] - match.score[1] + match.cube_value * equity
        return -ahead if is_second else ahead
    chance = cube_of(match, table).equity_to_mwc(equity)
    return 1.0 - chance if is_second else chance
