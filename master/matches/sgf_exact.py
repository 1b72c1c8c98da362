"""Two SGF properties of ours, XA and XD: the analysis of moves and of the cube, to the last bit.

Knows every field of both analyses.  Must not know what of it gnubg's own properties say (see
sgf_analysis), nor positions.

    XA[played:1 if forced][move:level:cubeful cubeless P P P P P]...
    XD[level:action:no double, double/take, double/pass, cubeless P P P P P]

P are the five cumulative probabilities; the standard error of a rollout follows them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from engine_ext.backgammon.analysis import CheckerAnalysis, CubeAnalysis, MoveAnalysis
from engine_ext.backgammon.play import Probs
from master.matches.record import RecordError
from master.matches.sgf_tree import compose, split_composed

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
        compose(move.text, move.level, _write_fields(move, move.equity_cubeful))
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
    text, level, (cubeful, cubeless, *probs), error = _split(value, "XA", 7)
    return MoveAnalysis(text, level, cubeful, cubeless, Probs(*probs), error)


def write_exact_cube(cube: CubeAnalysis) -> str:
    """Write the value of XD."""
    equities = (cube.no_double, cube.double_take, cube.double_pass)
    return compose(cube.level, cube.action, _write_fields(cube, *equities))


def read_exact_cube(value: str) -> CubeAnalysis:
    """Read the value of XD.

    Raises:
        RecordError: something else.
    """
    level, action, numbers, error = _split(value, "XD", 9)
    no_double, double_take, double_pass, cubeless, *probs = numbers
    return CubeAnalysis(
        level, no_double, double_take, double_pass, action, cubeless, Probs(*probs), error
    )


def _write_fields(analysis: MoveAnalysis | CubeAnalysis, *equities: float) -> str:
    error = () if analysis.std_error is None else (analysis.std_error,)
    return write_numbers(*equities, analysis.equity_cubeless, *analysis.probs, *error)


def _split(value: str, name: str, count: int) -> tuple[str, str, tuple[float, ...], float | None]:
    """The two texts, the `count` numbers, and the standard error if there is one."""
    parts = split_composed(value)
    words = parts[2].split() if len(parts) == 3 else []
    if len(words) not in (count, count + 1):
        raise RecordError(f"expected two texts and {count} or {count + 1} numbers in {name}")
    numbers = read_numbers(words, len(words))
    return parts[0], parts[1], numbers[:count], numbers[count] if len(words) > count else None
