"""The questions of the services `moves` and `analyse`, and their canonical texts.

The module contains the fields of a question and their ranges; see answers for the answers.

A question is one line, `<kind> key=value ...`, with every key present in a fixed order: equal
questions have equal texts.  A question leaves out details that its answer does not depend on (whose
name is on the bottom, a session's score, offers).  So the same decision is asked and kept once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from engine_ext.backgammon.board import position_from_id
from engine_ext.backgammon.limits import PLY_MAX, SEED_MAX, TRUNCATION_PLY_MAX
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met_words import NO_MET, met_word, table_of
from engine_ext.backgammon.move_filters import MOVE_FILTERS
from engine_ext.backgammon.text_fields import (
    BOOL,
    DICE,
    INTEGER,
    OWNER,
    SCORE,
    TEXT,
    FieldCodec,
    decimal,
    level_codec,
    read_line,
    require,
    table_codec,
    write_line,
)
from engine_ext.contexts import ContextError

MOVES_KIND = "backgammon-moves/1"
ANALYSE_KIND = "backgammon-analyse/1"

CANDIDATES_MAX = 128
"""Moves of one question: their answer fits services.ANSWER_CHARACTERS_MAX."""

LEGAL_MOVES_MAX = 3060
"""No roll of any position has more distinct plays: see movegen.pxd."""

TRIALS_MAX = 2**16
"""Trials of each rolled-out move: an hour on one core; more is a rollout's own job."""

ROLLED_OUT_MAX = 10
"""Moves of one decision that are rolled out."""

Step = tuple[int, int]
"""One checker's step, (from, to): the mover's points, 25 the bar, 0 off."""

STEPS_MAX = 4


@dataclass(frozen=True)
class MovesQuestion:
    """Some legal moves of a roll, each to be evaluated at one level and at no other.

    Args:
        engine: digest of the engine, 16 hex digits.
        state: before the move, the mover on roll; irrelevant details are left out.
        dice: larger first.
        ply: the level, gnubg's count.
        candidates: places in `legal_moves`' order, each once, ascending.
        met: word of the match equities (see met_words); "" is the shipped table's, or `none`.
    """

    engine: str
    state: GameState
    dice: tuple[int, int]
    ply: int
    candidates: tuple[int, ...]
    met: str = ""

    def __post_init__(self) -> None:
        _set(self, "dice", _sorted_dice(self.dice))
        _set(self, "candidates", tuple(sorted(self.candidates)))
        _settle(self)
        _check_ply("ply", self.ply)
        _check_candidates(self.candidates)

    @property
    def table(self) -> MatchTable | None:
        """The match equities; None in money play."""
        return table_of(self.met)[0]

    def to_text(self) -> str:
        """Return the canonical text."""
        own = {"dice": self.dice, "ply": self.ply, "candidates": self.candidates}
        return write_line(MOVES_KIND, _MOVES_CODECS, _state_values(self) | own)

    @classmethod
    def from_text(cls, text: str) -> MovesQuestion:
        """Return the question of a canonical text; ContextError `bad-context` otherwise."""
        values = read_line(MOVES_KIND, _MOVES_CODECS, text)
        question = cls(state=_pop_state(values), **values)
        require(question.to_text() == text, "the question is not in its canonical form")
        return question


@dataclass(frozen=True)
class RolloutSettings:
    """How the best moves of a decision, or the answers to a cube question, are rolled out.

    Args:
        trials: games of each.
        seed: keys the dice, the same for each.
        ply: look-ahead of checker play.
        cube_ply: look-ahead of cube decisions.
        truncation_ply: half-moves after which a game is evaluated; 0 = never.
        candidates: moves rolled out at most, the best by look-ahead, besides the one played.
    """

    trials: int
    seed: int = 0
    ply: int = 0
    cube_ply: int = 0
    truncation_ply: int = 0
    candidates: int = 5

    def __post_init__(self) -> None:
        _check_range("trials", self.trials, 1, TRIALS_MAX)
        _check_range("seed", self.seed, 0, SEED_MAX)
        _check_ply("rollout_ply", self.ply)
        _check_ply("rollout_cube_ply", self.cube_ply)
        _check_range("truncation_ply", self.truncation_ply, 0, TRUNCATION_PLY_MAX)
        _check_range("rolled_out", self.candidates, 1, ROLLED_OUT_MAX)


