"""gnubg's SGF properties of one action's analysis: A (moves), DA (cube), LU (luck).

Two properties of ours, XA and XD, are beside them.

All numbers are the mover's or, of a cube decision, the doubler's, also at the node of the answer.
Equities are in points of the cube before any double; in a match normalised, but for the cubeful
numbers of DA and of rollouts' outputs, which are match winning chances.  Levels are gnubg's plies.
gnubg keeps no cubeless equity of an evaluated move and no name of the right cube action: they are
computed, by the shipped match equity table, which is gnubg's default one.  Values that gnubg's
properties do not keep to the last bit are repeated in XA and XD, which gnubg ignores.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine_ext.backgammon.analysis import (
    ActionAnalysis,
    CheckerAnalysis,
    CubeAnalysis,
    MoveAnalysis,
)
from engine_ext.backgammon.board import Position
from engine_ext.backgammon.cube import Cube, cube_action
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import MatchState
from engine_ext.backgammon.move_text import BAR, OFF, format_move
from engine_ext.backgammon.movegen import LegalMove, legal_moves
from engine_ext.backgammon.ranking import Probs
from master.games.backgammon.matches.flow import legal_play
from master.games.backgammon.matches.record import Play, Step
from master.games.backgammon.matches.sgf_tree import Node, compose, split_composed
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
    moves = tuple(_read_exact_move(value) for value in values[1:])
    if not (_INDEX.fullmatch(played) and int(played) < len(moves) and is_forced in ("0", "1")):
        raise RecordError("expected XA[played:0 or 1] and the moves analysed")
    return CheckerAnalysis(moves, int(played), is_forced == "1")


def _read_exact_move(value: str) -> MoveAnalysis:
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


FORMAT_VERSION = 3
"""The version of gnubg's evaluations since 2009."""

CUBE_VALUE_MAX = 4096
"""The engine's and gnubg's highest cube."""

MOVES_MAX = 4096
"""Most moves listed for one roll; no position has more (some doubles have over 3,000)."""

Properties = list[tuple[str, tuple[str, ...]]]

_LETTERS = re.compile(r"(?:[a-y][a-z]){0,4}")
_PLY = re.compile(r"([0-9])-ply( cubeless)?")
_ROLLOUT = re.compile(r"rollout ([0-9]{1,9})\b")
_PLY_TOKEN = re.compile(r"([0-9])(C?)")

_NO_LUCK = ("-inf", "-340282346638528859811704183484516925440.00000")
"""The luck that gnubg saves for a roll that it did not analyse: its least float."""

_ROLLOUT_CONTEXT = (
    'SK 0 RC 1 1 0 1 0 0 0 1 1 0 "Mersenne Twister" 0 '
    + " ".join(f"{word} ver 3 0C 1 0.000000 1" for word in (
        "cube0", "cheq0", "cube1", "cheq1",
        "latecube0", "latecheq0", "latecube1", "latecheq1", "cubetrunc", "cheqtrunc",
    ))
)  # fmt: skip
"""Gnubg requires the settings of a rollout, which an analysis does not keep.  The file contains
those of a cubeful, variance-reduced one played to the end by static evaluation."""


@dataclass(frozen=True)
class Decision:
    """The decision that an analysis is about: the action's player, and the game before the action.

    The game is seen by the player on roll.  `play` is None for cube actions.
    """

    player: int
    position: Position
    match: MatchState
    play: Play | None = None

    def cube(self) -> Cube:
        """The cube before any double.

        Raises:
            RecordError: the engine has no such cube.
        """
        if not self.has_cube:
            raise RecordError(f"expected no analysis at a cube that shows {self.match.cube_value}")
        return cube_of(self.match)

    @property
    def has_cube(self) -> bool:
        """Whether the engine supports such a cube; a recorded one may be higher."""
        return self.match.cube_value <= CUBE_VALUE_MAX


def read_steps(player: int, letters: str) -> tuple[Step, ...]:
    """Read a move: letters in pairs, from and to; a to x are points, y the bar, z off.

    a is the 1 point of white, which is player 0, and the 24 point of black.

    Raises:
        RecordError: no such move.
    """
    if not _LETTERS.fullmatch(letters):
        raise RecordError(f"expected a move of up to four pairs of letters, not {letters!r}")
    slots = [point_slot(player, letter) for letter in letters]
    return tuple(zip(slots[::2], slots[1::2], strict=True))


def write_steps(player: int, steps: Sequence[Step]) -> str:
    """Write a move as `read_steps` reads it."""
    return "".join(point_letter(player, slot) for step in steps for slot in step)


def point_slot(player: int, letter: str) -> int:
    """Return a player's slot by its letter; 0 is off."""
    number = ord(letter) - ord("a") + 1
    if number >= BAR:
        return BAR if number == BAR else OFF
    return BAR - number if player else number


