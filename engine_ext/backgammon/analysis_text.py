"""Answers to questions as one line of text, and back: exactly the same values.

Readers do not trust an answer: a text that is not the canonical text of some answer raises
AnswerError.

Numbers are written by repr, the shortest text that reads back as the same bits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar
from urllib.parse import quote, unquote

from engine_ext.backgammon.analysis import (
    ActionAnalysis,
    CheckerAnalysis,
    CubeAnalysis,
    MoveAnalysis,
)
from engine_ext.backgammon.ranking import Probs
from engine_ext.contexts import ANSWER_CHARACTERS_MAX

MOVES_KIND = "backgammon-move-values/1"
ANALYSIS_KIND = "backgammon-analysis/1"

NONE = "none"
_SAFE = "/*()"
_PLAIN = re.compile(r"[A-Za-z0-9/*() -]*")
"""Moves and levels but for rare ones."""

_MOVE_FIELDS = 10
_CUBE_FIELDS = 13

T = TypeVar("T")


class AnswerError(ValueError):
    """A text that is no answer; the text of the error says why in one sentence."""


class MoveValue(NamedTuple):
    """One legal move's value to the mover at the level that was asked for.

    `number` is its place in `legal_moves`' order.
    """

    number: int
    equity_cubeful: float
    probs: Probs


@dataclass(frozen=True)
class MovesAnswer:
    """The values of a question's candidates, in its order."""

    evaluations: tuple[MoveValue, ...]

    def to_text(self) -> str:
        """Return the canonical text."""
        words = [
            ":".join([str(value.number), *_write_numbers((value.equity_cubeful, *value.probs))])
            for value in self.evaluations
        ]
        return " ".join([MOVES_KIND, *words])

    @classmethod
    def from_text(cls, text: str) -> MovesAnswer:
        """Return the answer of a canonical text; AnswerError otherwise."""
        words = _split(text, MOVES_KIND)
        answer = cls(tuple(map(_read_move_value, words)))
        return _canonical(answer, answer.to_text(), text)


def analysis_to_text(analysis: ActionAnalysis) -> str:
    """Return the canonical text of an analysis."""
    luck = NONE if analysis.luck is None else repr(analysis.luck)
    cube = NONE if analysis.cube is None else _write_cube(analysis.cube)
    checker = NONE if analysis.checker is None else _write_checker(analysis.checker)
    return f"{ANALYSIS_KIND} luck={luck} cube={cube} checker={checker}"


def analysis_from_text(text: str) -> ActionAnalysis:
    """Return the analysis of a canonical text; AnswerError otherwise."""
    words = _split(text, ANALYSIS_KIND)
    names = [word.partition("=")[0] for word in words]
    if names != ["luck", "cube", "checker"]:
        raise AnswerError("an analysis has luck, cube and checker, in this order")
    luck, cube, checker = (word.partition("=")[2] for word in words)
    analysis = ActionAnalysis(
        checker=None if checker == NONE else _read_checker(checker),
        cube=None if cube == NONE else _read_cube(cube),
        luck=None if luck == NONE else _read_number(luck),
    )
    return _canonical(analysis, analysis_to_text(analysis), text)


def _written(word: str) -> str:
    if _PLAIN.fullmatch(word):
        return word.replace(" ", "%20")  # the same result as from quote, but faster
    return quote(word, safe=_SAFE)


def _read(text: str) -> str:
    word = text.replace("%20", " ")
    return unquote(text) if "%" in word else word


def _split(text: str, kind: str) -> list[str]:
    if len(text) > ANSWER_CHARACTERS_MAX or not text.isascii():
        raise AnswerError(f"an answer is ASCII of at most {ANSWER_CHARACTERS_MAX} characters")
    found, *words = text.split(" ")
    if found != kind:
        raise AnswerError(f"an answer of kind {kind} was expected, not {found[:40]!r}")
    return words


