"""Judges the analysed actions of a game: which decisions they are, their errors, and which count.

Sums are in tally, rates in figures.

An error is 0.0 or more, in normalised equity (points of the cube as it stands before any
double, gnubg's EMG); its cost is the same in points (money play: times the cube) or in match
winning chance.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from engine_ext.backgammon.analysis import CheckerAnalysis, CubeAnalysis
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.match_table import MatchTable
from master.games.backgammon.matches.record import (
    Action,
    AnalysedMatch,
    Beaver,
    Double,
    Drop,
    Play,
    Take,
)
from master.games.backgammon.matches.replay import Moment, walk

CLOSE_MAX = 0.16
"""Within this of the best, doubling was close.

Source: GNU Backgammon manual, "Cube statistics" ("within 0.16"), and the counts of version 1.07:
not doubling is a close decision if a double would have been less than so much worse than the
best action.  (The manual adds positions too good to double; the program counts none for that.)
"""

OBVIOUS_MIN = 0.2
"""Not doubling counts for PR if a double would have been less than this worse than the best.

Source: eXtreme Gammon publishes no definition; players found this one by comparing counts.
A double, a take and a pass always count; not doubling counts if it is an error, or if the two
differ by less than 0.200 (reddit.com/r/backgammon, "BG Galaxy - Help understanding stats").  A
study of counted decisions by L. H. Madsen (github.com/lassehjorthmadsen/bganalyses) uses the
same limit.
"""

CHOICE_MIN = 0.001
"""A play counts for PR if the worst legal one is at least so much worse than the best.

