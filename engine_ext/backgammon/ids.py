"""Reads and writes the four ID forms: position ID, match ID, GNUBG ID (`pos:match`) and XGID.

This module finds the form of a text; the modules of the forms read the bits.
"""

from __future__ import annotations

from engine_ext.backgammon.board import POSITION_ID_CHARACTERS, Position, position_from_id
from engine_ext.backgammon.match_id import MATCH_ID_CHARACTERS, match_from_id, to_match_id
from engine_ext.backgammon.match_state import GameState, IdError, MatchState
from engine_ext.backgammon.xgid import PREFIX, state_from_xgid, to_xgid

__all__ = [
    "GameState",
    "IdError",
    "MatchState",
    "parse_id",
    "to_gnubg_id",
    "to_match_id",
    "to_position_id",
    "to_xgid",
]

ID_CHARACTERS_MAX = 100
"""An XGID with its longest numbers has under 80."""


def parse_id(text: str) -> GameState:
    """Read any ID form.

    A bare position ID is money play with a centred cube, with gnubg's defaults: Jacoby rule on,
    beavers allowed, the player on roll at the bottom.

    Args:
        text: a position ID, `position ID:match ID`, or an XGID with or without `XGID=`.

    Raises:
        IdError: the text is not an ID; the message names the error in one sentence.
    """
    text = text.strip()
    if not text:
        raise IdError("an empty text is not an ID")
    if len(text) > ID_CHARACTERS_MAX:
        raise IdError(f"an ID has at most {ID_CHARACTERS_MAX} characters, this one {len(text)}")
    if text[: len(PREFIX)].upper() == PREFIX or text.count(":") > 1:
        return state_from_xgid(text)
    position_id, colon, match_id = text.partition(":")
    if colon:
        return GameState(_read_position(position_id), match_from_id(match_id))
    if len(text) == MATCH_ID_CHARACTERS:
        raise IdError(
            "a match ID alone has no position: a position ID is needed before it, as "
            "POSITION_ID:MATCH_ID"
        )
    if len(text) != POSITION_ID_CHARACTERS:
        raise IdError(
            f"an ID is a position ID ({POSITION_ID_CHARACTERS} characters), "
            f"POSITION_ID:MATCH_ID or XGID=..., not a text of {len(text)} characters"
        )
    return GameState(_read_position(text), MatchState())


def _read_position(text: str) -> Position:
    try:
        return position_from_id(text)
    except ValueError as error:
        raise IdError(str(error)) from None


def to_position_id(state: GameState) -> str:
    """Write the position ID of the player on roll's view."""
    return state.position.position_id


def to_gnubg_id(state: GameState) -> str:
    """Write `position ID:match ID`."""
    return f"{to_position_id(state)}:{to_match_id(state.match)}"