def point_letter(player: int, slot: int) -> str:
    """Name a slot of a player by its letter."""
    if slot in (BAR, OFF):
        return "y" if slot == BAR else "z"
    return chr(ord("a") - 1 + (BAR - slot if player else slot))


def read_analysis(node: Node, decision: Decision) -> ActionAnalysis | None:
    """Read a node's analysis of its action.

    Raises:
        RecordError: the node differs from gnubg's form; the text names the expected form.
    """
    checker, cube, luck = None, None, None
    if node.values("XA"):
        checker = read_exact_checker(node.values("XA"))
        _check_moves(checker, decision)
    elif node.values("A") and decision.play is not None:
        checker = _read_checker(node.values("A"), decision, decision.play)
    if node.values("XD"):
        cube = read_exact_cube(node.values("XD")[0])
    elif node.values("DA"):
        cube = _read_cube(node.values("DA")[0], decision.cube())
    if (text := node.value("LU")) not in (None, *_NO_LUCK):
        luck = read_number(text)
    if checker is None and cube is None and luck is None:
        return None
    return ActionAnalysis(checker, cube, luck)


def _check_moves(checker: CheckerAnalysis, decision: Decision) -> None:
    if decision.play is None:
        return
    legal = _letters_of_moves(decision, decision.play)
    for move in checker.moves:
        if move.text not in legal:
            raise RecordError(f"expected legal moves in an analysis, not {move.text}")


def _letters_of_moves(decision: Decision, play: Play) -> dict[str, str]:
    """Return legal moves in words, each with its letters."""
    return {
        format_move(decision.position, move.steps): write_steps(decision.player, move.steps)
        for move in legal_moves(decision.position, play.dice)
    }


def _read_checker(values: Sequence[str], decision: Decision, play: Play) -> CheckerAnalysis | None:
    if len(values) > MOVES_MAX:
        raise RecordError(f"expected at most {MOVES_MAX} moves analysed")
    cube, legal = decision.cube(), legal_moves(decision.position, play.dice)
    listed = []
    for value in values[1:]:
        letters, _, evaluation = value.partition(" ")
        steps = read_steps(decision.player, letters)
        move = legal_play(decision.position, play.dice, steps)
        if move is not None and evaluation:
            listed.append((move, _read_move(decision, move, evaluation.split(), cube)))
    made = legal_play(decision.position, play.dice, play.steps)
    if made is None or not listed:
        return None
    played = next((index for index, (move, _) in enumerate(listed) if move == made), -1)
    if played < 0:
        raise RecordError("expected the move that was played among those analysed")
    return CheckerAnalysis(tuple(analysis for _, analysis in listed), played, len(legal) == 1)


def _read_move(decision: Decision, move: LegalMove, words: list[str], cube: Cube) -> MoveAnalysis:
    text = format_move(decision.position, move.steps)
    if words[0] == "E":
        start = 3 if words[1:2] == ["ver"] else 1
        numbers = read_numbers(words[start : start + 6], 6)
        probs = Probs(*numbers[:5])
        level = _read_level(words[start + 6 : start + 7])
        try:
            return MoveAnalysis(text, level, numbers[5], cube.cubeless_equity(probs), probs)
        except ValueError as problem:
            raise RecordError(str(problem)) from None
    _check_rollout(words)
    output = _numbers_after(words, "Output", 7)
    error = _numbers_after(words, "StdDev", 7)[6] / _mwc_of_a_point(cube)
    cubeful = _numbers_after(words, "Score", 1)[0]
    return MoveAnalysis(text, _rollout_level(words), cubeful, output[5], Probs(*output[:5]), error)


def _read_cube(value: str, cube: Cube) -> CubeAnalysis:
    words = value.split() or [""]
    if words[0] == "E":
        outputs = read_numbers(words[-14:], 14)
        no_double, double_take = outputs[:7], outputs[7:]
        level = _read_level(words[3:4] if words[1:2] == ["ver"] else words[5:6])
        error = None
    else:
        _check_rollout(words)
        taken = words.index("DoubleTake") if "DoubleTake" in words else len(words)
        no_double = _numbers_after(words[:taken], "Output", 7)
        double_take = _numbers_after(words[taken:], "Output", 7)
        level = _rollout_level(words)
        error = _numbers_after(words[:taken], "StdDev", 7)[6] / _mwc_of_a_point(cube)
    equities = (cube.mwc_to_equity(no_double[6]), cube.mwc_to_equity(double_take[6]), 1.0)
    return CubeAnalysis(
        level,
        *equities,
        cube_action(*equities, cube),
        no_double[5],
        Probs(*no_double[:5]),
        error,
    )


def _mwc_of_a_point(cube: Cube) -> float:
    """The match winning chance for one point of normalised equity; 1 for money."""
    return (cube.equity_to_mwc(1.0) - cube.equity_to_mwc(-1.0)) / 2.0


