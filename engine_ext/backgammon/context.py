"""The canonical text of a rollout: everything that one of its trials depends on.

The module contains the fields, their ranges and their order.
The text is one ASCII line, `backgammon-rollout/1 key=value ...`, with every key present
in a fixed order, so that equal contexts have equal texts and equal digests.  A level that
is the one it stands in for is `same`, and no number, for the same reason.

Later versions of the kind may add keys; a version never changes what an older one means.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from enum import Enum
from urllib.parse import quote, unquote

from engine_ext.backgammon.limits import PLY_MAX, SEED_MAX, TRUNCATION_PLY_MAX
from engine_ext.backgammon.met_code import CODE_PATTERN
from engine_ext.backgammon.move_filters import MOVE_FILTERS
from engine_ext.backgammon.text_fields import (
    BOOL,
    DICE,
    INTEGER,
    OWNER,
    SCORE,
    TEXT,
    FieldCodec,
    level_codec,
    read_line,
    require,
    write_line,
)

KIND = "backgammon-rollout/1"

ALTERNATIVES_MAX = 64
"""Alternatives of one rollout: more would not fit the longest context text."""

MATCH_LENGTH_MAX = 64
"""Match equity tables are extended to 64 points: see met.AWAY_MAX."""

CUBE_VALUE_MAX = 4096
"""gnubg's largest cube."""


class AlternativeKind(Enum):
    """The action of one alternative before its first roll."""

    POSITION = "position"
    MOVE = "move"
    NO_DOUBLE = "no-double"
    DOUBLE_TAKE = "double-take"


@dataclass(frozen=True)
class Alternative:
    """One alternative: the position itself, a move, or an answer to the cube question.

    `position_id` and `text` belong to moves alone: the position after the move, the
    opponent on roll, and the move as a player writes it.
    """

    kind: AlternativeKind
    position_id: str = ""
    text: str = ""

    def __post_init__(self) -> None:
        is_move = self.kind is AlternativeKind.MOVE
        is_filled = bool(self.position_id), bool(self.text)
        require(is_filled == (is_move, is_move), "only a move has a position and a text")

    @property
    def name(self) -> str:
        """The text for users: `8/5 6/5`, `no double`, `double, take`, `position`."""
        return self.text if self.kind is AlternativeKind.MOVE else _NAMES[self.kind]


POSITION_ITSELF = Alternative(AlternativeKind.POSITION)
NO_DOUBLE = Alternative(AlternativeKind.NO_DOUBLE)
DOUBLE_TAKE = Alternative(AlternativeKind.DOUBLE_TAKE)

DOUBLE_PASS = 1.0
"""Equity of a double that is passed, to the doubler, in units of the cube before it."""

_NAMES = {
    AlternativeKind.POSITION: "position",
    AlternativeKind.NO_DOUBLE: "no double",
    AlternativeKind.DOUBLE_TAKE: "double, take",
}


@dataclass(frozen=True)
class RolloutContext:
    """Everything a trial depends on besides its number; sides are of the player on roll.

    Args:
        engine: Digest of the engine, 16 hex digits.
        position_id: The position at the root, before the alternatives act.
        cube_value: 1, 2, 4, ...
        cube_owner: -1 centred, 0 the player on roll, 1 the opponent.
        match_length: 0 for money.
        score: Points of the player on roll and of the opponent.
        crawford: Whether this is the Crawford game.
        jacoby, beavers: Money rules.
        met: Name of the match equity table, or its code (see met_code); `none` in money play.
        dice: The roll whose moves the alternatives are, if they are moves of one roll.
        alternatives: At least one.
        seed: Keys the dice.
        ply: Look-ahead of checker play, 0 to 3 in gnubg's count.
        cube_ply: Look-ahead of cube decisions.
        opponent_ply, opponent_cube_ply: Of the opponent, where they differ from `ply` and
            `cube_ply`; None where they do not.
        late_after: Half-moves after which both sides play by the late levels; 0 means never.
        late_ply, late_cube_ply: Those levels; None: as before.
        move_filter: One of MOVE_FILTERS; matters from 1-ply on.
        cubeful: Whether the cube is in play.
        variance_reduction: Whether luck is estimated and taken off.
        truncation_ply: Half-moves after which a trial is evaluated; 0 means never.
        evaluation_ply: Look-ahead of that evaluation, where it differs from `cube_ply`.
        bearoff_truncation: Whether a trial ends where a bear-off table has its exact value.
        quasi_random: Whether the dice of the first turns are stratified.
        rollout_initial: Whether the first roll is an opening roll, which is no double.
    """

    engine: str
    position_id: str
    cube_value: int = 1
    cube_owner: int = -1
    match_length: int = 0
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    jacoby: bool = True
    beavers: bool = False
    met: str = "none"
    dice: tuple[int, int] | None = None
    alternatives: tuple[Alternative, ...] = (POSITION_ITSELF,)
    seed: int = 0
    ply: int = 0
    cube_ply: int = 0
    opponent_ply: int | None = None
    opponent_cube_ply: int | None = None
    late_after: int = 0
    late_ply: int | None = None
    late_cube_ply: int | None = None
    move_filter: str = "normal"
    cubeful: bool = True
    variance_reduction: bool = True
    truncation_ply: int = 0
    evaluation_ply: int | None = None
    bearoff_truncation: bool = True
    quasi_random: bool = True
    rollout_initial: bool = False

    def __post_init__(self) -> None:
        for name, standard in _SAME_AS.items():
            if getattr(self, name) == getattr(self, standard):
                object.__setattr__(self, name, None)
        _check_text_fields(self)
        _check_match(self)
        _check_levels(self)
        _check_settings(self)

    def to_text(self) -> str:
        """Return the canonical text: one line, every key, fixed order."""
        return write_line(KIND, _CODECS, vars(self))

    @classmethod
    def from_text(cls, text: str) -> RolloutContext:
        """Return the context of a canonical text.

        Raises:
            ContextError: `bad-context`, with one sentence that names the error.
        """
        context = cls(**read_line(KIND, _CODECS, text))
        require(context.to_text() == text, "the context is not in its canonical form")
        return context


