"""From a game state and a user's question to the context of a rollout.

Contains the parsing of alternatives as users write them, and the building of rollout contexts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine_ext.backgammon.context import (
    ALTERNATIVES_MAX,
    DOUBLE_TAKE,
    NO_DOUBLE,
    POSITION_ITSELF,
    Alternative,
    AlternativeKind,
    RolloutContext,
)
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import OPPONENT, GameState, MatchState
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met_words import met_word
from engine_ext.backgammon.move_text import format_move
from engine_ext.backgammon.notation import parse_move
from engine_ext.backgammon.play import rank_moves
from engine_ext.backgammon.trials import engine_digest
from engine_ext.contexts import CONTEXT_BYTES_MAX, ContextError


def roll_alternatives(
    state: GameState,
    dice: tuple[int, int],
    count_max: int = ALTERNATIVES_MAX,
    table: MatchTable | None = None,
) -> tuple[Alternative, ...]:
    """Return the moves of a roll, statically best first, at most `count_max` of them.

    Raises:
        ValueError: dice that do not exist.
    """
    ranked = rank_moves(state, dice, table=table)[: min(count_max, ALTERNATIVES_MAX)]
    return tuple(
        Alternative(AlternativeKind.MOVE, move.position_after.position_id, move.text)
        for move in ranked
    )


def move_alternatives(
    state: GameState, dice: tuple[int, int] | None, texts: Iterable[str]
) -> tuple[Alternative, ...]:
    """Return the moves that a user wrote, in that order, written as gnubg does.

    Raises:
        MoveError: a text is no legal move; it says why.
        ContextError: `bad-context`: one move is given twice.
    """
    alternatives: list[Alternative] = []
    for text in texts:
        move = parse_move(state.position, dice, text)
        name = format_move(state.position, move.steps)
        after = move.after.swapped().position_id
        if any(after == alternative.position_id for alternative in alternatives):
            raise ContextError("bad-context", f"the move {name} is given twice")
        alternatives.append(Alternative(AlternativeKind.MOVE, after, name))
    return tuple(alternatives)


def cube_alternatives(state: GameState) -> tuple[Alternative, ...]:
    """Return no double and double, take.

    Raises:
        ContextError: `bad-context`: the player on roll may not double, or gains nothing by it.
    """
    if why := why_no_double(state.match):
        raise ContextError("bad-context", f"the player on roll has no double here: {why}")
    return (NO_DOUBLE, DOUBLE_TAKE)


def why_no_double(match: MatchState) -> str:
    """Return why the player on roll may not double, or gains nothing by it; empty: neither."""
    if cube_of(match).may_double:
        return ""
    if match.cube_owner == OPPONENT:
        return "the opponent owns the cube"
    if match.crawford:
        return "this is the Crawford game"
    if match.match_length and match.match_length - match.score[0] <= match.cube_value:
        return "a win at this cube already wins the match"
    return f"the cube is never turned beyond {match.cube_value}"


def rollout_context(
    state: GameState,
    alternatives: tuple[Alternative, ...] = (POSITION_ITSELF,),
    dice: tuple[int, int] | None = None,
    *,
    table: MatchTable | None = None,
    **settings: Any,
) -> RolloutContext:
    """Return the context of a rollout on this engine.

    Args:
        state: The position before the alternatives, with cube, score and rules.
        alternatives: The plays or cube actions to compare.
        dice: The roll of the alternatives, if they are moves of one roll.
        table: The match equities; None for the shipped ones.  Money play has none.
        settings: Fields of RolloutContext from `seed` on; the defaults are its own.

    Raises:
        ContextError: `bad-context`: a setting out of range, or a context that is too long.
        MetError: a table that does not fit a context at this score.
    """
    match = state.match
    is_match = match.match_length > 0
    context = RolloutContext(
        engine=engine_digest(),
        position_id=state.position.position_id,
        cube_value=match.cube_value,
        cube_owner=match.cube_owner,
        match_length=match.match_length,
        score=match.score if is_match else (0, 0),
        crawford=match.crawford,
        jacoby=match.jacoby,
        beavers=match.beavers,
        met=met_word(match, table),
        dice=dice,
        alternatives=alternatives,
        **settings,
    )
    size = len(context.to_text())
    if size > CONTEXT_BYTES_MAX:
        sizes = f"take {size} bytes, and at most {CONTEXT_BYTES_MAX} travel"
        text = f"the moves and the match equity table {sizes}: compare fewer moves"
        raise ContextError("bad-context", text)
    return context