def _read_level(words: list[str]) -> str:
    match = _PLY_TOKEN.fullmatch(words[0]) if words else None
    if match is None:
        raise RecordError(f"expected the plies of an evaluation, as 2C, not {' '.join(words)!r}")
    return f"{match[1]}-ply" + ("" if match[2] else " cubeless")


def _rollout_level(words: list[str]) -> str:
    return f"rollout {int(_numbers_after(words, 'Trials', 1)[0])}"


def _check_rollout(words: list[str]) -> None:
    if words[0] not in ("X", "R"):
        raise RecordError(f"expected an evaluation, E, or a rollout, X, not {words[0]!r}")


def _numbers_after(words: list[str], word: str, count: int) -> tuple[float, ...]:
    start = words.index(word) + 1 if word in words else len(words)
    if start == len(words):
        raise RecordError(f"expected {word} and {count} numbers in a rollout")
    return read_numbers(words[start : start + count], count)


def write_analysis(analysis: ActionAnalysis, decision: Decision) -> Properties:
    """Write an analysis as `read_analysis` reads it, to the last bit.

    Raises:
        RecordError: it lists a move that is not legal.
    """
    properties: Properties = []
    if analysis.checker is not None:
        _check_moves(analysis.checker, decision)
    if analysis.cube is not None:
        properties += _write_cube(analysis.cube, decision)
    if analysis.checker is not None:
        properties += _write_checker(analysis.checker, decision)
    if analysis.luck is not None:
        properties.append(("LU", (repr(analysis.luck),)))
    return properties


def _write_checker(checker: CheckerAnalysis, decision: Decision) -> Properties:
    exact = ("XA", write_exact_checker(checker))
    is_moved = decision.play is not None and decision.play.steps
    if not is_moved or not decision.has_cube:
        return [exact]
    ours = ("A", tuple(_checker_values(checker, decision)))
    kept = read_analysis(Node((ours,)), decision)
    return [ours] if kept is not None and kept.checker == checker else [ours, exact]


def _checker_values(checker: CheckerAnalysis, decision: Decision) -> Iterator[str]:
    assert decision.play is not None
    cube, letters = decision.cube(), _letters_of_moves(decision, decision.play)
    yield str(checker.played)
    for move in checker.moves:
        yield f"{letters[move.text]} {_move_words(move, cube)}"


def _move_words(move: MoveAnalysis, cube: Cube) -> str:
    if not _is_rollout(move):
        numbers = write_numbers(*move.probs, move.equity_cubeful)
        return f"E ver {FORMAT_VERSION} {numbers} {_ply_word(move.level)} 0 1 0.000000 1"
    score = write_numbers(move.equity_cubeful, move.equity_cubeless)
    output = (*move.probs, move.equity_cubeless, cube.equity_to_mwc(move.equity_cubeful))
    return (
        f"X ver {FORMAT_VERSION} Score {score} Trials {_trials(move.level)} "
        f"{_output_words(output, move.std_error, cube)}{_ROLLOUT_CONTEXT}"
    )


def _write_cube(analysis: CubeAnalysis, decision: Decision) -> Properties:
    exact = ("XD", (write_exact_cube(analysis),))
    if not decision.has_cube:
        return [exact]
    ours = ("DA", (_cube_words(analysis, decision.cube()),))
    kept = read_analysis(Node((ours,)), decision)
    return [ours] if kept is not None and kept.cube == analysis else [ours, exact]


def _cube_words(analysis: CubeAnalysis, cube: Cube) -> str:
    no_double, double_take = (
        (*analysis.probs, analysis.equity_cubeless, cube.equity_to_mwc(equity))
        for equity in (analysis.no_double, analysis.double_take)
    )
    if not _is_rollout(analysis):
        settings = f"{_ply_word(analysis.level)} 1 0.000000 1"
        return f"E ver {FORMAT_VERSION} {settings} {write_numbers(*no_double, *double_take)}"
    error = analysis.std_error
    return (
        f"X ver {FORMAT_VERSION} Eq Trials {_trials(analysis.level)} "
        f"NoDouble {_output_words(no_double, error, cube)}"
        f"DoubleTake {_output_words(double_take, error, cube)}{_ROLLOUT_CONTEXT}"
    )


def _is_rollout(analysis: MoveAnalysis | CubeAnalysis) -> bool:
    return analysis.std_error is not None or _ROLLOUT.match(analysis.level) is not None


def _trials(level: str) -> str:
    match = _ROLLOUT.match(level)
    return str(int(match[1])) if match else "0"


def _ply_word(level: str) -> str:
    match = _PLY.fullmatch(level)
    if match is None:
        return "0C"
    return match[1] + ("" if match[2] else "C")


def _output_words(output: Sequence[float], error: float | None, cube: Cube) -> str:
    mwc_error = (error or 0.0) * _mwc_of_a_point(cube)
    return f"Output {write_numbers(*output)} StdDev {'0 ' * 6}{mwc_error!r} "
