"""XGID, eXtreme Gammon's one-line form of a position and its match state.

It has ten fields; source: the help of eXtreme Gammon.

    XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10
         position                  | | | |  | | | | highest cube as a power of two
                                   | | | |  | | | match length, 0 = money
                                   | | | |  | | match: 1 = Crawford; money: 1 Jacoby + 2 beavers
                                   | | | |  score of the bottom player, of the top player
                                   | | | dice; 00 = not rolled; D = doubled, not answered
                                   | | 1 = the bottom player is on roll, -1 = the top player
                                   | cube: 1 bottom player's, 0 centred, -1 top player's
                                   cube as a power of two

The position is the bottom player's view: the top player's bar, points 1 to 24, the bottom
player's bar; A to O are 1 to 15 checkers of the bottom player, a to o of the top player.
"""

from __future__ import annotations

import re

from engine_ext.backgammon.board import Position
from engine_ext.backgammon.match_state import (
    CENTRED,
    CUBE_LOG2_MAX,
    ON_ROLL,
    OPPONENT,
    GameState,
    IdError,
    MatchState,
)

PREFIX = "XGID="
PLACES = 26
CHECKERS = 15
_FIELD_NAMES = (
    "position",
    "cube value",
    "cube owner",
    "turn",
    "dice",
    "score of the bottom player",
    "score of the top player",
    "Crawford/Jacoby flag",
    "match length",
    "highest cube",
)
_NUMBER = re.compile(r"-?[0-9]{1,5}")
_JACOBY = 1
_BEAVERS = 2


def state_from_xgid(text: str) -> GameState:
    """Read an XGID, with or without its prefix; the highest cube may be missing.

    Raises:
        IdError: not an XGID, or an impossible state; the text says which.
    """
    body = text[len(PREFIX) :] if text[: len(PREFIX)].upper() == PREFIX else text
    fields = body.split(":")
    if len(fields) == len(_FIELD_NAMES) - 1:
        fields.append("10")
    if len(fields) != len(_FIELD_NAMES):
        raise IdError(
            f"an XGID has {len(_FIELD_NAMES)} fields between colons, this one has {len(fields)}"
        )
    turn = _number(fields, 3)
    if turn not in (1, -1):
        raise IdError(f"the turn in an XGID is 1 or -1, not {fields[3]!r}")
    return GameState(_read_position(fields[0], turn), _read_match(fields, turn))


def to_xgid(state: GameState) -> str:
    """Write an XGID with its prefix; a resignation on offer has no place in it."""
    match = state.match
    turn = 1 if match.player_on_roll == 1 else -1
    owners = {CENTRED: 0, ON_ROLL: turn, OPPONENT: -turn}
    scores = match.score if turn == 1 else match.score[::-1]
    fields = (
        _write_position(state.position, turn),
        match.cube_value.bit_length() - 1,
        owners[match.cube_owner],
        turn,
        _write_dice(match),
        *scores,
        _write_flag(match),
        match.match_length,
        match.cube_log2_max,
    )
    return PREFIX + ":".join(str(field) for field in fields)


def _number(fields: list[str], index: int) -> int:
    if not _NUMBER.fullmatch(fields[index]):
        raise IdError(f"the {_FIELD_NAMES[index]} in an XGID is a number, not {fields[index]!r}")
    return int(fields[index])


def _read_position(text: str, turn: int) -> Position:
    if len(text) != PLACES:
        raise IdError(f"the position in an XGID has {PLACES} characters, this one has {len(text)}")
    bottom, top = [0] * PLACES, [0] * PLACES
    for place, character in enumerate(text):
        if character == "-":
            continue
        if "A" <= character <= "O" and place > 0:
            bottom[place] = ord(character) - ord("A") + 1
        elif "a" <= character <= "o" and place < PLACES - 1:
            top[PLACES - 1 - place] = ord(character) - ord("a") + 1
        else:
            raise IdError(_explain_character(place, character))
    for who, slots in (("bottom", bottom), ("top", top)):
        if sum(slots) > CHECKERS:
            raise IdError(
                f"the XGID gives the {who} player {sum(slots)} checkers, more than {CHECKERS}"
            )
    on_roll, opponent = (bottom, top) if turn == 1 else (top, bottom)
    try:
        return Position(on_roll, opponent)
    except ValueError as error:
        raise IdError(str(error)) from None


def _explain_character(place: int, character: str) -> str:
    if "A" <= character <= "O":
        return "the first place in an XGID is the top player's bar: '-' or a lower-case letter"
    if "a" <= character <= "o":
        return "the last place in an XGID is the bottom player's bar: '-' or a capital letter"
    return f"a place in an XGID is '-', A to O or a to o, not {character!r}"


def _read_match(fields: list[str], turn: int) -> MatchState:
    cube_log2 = _number(fields, 1)
    if not 0 <= cube_log2 <= CUBE_LOG2_MAX:
        raise IdError(f"the cube value in an XGID is 0 to {CUBE_LOG2_MAX}, not {cube_log2}")
    owner = _number(fields, 2)
    if owner not in (-1, 0, 1):
        raise IdError(f"the cube owner in an XGID is -1, 0 or 1, not {owner}")
    scores = (_number(fields, 5), _number(fields, 6))
    length, flag = _number(fields, 8), _number(fields, 7)
    if not 0 <= flag <= (1 if length else _JACOBY | _BEAVERS):
        raise IdError(
            "the Crawford/Jacoby flag in an XGID is 0 or 1 in a match and 0 to 3 for money, "
            f"not {flag}"
        )
    return MatchState(
        cube_value=1 << cube_log2,
        cube_owner={0: CENTRED, turn: ON_ROLL, -turn: OPPONENT}[owner],
        match_length=length,
        score=scores if turn == 1 else scores[::-1],
        crawford=length > 0 and flag == 1,
        jacoby=bool(flag & _JACOBY),
        beavers=bool(flag & _BEAVERS),
        dice=_read_dice(fields[4]),
        is_double_offered=fields[4].upper() == "D",
        player_on_roll=1 if turn == 1 else 0,
        cube_log2_max=_number(fields, 9),
    )


def _read_dice(text: str) -> tuple[int, int] | None:
    if text in ("00", "D", "d"):
        return None
    if text.upper() in ("B", "R"):
        raise IdError("the XGID waits for the answer to a beaver or a raccoon, which is not played")
    if not re.fullmatch("[1-6][1-6]", text):
        raise IdError(f"the dice in an XGID are two digits from 1 to 6, 00 or D, not {text!r}")
    return (int(text[0]), int(text[1]))


def _write_position(position: Position, turn: int) -> str:
    sides = (position.on_roll, position.opponent)
    bottom, top = sides if turn == 1 else sides[::-1]
    places = ["-"] * PLACES
    for slot in range(1, PLACES):
        if bottom[slot]:
            places[slot] = chr(ord("A") + bottom[slot] - 1)
        if top[slot]:
            places[PLACES - 1 - slot] = chr(ord("a") + top[slot] - 1)
    return "".join(places)


def _write_dice(match: MatchState) -> str:
    if match.is_double_offered:
        return "D"
    return "{}{}".format(*(match.dice or (0, 0)))


def _write_flag(match: MatchState) -> int:
    if match.match_length:
        return int(match.crawford)
    return _JACOBY * match.jacoby + _BEAVERS * match.beavers