@dataclass(frozen=True)
class AnalysisSettings:
    """The depth of a decision's analysis.

    Args:
        ply: look-ahead of checker plays.
        cube_ply: look-ahead of cube questions; None: a play's cube question is not asked.
        move_filter: one of MOVE_FILTERS.
        luck_ply: level of a roll's luck; None: it is not asked for.
        rollout: the rollout after the look-ahead; None: there is none.
    """

    ply: int = 2
    cube_ply: int | None = 2
    move_filter: str = "normal"
    luck_ply: int | None = 0
    rollout: RolloutSettings | None = None

    def __post_init__(self) -> None:
        _check_ply("ply", self.ply)
        _check_ply("cube_ply", self.cube_ply or 0)
        _check_ply("luck_ply", self.luck_ply or 0)
        require(self.move_filter in MOVE_FILTERS, "move_filter is " + "|".join(MOVE_FILTERS))


class DecisionKind(Enum):
    """The kind of a decision.

    OPENING: the first play of a game; no double was possible before it, and its roll has two
    different dice.  MOVE: any other play, with the cube question before its roll if the player
    on roll may double then.  CUBE: a double, or the answer to it, both seen by the doubler.
    """

    OPENING = "opening"
    MOVE = "move"
    CUBE = "cube"


@dataclass(frozen=True)
class AnalyseQuestion:
    """One decision of a game, to be analysed.

    Args:
        engine: digest of the engine, 16 hex digits.
        state: before the roll and before any double, the decider (of an answer to a double: the
            doubler) on roll; irrelevant details are left out.
        kind: the kind of decision.
        settings: the depth of the analysis.
        dice: of a play: the roll, larger first.
        played: of a play: its steps in any order; none where nothing could be moved.
        met: word of the match equities (see met_words); "" is the shipped table's, or `none`.
    """

    engine: str
    state: GameState
    kind: DecisionKind
    settings: AnalysisSettings = field(default_factory=AnalysisSettings)
    dice: tuple[int, int] | None = None
    played: tuple[Step, ...] | None = None
    met: str = ""

    def __post_init__(self) -> None:
        is_cube = self.kind is DecisionKind.CUBE
        absent = (self.dice is None, self.played is None)
        require(absent == (is_cube, is_cube), "a play has dice and steps, a cube decision none")
        if self.dice is not None and self.played is not None:
            _set(self, "dice", _sorted_dice(self.dice))
            _set(self, "played", tuple(sorted(map(_to_step, self.played), reverse=True)))
            require(len(self.played) <= STEPS_MAX, f"a play has at most {STEPS_MAX} steps")
        is_asked = self.settings.cube_ply is not None
        require(is_asked or not is_cube, "a cube decision needs a cube_ply")
        _settle(self)

    @property
    def table(self) -> MatchTable | None:
        """The match equities; None in money play."""
        return table_of(self.met)[0]

    def to_text(self) -> str:
        """Return the canonical text."""
        own = {"kind": self.kind, "dice": self.dice, "played": self.played}
        values = _state_values(self) | own | _settings_values(self.settings)
        return write_line(ANALYSE_KIND, _ANALYSE_CODECS, values)

    @classmethod
    def from_text(cls, text: str) -> AnalyseQuestion:
        """Return the question of a canonical text; ContextError `bad-context` otherwise."""
        values = read_line(ANALYSE_KIND, _ANALYSE_CODECS, text)
        question = cls(state=_pop_state(values), settings=_pop_settings(values), **values)
        require(question.to_text() == text, "the question is not in its canonical form")
        return question


def _set(question: object, name: str, value: object) -> None:
    object.__setattr__(question, name, value)


def _settle(question: MovesQuestion | AnalyseQuestion) -> None:
    """Check the fields that all questions share, and normalise them."""
    require(bool(re.fullmatch(r"[0-9a-f]{16}", question.engine)), "engine is 16 hex digits")
    match = question.state.match
    is_match = match.match_length > 0
    met = question.met or met_word(match)
    require((met == NO_MET) != is_match, "a match needs match equities, money play has none")
    try:
        table, player = table_of(met)
        bare = MatchState(
            cube_value=match.cube_value,
            cube_owner=match.cube_owner,
            match_length=match.match_length,
            score=match.score if is_match else (0, 0),
            crawford=match.crawford,
            jacoby=match.jacoby,
            beavers=match.beavers,
            player_on_roll=MatchState.player_on_roll if player is None else player,
        )
        cube_of(bare, table)
    except ValueError as error:
        raise ContextError("bad-context", str(error)) from error
    require(question.state.position.result == 0, "the game of this position is over")
    _set(question, "state", GameState(question.state.position, bare))
    _set(question, "met", met)


def _check_range(name: str, value: int, least: int, most: int) -> None:
    require(least <= value <= most, f"{name} is {least} to {most}")


