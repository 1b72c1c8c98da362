"""Two SGF properties of ours, XA and XD: the analysis of moves and of the cube, to the last bit.

They contain every field of both analyses; gnubg's own properties are in sgf_analysis.

    XA[played:1 if forced][move:level:cubeful cubeless P P P P P:error]...
    XD[level:action:no-double double/take double/pass cubeless P P P P P:error:double/beaver]

P are the five cumulative probabilities; the standard error of a rollout and the equity of a beaver
are empty where there is none.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from engine_ext.backgammon.analysis import CheckerAnalysis, CubeAnalysis, MoveAnalysis
from engine_ext.backgammon.ranking import Probs
from master.games.backgammon.matches.sgf_tree import compose, split_composed
from master.games.errors import RecordError

_INDEX = re.compile(r"[0-9]{1,5}")


def read_numbers(words: Sequence[str], count: int) -> tuple[float, ...]:
    """Read so many finite numbers.

    Raises:
        RecordError: not that many, or no numbers.
    """
    if len(words) != count:
        raise RecordError(f"expected {count} numbers, found {len(words)}")
    return tuple(read_number(word) for word in words)


def read_number(word: str) -> float:
    """Read a finite number.

    Raises:
        RecordError: not a number.
    """
    try:
        number = float(word)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise RecordError(f"expected a number, not {word!r}")
    return number


def write_numbers(*numbers: float) -> str:
    """Write numbers so that they are read back to the last bit."""
    return " ".join(map(repr, numbers))


def write_exact_checker(checker: CheckerAnalysis) -> tuple[str, ...]:
    """Write the values of XA."""
    moves = (
        compose(
            move.text,
            move.level,
            write_numbers(move.equity_cubeful, move.equity_cubeless, *move.probs),
            _write_optional(move.std_error),
        )
        for move in checker.moves
    )
    return (compose(str(checker.played), str(int(checker.is_forced))), *moves)


def read_exact_checker(values: Sequence[str]) -> CheckerAnalysis:
    """Read the values of XA.

    Raises:
        RecordError: something else.
    """
    head = split_composed(values[0])
    played, is_forced = head if len(head) == 2 else ("", "")
    moves = tuple(_read_move(value) for value in values[1:])
    if not (_INDEX.fullmatch(played) and int(played) < len(moves) and is_forced in ("0", "1")):
        raise RecordError("expected XA[played:0 or 1] and the moves analysed")
    return CheckerAnalysis(moves, int(played), is_forced == "1")


def _read_move(value: str) -> MoveAnalysis:
    (text, level, words, error) = _parts("XA", value, 4)
    cubeful, cubeless, *probs = read_numbers(words.split(), 7)
    return MoveAnalysis(text, level, cubeful, cubeless, Probs(*probs), _read_optional(error))


def write_exact_cube(cube: CubeAnalysis) -> str:
    """Write the value of XD."""
    equities = (cube.no_double, cube.double_take, cube.double_pass, cube.equity_cubeless)
    numbers = write_numbers(*equities, *cube.probs)
    optional = map(_write_optional, (cube.std_error, cube.double_beaver))
    return compose(cube.level, cube.action, numbers, *optional)


def read_exact_cube(value: str) -> CubeAnalysis:
    """Read the value of XD.

    Raises:
        RecordError: something else.
    """
    level, action, words, *optional = _parts("XD", value, 5)
    no_double, double_take, double_pass, cubeless, *probs = read_numbers(words.split(), 9)
    return CubeAnalysis(
        level,
        no_double,
        double_take,
        double_pass,
        action,
        cubeless,
        Probs(*probs),
        *map(_read_optional, optional),
    )


def _parts(name: str, value: str, count: int) -> tuple[str, ...]:
    parts = split_composed(value)
    if len(parts) != count:
        raise RecordError(f"expected {count} parts between colons in {name}, found {len(parts)}")
    return parts


def _write_optional(number: float | None) -> str:
    return "" if number is None else write_numbers(number)


def _read_optional(word: str) -> float | None:
    return read_number(word) if word else None