Source: the same study; plays that all come to the same are no decision.
"""


class ActionChoice(Enum):
    """The choice made."""

    MOVE = "move"
    NO_DOUBLE = "no double"
    DOUBLE = "double"
    TAKE = "take"
    PASS = "pass"


class CubeMistake(Enum):
    """The kind of a wrong cube action, in gnubg's terms; the value names its sum in a Tally.

    Source: GNU Backgammon manual, "Cube statistics", and the counts of version 1.07.  A missed
    double is below or above the cash point, a wrong one below the double point or above the
    point of being too good: both by whether the right answer to it is a take or a pass.  (The
    manual draws that line at an equity of 0.95; the program does no longer.)  A beaver missed is
    a take that gains less than a beaver would have; gnubg values no beavers, and counts none.
    """

    MISSED_BELOW_CP = "missed_below_cp"
    MISSED_ABOVE_CP = "missed_above_cp"
    WRONG_DOUBLE_BELOW_DP = "wrong_double_below_dp"
    WRONG_DOUBLE_ABOVE_TG = "wrong_double_above_tg"
    WRONG_TAKE = "wrong_takes"
    WRONG_PASS = "wrong_passes"
    MISSED_BEAVER = "missed_beavers"


@dataclass(frozen=True)
class Judgement:
    """One decision of one player.

    Args:
        game: index of the game.
        action: index of the action in it.
        player: of the decision.
        choice: the choice made.
        state: before the decision, seen by the player on roll (the doubler, of an answer).
        dice: the roll of a move.
        played: in words, e.g. `8/5 6/5` or `no double`.
        best: the same of the best choice.
        error: 0.0 or more.
        cost: the same in points or match winning chance.
        is_close: unforced move, or cube action that was taken or close (see CLOSE_MAX).
        is_counted: counts for PR (see OBVIOUS_MIN, CHOICE_MIN).
        mistake: of a cube action with an error.
        level: of the analysis, for people.
    """

    game: int
    action: int
    player: int
    choice: ActionChoice
    state: GameState
    dice: tuple[int, int] | None
    played: str
    best: str
    error: float
    cost: float
    is_close: bool
    is_counted: bool
    mistake: CubeMistake | None
    level: str


@dataclass(frozen=True)
class RollLuck:
    """The luck of one roll for its player, normalised and in points or match winning chance."""

    game: int
    action: int
    player: int
    luck: float
    cost: float


@dataclass(frozen=True)
class JudgedGame:
    """The judged decisions and the rolls of one game, in order.

    Args:
        decisions: the analysed ones; a roll's cube question comes before its move.
        rolls: those whose luck is known.
        moves: moves of players 0 and 1, analysed or not, those of no checker included.
        roll_counts: their rolls; one that was left unmoved (its player resigned) is no move.
    """

    decisions: tuple[Judgement, ...]
    rolls: tuple[RollLuck, ...]
    moves: tuple[int, int]
    roll_counts: tuple[int, int]


def judge(match: AnalysedMatch, game: int, table: MatchTable | None = None) -> JudgedGame:
    """Judge the analysed part of a game.

    Args:
        match: the match.
        game: index of the game.
        table: the match equities for costs; None for the shipped ones.

    Raises:
        RecordError: the game breaks the rules.
    """
    decisions, rolls, moves, roll_counts = list[Judgement](), list[RollLuck](), [0, 0], [0, 0]
    for moment in walk(match.match, game):
        moves[moment.action.player] += moment.move is not None
        roll_counts[moment.action.player] += isinstance(moment.action, Play)
        analysis = match.of(game, moment.index)
        if analysis is None:
            continue
        if analysis.cube is not None:
            decisions.append(_judge_cube(game, moment, analysis.cube, table))
        if analysis.checker is not None:
            decisions.append(_judge_move(game, moment, analysis.checker, table))
        if analysis.luck is not None:
            cost = cost_of(moment.state.game, analysis.luck, table)
            rolls.append(RollLuck(game, moment.index, moment.action.player, analysis.luck, cost))
    return JudgedGame(
        tuple(decisions), tuple(rolls), (moves[0], moves[1]), (roll_counts[0], roll_counts[1])
    )


def cost_of(state: GameState, equity: float, table: MatchTable | None = None) -> float:
    """Convert a difference in normalised equity: to points, or in a match to mwc.

    Source: GNU Backgammon manual, "Checker play statistics": errors are multiplied by the value
    of the cube, or converted to the match winning chance given up.
    """
    if state.match.match_length == 0:
        return state.match.cube_value * equity
    cube = cube_of(state.match, table)
    return cube.equity_to_mwc(equity) - cube.equity_to_mwc(0.0)


def _judge_move(
    game: int, moment: Moment, checker: CheckerAnalysis, table: MatchTable | None
) -> Judgement:
    action, moves = moment.action, checker.moves
    assert isinstance(action, Play), "only a roll has moves"
    is_unforced = not checker.is_forced
    spread = moves[0].equity_cubeful - min(move.equity_cubeful for move in moves)
    return Judgement(
        game=game,
        action=moment.index,
        player=action.player,
        choice=ActionChoice.MOVE,
        state=moment.state.game,
        dice=action.dice,
        played=moves[checker.played].text,
        best=moves[0].text,
        error=checker.error,
        cost=cost_of(moment.state.game, checker.error, table),
        is_close=is_unforced,
        is_counted=is_unforced and spread >= CHOICE_MIN,
        mistake=None,
        level=moves[0].level,
    )


def _judge_cube(
    game: int, moment: Moment, cube: CubeAnalysis, table: MatchTable | None
) -> Judgement:
    choice, state = _choice(moment.action), moment.state.game
    is_beaver = isinstance(moment.action, Beaver)
    error = cube_error(choice, cube, is_beaver=is_beaver)
    is_acted = choice is not ActionChoice.NO_DOUBLE
    shortfall = cube.best - cube.doubled
    return Judgement(
        game=game,
        action=moment.index,
        player=moment.action.player,
        choice=choice,
        state=state,
        dice=None,
        played="beaver" if is_beaver else choice.value,
        best=_best(choice, cube),
        error=error,
        cost=cost_of(state, error, table),
        is_close=is_acted or shortfall < CLOSE_MAX,
        is_counted=is_acted or shortfall < OBVIOUS_MIN,
        mistake=_mistake(choice, cube) if error > 0.0 else None,
        level=cube.level,
    )


def _choice(action: Action) -> ActionChoice:
    """Return the cube decision of an action; a beaver includes a take."""
    if isinstance(action, Play):
        return ActionChoice.NO_DOUBLE
    if isinstance(action, Double):
        return ActionChoice.DOUBLE
    if isinstance(action, Drop):
        return ActionChoice.PASS
    assert isinstance(action, Take | Beaver), "nothing else is decided by the cube's equities"
    return ActionChoice.TAKE


def cube_error(choice: ActionChoice, cube: CubeAnalysis, *, is_beaver: bool) -> float:
    """Return the loss of a choice; the answers' equities are from the doubler's view.

    A beaver that gains nothing has no equity in the analysis: it is judged as a take.
    """
    if choice is ActionChoice.NO_DOUBLE:
        return cube.best - cube.no_double
    if choice is ActionChoice.DOUBLE:
        return cube.best - cube.doubled
    if choice is ActionChoice.PASS:
        return cube.double_pass - cube.doubled
    return (cube.not_passed if is_beaver else cube.double_take) - cube.doubled


def _best(choice: ActionChoice, cube: CubeAnalysis) -> str:
    if choice not in (ActionChoice.TAKE, ActionChoice.PASS):
        return cube.action
    if cube.not_passed > cube.double_pass:
        return "pass"
    return "take" if cube.double_beaver is None else "beaver"


def _mistake(choice: ActionChoice, cube: CubeAnalysis) -> CubeMistake:
    is_pass = cube.not_passed >= cube.double_pass
    if choice is ActionChoice.NO_DOUBLE:
        return CubeMistake.MISSED_ABOVE_CP if is_pass else CubeMistake.MISSED_BELOW_CP
    if choice is ActionChoice.DOUBLE:
        above, below = CubeMistake.WRONG_DOUBLE_ABOVE_TG, CubeMistake.WRONG_DOUBLE_BELOW_DP
        return above if is_pass else below
    if choice is ActionChoice.PASS:
        return CubeMistake.WRONG_PASS
    is_wrong = cube.not_passed > cube.double_pass
    return CubeMistake.WRONG_TAKE if is_wrong else CubeMistake.MISSED_BEAVER
