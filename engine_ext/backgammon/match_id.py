"""gnubg's match ID: 12 base64 characters of a 72-bit key.

Source: gnubg manual, "A technical description of the Match ID".  The manual leaves out bit 66: it
is set when the Jacoby rule is off.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass

from engine_ext.backgammon.match_state import CENTRED, ON_ROLL, OPPONENT, IdError, MatchState

MATCH_ID_CHARACTERS = 12
KEY_BYTES = 9

# Name and number of bits, from the lowest bit of the first byte on.
_FIELDS = (
    ("cube_log2", 4),
    ("cube_owner", 2),
    ("player_on_roll", 1),
    ("crawford", 1),
    ("game_state", 3),
    ("player_to_decide", 1),
    ("double", 1),
    ("resignation", 2),
    ("die1", 3),
    ("die2", 3),
    ("match_length", 15),
    ("score0", 15),
    ("score1", 15),
    ("no_jacoby", 1),
    ("padding", 5),
)
_CUBE_CENTRED = 3
_STATE_PLAYING = 1
_STATES_OVER = {2: "is over", 3: "was resigned", 4: "ended with a pass"}


def match_from_id(text: str) -> MatchState:
    """Read a match ID.

    It does not say whether beavers are allowed: gnubg's default, yes, holds in money play.

    Raises:
        IdError: not a match ID, or an impossible state; the text says which.
    """
    number = int.from_bytes(_decode(text), "little")
    fields: dict[str, int] = {}
    for name, bits in _FIELDS:
        fields[name] = number & (1 << bits) - 1
        number >>= bits
    return _to_match(_Key(**fields))


def to_match_id(match: MatchState) -> str:
    """Write a match ID, as gnubg does; `beavers` and `cube_log2_max` have no place in it."""
    fields = _to_fields(match)
    number, position = 0, 0
    for name, bits in _FIELDS:
        number |= fields.get(name, 0) << position
        position += bits
    return base64.b64encode(number.to_bytes(KEY_BYTES, "little")).decode("ascii")


@dataclass(frozen=True)
class _Key:
    cube_log2: int
    cube_owner: int
    player_on_roll: int
    crawford: int
    game_state: int
    player_to_decide: int
    double: int
    resignation: int
    die1: int
    die2: int
    match_length: int
    score0: int
    score1: int
    no_jacoby: int
    padding: int


def _decode(text: str) -> bytes:
    if len(text) != MATCH_ID_CHARACTERS:
        raise IdError(f"a match ID has {MATCH_ID_CHARACTERS} characters, this one has {len(text)}")
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise IdError(
            f"a match ID has only letters, digits, '+' and '/', which {text!r} has not"
        ) from None


def _to_match(key: _Key) -> MatchState:
    if key.padding:
        raise IdError("the match ID has set bits after its last field")
    if key.game_state in _STATES_OVER:
        raise IdError(f"the match ID says that the game {_STATES_OVER[key.game_state]}")
    if key.game_state > _STATE_PLAYING:
        raise IdError(f"the match ID has game state {key.game_state}, which does not exist")
    answering = bool(key.double or key.resignation)
    if answering != (key.player_to_decide != key.player_on_roll):
        raise IdError(
            "the match ID contradicts itself: the opponent of the player on roll has to decide "
            "just when a double or a resignation is offered"
        )
    scores = (key.score0, key.score1)
    return MatchState(
        cube_value=1 << key.cube_log2,
        cube_owner=_owner_from_key(key),
        match_length=key.match_length,
        score=(scores[key.player_on_roll], scores[1 - key.player_on_roll]),
        crawford=bool(key.crawford),
        jacoby=not key.no_jacoby,
        dice=_dice_from_key(key),
        is_double_offered=bool(key.double),
        resignation=key.resignation,
        player_on_roll=key.player_on_roll,
    )


def _owner_from_key(key: _Key) -> int:
    if key.cube_owner == _CUBE_CENTRED:
        return CENTRED
    if key.cube_owner not in (0, 1):
        raise IdError(f"the match ID has cube owner {key.cube_owner}, who does not exist")
    return ON_ROLL if key.cube_owner == key.player_on_roll else OPPONENT


def _dice_from_key(key: _Key) -> tuple[int, int] | None:
    if key.die1 == key.die2 == 0:
        return None
    if not (1 <= key.die1 <= 6 and 1 <= key.die2 <= 6):
        raise IdError(f"the match ID has dice {key.die1} and {key.die2}")
    return (key.die1, key.die2)


def _to_fields(match: MatchState) -> dict[str, int]:
    player = match.player_on_roll
    answering = match.is_double_offered or match.resignation > 0
    owners = {CENTRED: _CUBE_CENTRED, ON_ROLL: player, OPPONENT: 1 - player}
    die1, die2 = match.dice or (0, 0)
    return {
        "cube_log2": match.cube_value.bit_length() - 1,
        "cube_owner": owners[match.cube_owner],
        "player_on_roll": player,
        "crawford": int(match.crawford),
        "game_state": _STATE_PLAYING,
        "player_to_decide": 1 - player if answering else player,
        "double": int(match.is_double_offered),
        "resignation": match.resignation,
        "die1": die1,
        "die2": die2,
        "match_length": match.match_length,
        f"score{player}": match.score[0],
        f"score{1 - player}": match.score[1],
        "no_jacoby": int(not match.jacoby),
    }