def _check_ply(name: str, ply: int) -> None:
    _check_range(name, ply, 0, PLY_MAX)


def _check_candidates(candidates: tuple[int, ...]) -> None:
    require(0 < len(candidates) <= CANDIDATES_MAX, f"1 to {CANDIDATES_MAX} candidates are possible")
    require(len(set(candidates)) == len(candidates), "a candidate is named twice")
    require(candidates[0] >= 0 and candidates[-1] < LEGAL_MOVES_MAX, "no such candidate")


def _sorted_dice(dice: tuple[int, int] | None) -> tuple[int, int]:
    is_roll = dice is not None and len(dice) == 2 and all(1 <= die <= 6 for die in dice)
    require(is_roll, "dice are two digits 1 to 6")
    assert dice is not None, "required above"
    return max(dice), min(dice)


def _to_step(step: Step) -> Step:
    source, target = step
    require(25 >= source > target >= 0, f"a checker goes from 25 ... 1 to 0, not {source}/{target}")
    return source, target


_STATE_NAMES = (
    "cube_value",
    "cube_owner",
    "match_length",
    "score",
    "crawford",
    "jacoby",
    "beavers",
)


def _state_values(question: MovesQuestion | AnalyseQuestion) -> dict[str, Any]:
    match = question.state.match
    values = {name: getattr(match, name) for name in _STATE_NAMES}
    position_id = question.state.position.position_id
    return {"engine": question.engine, "position_id": position_id, "met": question.met} | values


def _pop_state(values: dict[str, Any]) -> GameState:
    """Take a state's values out of those of a text."""
    match = {name: values.pop(name) for name in _STATE_NAMES}
    try:
        return GameState(position_from_id(values.pop("position_id")), MatchState(**match))
    except ValueError as error:
        raise ContextError("bad-context", str(error)) from error


def _settings_values(settings: AnalysisSettings) -> dict[str, Any]:
    rollout = settings.rollout
    values = {name: getattr(settings, name) for name in _SETTINGS_NAMES}
    rolled = {key: 0 if rollout is None else vars(rollout)[key_of] for key, key_of in _ROLLOUT_KEYS}
    return values | rolled


def _pop_settings(values: dict[str, Any]) -> AnalysisSettings:
    settings = {name: values.pop(name) for name in _SETTINGS_NAMES}
    rolled = {name: values.pop(key) for key, name in _ROLLOUT_KEYS}
    rollout = RolloutSettings(**rolled) if rolled["trials"] else None
    return AnalysisSettings(rollout=rollout, **settings)


_SETTINGS_NAMES = ("ply", "cube_ply", "move_filter", "luck_ply")
_ROLLOUT_KEYS = (
    ("trials", "trials"),
    ("seed", "seed"),
    ("rollout_ply", "ply"),
    ("rollout_cube_ply", "cube_ply"),
    ("truncation_ply", "truncation_ply"),
    ("rolled_out", "candidates"),
)
"""Key in a question, and name in RolloutSettings; all 0 where nothing is rolled out."""


def _write_steps(steps: tuple[Step, ...] | None) -> str:
    if steps is None:
        return "none"
    return ",".join(f"{source}/{target}" for source, target in steps) or "no-move"


def _read_steps(value: str) -> tuple[Step, ...] | None:
    if value == "none":
        return None
    if value == "no-move":
        return ()
    steps = [step.split("/") for step in value.split(",")]
    return tuple((decimal(source), decimal(target)) for source, target in steps)


_STATE_CODECS: dict[str, FieldCodec] = {
    "engine": TEXT,
    "position_id": TEXT,
    "cube_value": INTEGER,
    "cube_owner": OWNER,
    "match_length": INTEGER,
    "score": SCORE,
    "crawford": BOOL,
    "jacoby": BOOL,
    "beavers": BOOL,
    "met": TEXT,
}
_MOVES_CODECS: dict[str, FieldCodec] = _STATE_CODECS | {
    "dice": DICE,
    "ply": INTEGER,
    "candidates": (
        lambda candidates: ",".join(map(str, candidates)),
        lambda value: tuple(map(decimal, value.split(","))),
    ),
}
_ANALYSE_CODECS: dict[str, FieldCodec] = _STATE_CODECS | {
    "kind": table_codec({kind: kind.value for kind in DecisionKind}),
    "dice": DICE,
    "played": (_write_steps, _read_steps),
    "ply": INTEGER,
    "cube_ply": level_codec("none"),
    "move_filter": TEXT,
    "luck_ply": level_codec("none"),
    **{key: INTEGER for key, _ in _ROLLOUT_KEYS},
}
