"""Reads typed and pasted texts: IDs in any of their forms, alone or within a text, and rolls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.ids import GameState, IdError, MatchState, parse_id
from engine_ext.backgammon.match_cube import cube_of
from master.games.errors import OtherTextError
from master.reports.texts import quoted

Dice = tuple[int, int]

START_WORDS = ("start", "startpos")
"""Words for the position before the first roll."""

TEXT_CHARACTERS_MAX = 65_536
"""Of a pasted text: a long mail."""

EXPECTED = "expected XGID=..., POSITION_ID:MATCH_ID or a position ID of 14 characters"

_XGID = re.compile(
    r"(?:XGID\s?=\s?|(?<![\w:=-]))([-A-Oa-o]{26}:[-\w]{1,5}(?::[-\w]{1,5}){7,8})(?![\w:])",
    re.IGNORECASE,
)
_SIXTY_FOUR = "[A-Za-z0-9+/]"
_POSITION_ID = re.compile(
    rf"Position[- ]?ID\s{{0,9}}[:=]\s{{0,9}}({_SIXTY_FOUR}{{14}})(?!{_SIXTY_FOUR})", re.IGNORECASE
)
_MATCH_ID = re.compile(
    rf"Match[- ]?ID\s{{0,9}}[:=]\s{{0,9}}({_SIXTY_FOUR}{{12}})(?!{_SIXTY_FOUR})", re.IGNORECASE
)
_BARE_ID = re.compile(
    rf"(?<![{_SIXTY_FOUR[1:-1]}=:])({_SIXTY_FOUR}{{14}})(:{_SIXTY_FOUR}{{12}})?(?!:?{_SIXTY_FOUR})"
)
_ROLL = re.compile(r"\S+\s+([1-6][-, ]?[1-6])\s*")


def read_id(text: str) -> GameState:
    """Return the state of the ID in a text: it alone, or within what a program, forum or mail says.

    Raises:
        OtherTextError: there is no ID in the text.
        ValueError: the ID, or its cube, is not playable, or there are several different IDs.
    """
    said = text.strip()
    if said.lower() in START_WORDS:
        return GameState(START, MatchState())
    try:
        state = parse_id(said)
    except IdError as error:
        state = _state_within(said, error)
    cube_of(state.match)
    return state


def _state_within(text: str, error: IdError) -> GameState:
    """Return the state of the only ID within a text that is more than an ID."""
    if len(text) > TEXT_CHARACTERS_MAX:
        raise ValueError(f"a text has at most {TEXT_CHARACTERS_MAX:,} characters")
    if (roll := _ROLL.fullmatch(text)) is not None:
        raise ValueError(f"a roll is not a part of the ID: give it as --dice {roll[1]}")
    found = _states_within(text)
    if len(found) > 1:
        first, second, *others = found.values()
        more = f" and {len(others)} more" if others else ""
        raise ValueError(f"the text has different IDs, {first} and {second}{more}: expected one")
    if found:
        return next(iter(found))
    if _is_meant_as_id(text):
        raise error
    raise OtherTextError(f"no ID in {quoted(text)}: {EXPECTED}")


def _states_within(text: str) -> dict[GameState, str]:
    """Return the different states of the IDs within a text, and the ID of each.

    Programs print several IDs of one position. The first kind found says most, and an ID of
    another kind counts only if its position is another one. A bare position ID, which looks like
    a word, counts only if there is no other ID.
    """
    found = dict[GameState, str]()
    for kind in (_xgids, _named_ids, _gnubg_ids, _bare_ids):
        if found and kind is _bare_ids:
            break
        known = {each for state in found for each in (state.position, _turned(state.position))}
        for name in kind(text):
            state = parse_id(name)
            if state.position not in known:
                found.setdefault(state, name)
    return found


def _turned(position: Position) -> Position:
    return Position(position.opponent, position.on_roll)


def _xgids(text: str) -> Iterator[str]:
    return (f"XGID={match[1]}" for match in _XGID.finditer(text))


def _named_ids(text: str) -> Iterator[str]:
    positions = list(_POSITION_ID.finditer(text))
    for position, following in pairwise((*positions, None)):
        assert position is not None, "only the last one is none"
        end = len(text) if following is None else following.start()
        match = _MATCH_ID.search(text, position.end(), end)
        yield position[1] if match is None else f"{position[1]}:{match[1]}"


def _gnubg_ids(text: str) -> Iterator[str]:
    return (bare[0] for bare in _BARE_ID.finditer(text) if bare[2] and _is_id(bare[0]))


def _bare_ids(text: str) -> Iterator[str]:
    for bare in _BARE_ID.finditer(text):
        if bare[2] is None and _is_unlike_a_word(bare[1]) and _is_id(bare[1]):
            yield bare[1]


def _is_id(text: str) -> bool:
    try:
        parse_id(text)
    except IdError:
        return False
    return True


def _is_unlike_a_word(text: str) -> bool:
    return not text[1:].islower() and not text.isupper()


def _is_meant_as_id(text: str) -> bool:
    """Return whether a text without any ID is an attempt at one, whose own error says more."""
    word = text.partition(" ")[0]
    is_whole = word == text
    return (is_whole and (":" in text or len(text) in (12, 14))) or text[:5].upper() == "XGID="


def read_dice(text: str) -> Dice:
    """Return two dice, written 31, 3-1, 3,1 or `3 1`; ValueError otherwise."""
    match = re.fullmatch(r"\s*([1-6])[-, ]?\s*([1-6])\s*", text)
    if match is None:
        raise ValueError(f"{text!r} is not a roll: expected two dice of 1 to 6, such as 31")
    return int(match[1]), int(match[2])
