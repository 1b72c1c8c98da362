"""Reads typed texts: IDs in any of their forms, and rolls."""

from __future__ import annotations

import re

from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import GameState

Dice = tuple[int, int]


def read_id(text: str) -> GameState:
    """Return the state of an ID in any form; ValueError if it, or its cube, is not playable."""
    state = parse_id(text.strip())
    cube_of(state.match)
    return state


def read_dice(text: str) -> Dice:
    """Return two dice, written 31, 3-1, 3,1 or `3 1`; ValueError otherwise."""
    match = re.fullmatch(r"\s*([1-6])[-, ]?\s*([1-6])\s*", text)
    if match is None:
        raise ValueError(f"{text!r} is not a roll: expected two dice of 1 to 6, such as 31")
    return int(match[1]), int(match[2])
