"""What a player asks of the engine: evaluate a position, rank the moves, judge the cube.

Knows game states and plain answers.  Must not know text output, IDs, rollouts or files.

Equities are of the player on roll (of the mover for moves), in points of the cube as it is
before any double (money) or normalised so that winning and losing it are +1 and -1 (match).
Ply counts are gnubg's: 0 is the static evaluation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine_ext.backgammon.board import Position
from engine_ext.backgammon.cube import Cube, MatchTable, cube_action
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.move_text import format_move
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.search import Searcher
from engine_ext.backgammon.window import Window, window
from engine_ext.control import RunControl


class SearchStopped(Exception):
    """The caller's control was stopped before the answer was complete."""


class Probs(NamedTuple):
    """gnubg's five cumulative probabilities of one player: a win counts its gammons."""

    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float


@dataclass(frozen=True)
class Evaluation:
    """A position before a cube decision, seen by the player on roll."""

    probs: Probs
    equity_cubeless: float
    equity_cubeful: float
    ply: int


@dataclass(frozen=True)
class RankedMove:
    """A legal move, its rank from 1, and its value to the mover.

    `ply` is the level at which it was really evaluated; `position_after` has the opponent
    on roll.
    """

    rank: int
    text: str
    position_after: Position
    ply: int
    equity_cubeful: float
    equity_cubeless: float
    probs: Probs


@dataclass(frozen=True)
class CubeDecision:
    """The three answers to the cube question of the player on roll.

    Where no double is possible all three equities are that of rolling on.  The window is that
    of the evaluation's gammon rates.
    """

    no_double: float
    double_take: float
    double_pass: float
    action: str
    ply: int
    may_double: bool
    window: Window


def cube_of(match: MatchState, table: MatchTable | None = None) -> Cube:
    """Return the cube, score and rules of a match state.

    Args:
        match: the match state.
        table: the match equities; None for the shipped ones.  Money play has none.

    Raises:
        ValueError: a cube beyond what the engine plays with.
    """
    return Cube(
        value=match.cube_value,
        owner=match.cube_owner,
        match_length=match.match_length,
        score=match.score if match.match_length else (0, 0),
        crawford=match.crawford,
        jacoby=match.jacoby,
        beavers=match.beavers,
        table=table,
    )


def evaluate(
    state: GameState,
    ply: int = 0,
    control: RunControl | None = None,
    *,
    table: MatchTable | None = None,
) -> Evaluation:
    """Evaluate the position for the player about to roll, who may double first.

    Raises:
        ValueError: a ply or a cube that the engine does not have.
        SearchStopped: `control` was stopped.
    """
    control = control or RunControl()
    cube = cube_of(state.match, table)
    answer = Searcher().evaluate(state.position, cube, ply, control)
    if answer is None:
        raise SearchStopped
    probs, cubeless, cubeful = answer
    return Evaluation(Probs(*probs), cubeless, cubeful, ply)


def rank_moves(
    state: GameState,
    dice: tuple[int, int],
    ply: int = 0,
    *,
    move_filter: str = "normal",
    control: RunControl | None = None,
    table: MatchTable | None = None,
) -> list[RankedMove]:
    """List every legal move of a roll, best first by cubeful equity.

    Moves that the move filter dropped follow those it kept, at the ply they reached.

    Raises:
        ValueError: dice, a ply, a filter or a cube that do not exist.
        SearchStopped: `control` was stopped.
    """
    cube = cube_of(state.match, table)
    ranked = Searcher().rank_moves(
        state.position, dice, cube, ply, control or RunControl(), move_filter=move_filter
    )
    if ranked is None:
        raise SearchStopped
    legal = legal_moves(state.position, (max(dice), min(dice)))
    return [
        RankedMove(
            rank=rank,
            text=format_move(state.position, legal[number].steps),
            position_after=legal[number].after.swapped(),
            ply=ply_reached,
            equity_cubeful=equity,
            equity_cubeless=cube.cubeless_equity(probs),
            probs=Probs(*probs),
        )
        for rank, (number, ply_reached, equity, probs) in enumerate(ranked, start=1)
    ]


def decide_cube(
    state: GameState,
    ply: int = 0,
    control: RunControl | None = None,
    *,
    table: MatchTable | None = None,
) -> CubeDecision:
    """Judge no double, double/take and double/pass for the player on roll.

    Raises:
        ValueError: a ply or a cube that the engine does not have.
        SearchStopped: `control` was stopped.
    """
    cube, searcher, control = cube_of(state.match, table), Searcher(), control or RunControl()
    answer = searcher.answer_cube(state.position, cube, ply, control)
    evaluated = searcher.evaluate(state.position, cube, ply, control)  # kept, so at no cost
    if answer is None or evaluated is None:
        raise SearchStopped
    may_double, no_double, double_take, double_pass = answer
    action = cube_action(no_double, double_take, double_pass, cube) if may_double else "no double"
    return CubeDecision(
        no_double, double_take, double_pass, action, ply, may_double, window(cube, evaluated[0])
    )