def _canonical(answer: T, again: str, text: str) -> T:
    if again != text:
        raise AnswerError("the answer is not in its canonical form")
    return answer


def _write_cube(cube: CubeAnalysis) -> str:
    equities = (cube.no_double, cube.double_take, cube.double_pass, cube.equity_cubeless)
    texts = (_written(cube.level), _written(cube.action))
    optional = (_optional(cube.std_error), _optional(cube.double_beaver))
    return ",".join([*texts, *_write_numbers((*equities, *cube.probs)), *optional])


def _read_cube(text: str) -> CubeAnalysis:
    level, action, *numbers, error, beaver = _fields(text, _CUBE_FIELDS, "a cube question")
    no_double, double_take, double_pass, cubeless, *probs = _read_numbers(numbers)
    return CubeAnalysis(
        level=_read(level),
        no_double=no_double,
        double_take=double_take,
        double_pass=double_pass,
        action=_read(action),
        equity_cubeless=cubeless,
        probs=Probs(*probs),
        std_error=_read_optional(error),
        double_beaver=_read_optional(beaver),
    )


def _write_checker(checker: CheckerAnalysis) -> str:
    forced = "forced" if checker.is_forced else "free"
    return ";".join([f"{checker.played},{forced}", *map(_write_move, checker.moves)])


def _read_checker(text: str) -> CheckerAnalysis:
    head, *moves = text.split(";")
    played, forced = _fields(head, 2, "a play")
    if not re.fullmatch(r"[0-9]{1,4}", played) or forced not in ("forced", "free"):
        raise AnswerError("a play is the place of a move, and forced or free")
    if int(played) >= len(moves):
        raise AnswerError(f"the move played has place {played} of {len(moves)}")
    return CheckerAnalysis(tuple(map(_read_move, moves)), int(played), forced == "forced")


def _write_move(move: MoveAnalysis) -> str:
    numbers = _write_numbers((move.equity_cubeful, move.equity_cubeless, *move.probs))
    texts = (_written(move.text), _written(move.level))
    return ",".join([*texts, *numbers, _optional(move.std_error)])


def _read_move(text: str) -> MoveAnalysis:
    name, level, *numbers, error = _fields(text, _MOVE_FIELDS, "a move")
    cubeful, cubeless, *probs = _read_numbers(numbers)
    error_read = _read_optional(error)
    return MoveAnalysis(_read(name), _read(level), cubeful, cubeless, Probs(*probs), error_read)


def _read_move_value(word: str) -> MoveValue:
    number, *numbers = word.split(":")
    if not re.fullmatch(r"[0-9]{1,4}", number) or len(numbers) != 1 + len(Probs._fields):
        raise AnswerError(f"a move has a place, an equity and five chances, not {word[:40]!r}")
    equity, *probs = _read_numbers(numbers)
    return MoveValue(int(number), equity, Probs(*probs))


def _fields(text: str, count: int, what: str) -> list[str]:
    fields = text.split(",")
    if len(fields) != count:
        raise AnswerError(f"{what} has {count} fields, not {len(fields)}")
    return fields


def _write_numbers(numbers: Sequence[float]) -> list[str]:
    return list(map(repr, numbers))


def _optional(number: float | None) -> str:
    return NONE if number is None else repr(number)


def _read_optional(text: str) -> float | None:
    return None if text == NONE else _read_number(text)


def _read_numbers(texts: Sequence[str]) -> list[float]:
    try:
        numbers = list(map(float, texts))
    except ValueError:
        return list(map(_read_number, texts))  # which names the wrong one
    return numbers if all(map(math.isfinite, numbers)) else list(map(_read_number, texts))


def _read_number(text: str) -> float:
    try:
        number = float(text)
    except ValueError as error:
        raise AnswerError(f"{text[:40]!r} is not a number") from error
    if not math.isfinite(number):
        raise AnswerError(f"{text[:40]!r} is not a finite number")
    return number
