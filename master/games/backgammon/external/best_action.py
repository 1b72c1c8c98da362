"""The engine's answers to other programs' questions, in the words common to all protocols."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine_ext.backgammon.context import CUBE_VALUE_MAX
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.move_text import point_name
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.play import decide_cube, evaluate, rank_moves
from engine_ext.control import RunControl
from master.games.backgammon.external.fibs_board import Due, DueQuestion
from master.games.backgammon.matches.record import Beaver, Drop
from master.games.backgammon.play.advice import (
    inverted,
    is_double_right,
    is_resignation_accepted,
    right_answer,
)

ROLL = "roll"
DOUBLE = "double"
TAKE = "take"
DROP = "drop"
BEAVER = "beaver"
ACCEPT = "accept"
REJECT = "reject"

BEAVER_DROP_EQUITY = -0.5
"""The cost of dropping a beaver, in points of the cube that would be accepted: half of them."""


@dataclass(frozen=True)
class Level:
    """The depth of the engine's search.

    Args:
        ply: at moves.
        cube_ply: at cube decisions and resignations.
        table: the match equities; None for the shipped ones.
        is_cubeful: whether moves are those of the game with the cube.
    """

    ply: int = 0
    cube_ply: int = 0
    table: MatchTable | None = None
    is_cubeful: bool = True


def answer(question: DueQuestion, level: Level, control: RunControl | None = None) -> str:
    """Return the best action as text; it is empty if there is no legal move.

    Raises:
        ValueError: a cube that the engine does not support.
        SearchStopped: `control` was stopped.
    """
    return _ANSWERS[question.due](question, level, control or RunControl())


def _move(question: DueQuestion, level: Level, control: RunControl) -> str:
    state = question.state
    dice = state.match.dice
    assert dice is not None, "a move is one of a roll"
    legal = legal_moves(state.position, dice)
    if len(legal) == 1:
        return move_text(legal[0].steps)
    ranked = rank_moves(
        state, dice, level.ply, control=control, table=level.table, is_cubeful=level.is_cubeful
    )
    best = ranked[0].position_after.swapped()
    return move_text(next(move.steps for move in legal if move.after == best))


def move_text(steps: tuple[tuple[int, int], ...]) -> str:
    """Return a move with each step of each checker, for all readers: `24/18 18/13`, `bar/22`."""
    return " ".join(f"{point_name(source)}/{point_name(target)}" for source, target in steps)


def _turn(question: DueQuestion, level: Level, control: RunControl) -> str:
    state = question.state
    cube = cube_of(state.match, level.table)
    if not cube.may_double or cube.value >= CUBE_VALUE_MAX:
        return ROLL
    decision = decide_cube(state, level.cube_ply, control, table=level.table)
    return DOUBLE if is_double_right(decision) else ROLL


def _answer_double(question: DueQuestion, level: Level, control: RunControl) -> str:
    match = replace(question.state.match, is_double_offered=False)
    before = GameState(question.state.position, match)
    decision = decide_cube(before, level.cube_ply, control, table=level.table)
    action = right_answer(decision, 1 - match.player_on_roll)
    if isinstance(action, Drop):
        return DROP
    return BEAVER if isinstance(action, Beaver) else TAKE


def _answer_beaver(question: DueQuestion, level: Level, control: RunControl) -> str:
    evaluated = evaluate(question.state, level.cube_ply, control, table=level.table)
    return TAKE if evaluated.equity_cubeful >= BEAVER_DROP_EQUITY else DROP


def _answer_resignation(question: DueQuestion, level: Level, control: RunControl) -> str:
    evaluated = evaluate(question.state, level.cube_ply, control, table=level.table)
    is_right = is_resignation_accepted(inverted(evaluated.probs), question.resignation)
    return ACCEPT if is_right else REJECT


_ANSWERS = {
    Due.TURN: _turn,
    Due.MOVE: _move,
    Due.ANSWER: _answer_double,
    Due.BEAVERED: _answer_beaver,
    Due.RESIGNATION: _answer_resignation,
}


def evaluation_text(
    state: GameState,
    ply: int,
    table: MatchTable | None = None,
    control: RunControl | None = None,
    *,
    is_cubeful: bool = True,
) -> str:
    """Return six numbers, as gnubg writes them: the player on roll's five probabilities and worth.

    Worth is the equity in points of the cube for money, and the match winning chance in a match.

    Raises:
        ValueError: a ply or a cube that the engine does not support.
        SearchStopped: `control` was stopped.
    """
    evaluated = evaluate(state, ply, control, table=table, is_cubeful=is_cubeful)
    worth = evaluated.equity_cubeful
    if state.match.match_length:
        worth = cube_of(state.match, table).equity_to_mwc(worth)
    return " ".join(f"{number:z.6f}" for number in (*evaluated.probs, worth))