def _check_text_fields(context: RolloutContext) -> None:
    require(bool(re.fullmatch(r"[0-9a-f]{16}", context.engine)), "engine is 16 hex digits")
    ids = [context.position_id]
    ids += [a.position_id for a in context.alternatives if a.kind is AlternativeKind.MOVE]
    for position_id in ids:
        is_id = re.fullmatch(r"[A-Za-z0-9+/]{14}", position_id)
        require(bool(is_id), f"a position ID has 14 base64 characters, not {position_id[:20]!r}")
    is_name = re.fullmatch(r"[a-z0-9.-]{1,64}", context.met)
    is_met = bool(is_name or CODE_PATTERN.fullmatch(context.met))
    require(is_met, "met names a table, or is the code of one")
    require(context.move_filter in MOVE_FILTERS, "move_filter is " + "|".join(MOVE_FILTERS))


def _check_match(context: RolloutContext) -> None:
    cube = context.cube_value
    require(0 < cube <= CUBE_VALUE_MAX and not cube & (cube - 1), "cube_value is 1, 2, ... 4096")
    require(context.cube_owner in (-1, 0, 1), "cube_owner is centred, on-roll or opponent")
    length = context.match_length
    require(0 <= length <= MATCH_LENGTH_MAX, f"match_length is 0 to {MATCH_LENGTH_MAX}")
    if length:
        require(all(0 <= s < length for s in context.score), "a score is below match_length")
        require(not (context.jacoby or context.beavers), "jacoby and beavers are money rules")
        require(context.met != "none", "match play needs a match equity table")
    else:
        require(context.score == (0, 0), "money play has no score")
        require(context.met == "none", "money play has no match equity table")
    is_one_away = 1 in (length - context.score[0], length - context.score[1])
    require(not context.crawford or (length > 0 and is_one_away), "no Crawford game at this score")


def _check_levels(context: RolloutContext) -> None:
    for name in ("ply", "cube_ply", *_LEVELS):
        ply = getattr(context, name)
        require(ply is None or 0 <= ply <= PLY_MAX, f"{name} is 0 to {PLY_MAX}")
    for name in ("truncation_ply", "late_after"):
        is_turn = 0 <= getattr(context, name) <= TRUNCATION_PLY_MAX
        require(is_turn, f"{name} is 0 to {TRUNCATION_PLY_MAX}")
    has_late_levels = (context.late_ply, context.late_cube_ply) != (None, None)
    require(
        has_late_levels == (context.late_after > 0),
        "late_after and late levels come together",
    )
    is_truncated = context.truncation_ply > 0 or context.evaluation_ply is None
    require(is_truncated, "evaluation_ply needs a truncation_ply")


def _check_settings(context: RolloutContext) -> None:
    dice = context.dice
    require(dice is None or all(1 <= die <= 6 for die in dice), "dice are two digits 1 to 6")
    count = len(context.alternatives)
    require(0 < count <= ALTERNATIVES_MAX, f"1 to {ALTERNATIVES_MAX} alternatives are possible")
    require(0 <= context.seed <= SEED_MAX, f"seed is 0 to {SEED_MAX}")
    kinds = {alternative.kind for alternative in context.alternatives}
    is_cube = bool(kinds & {AlternativeKind.NO_DOUBLE, AlternativeKind.DOUBLE_TAKE})
    require(context.cubeful or not is_cube, "a cube question needs a cubeful rollout")
    is_position = kinds == {AlternativeKind.POSITION}
    is_initial = context.rollout_initial
    require(is_position or not is_initial, "only a position itself can have an opening roll")
    is_centred = context.cube_owner == -1
    require(is_centred or not is_initial, "nobody owns the cube before an opening roll")


def _to_alternative(alternative: Alternative) -> str:
    if alternative.kind is not AlternativeKind.MOVE:
        return str(alternative.kind.value)
    parts = (alternative.kind.value, alternative.position_id, alternative.text)
    return ":".join(quote(part, safe="") for part in parts)


def _from_alternative(value: str) -> Alternative:
    kind, *parts = value.split(":")
    if len(parts) not in (0, 2):
        raise ValueError(value)
    texts = [unquote(part, errors="strict") for part in parts]
    return Alternative(AlternativeKind(kind), *texts)


_LEVELS = ("opponent_ply", "opponent_cube_ply", "late_ply", "late_cube_ply", "evaluation_ply")
_SAME_AS = {
    "opponent_ply": "ply",
    "opponent_cube_ply": "cube_ply",
    "evaluation_ply": "cube_ply",
}
"""The level that `same` refers to; late levels: the side's own, and they keep their number."""

_CODECS_BY_TYPE: dict[str, FieldCodec] = {
    "str": TEXT,
    "int": INTEGER,
    "bool": BOOL,
    "int | None": level_codec("same"),
}
_SPECIAL: dict[str, FieldCodec] = {
    "cube_owner": OWNER,
    "score": SCORE,
    "dice": DICE,
    "alternatives": (
        lambda alternatives: ",".join(map(_to_alternative, alternatives)),
        lambda value: tuple(map(_from_alternative, value.split(","))),
    ),
}
_CODECS: dict[str, FieldCodec] = {
    field.name: _SPECIAL.get(field.name) or _CODECS_BY_TYPE[str(field.type)]
    for field in fields(RolloutContext)
}
