"""Lines of gnubg's protocol for external players, read into commands.

The commands are those of gnubg's own server: a board, with rules of the session after it;
`evaluation fibsboard BOARD`, with settings; `version`, `help`, `set debug on`, `quit` and `exit`
(see ../NEIGHBOURS.md).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from engine_ext.backgammon.context import PLY_MAX
from engine_ext.backgammon.match_state import GameState
from master.games.backgammon.external.due import DueQuestion
from master.games.backgammon.external.fibs_board import read_fibs_board
from master.games.backgammon.external.fibs_state import SessionRules, question_of

LINE_BYTES_MAX = 1_024
"""The longest board has two names and fifty numbers of up to five digits; gnubg itself reads no
longer line."""

EXPECTED = (
    "a FIBS board (board:...), evaluation fibsboard BOARD, set debug on, version, help or quit"
)

_BOARD = re.compile(r"(board:[^:]*:[^:]*:[-0-9:]*)(?:\s+(.*))?", re.ASCII)
_EVALUATION = re.compile(r"evaluation\s+fibsboard\s+(board:.*)", re.ASCII)
_DEBUG = re.compile(r"set\s+debug(?:\s+(\S+))?", re.ASCII | re.IGNORECASE)
_TRUTHS = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}
_NUMBER = re.compile(r"[0-9]{1,4}", re.ASCII)
_NOISE = re.compile(r"0+(?:\.0*)?", re.ASCII)


@dataclass(frozen=True)
class Ask:
    """Answer a question with the best action."""

    question: DueQuestion


@dataclass(frozen=True)
class Evaluate:
    """Evaluate a position, the player on roll about to roll.

    Args:
        state: the position, with score, cube and rules.
        ply: the depth.
        is_cubeful: whether plays are chosen for the game with the cube.
    """

    state: GameState
    ply: int = 0
    is_cubeful: bool = False


@dataclass(frozen=True)
class Debug:
    """Switch on or off a line before each answer that shows how its question was read."""

    is_on: bool


@dataclass(frozen=True)
class Version:
    """Return the versions of the protocol and of the program."""


@dataclass(frozen=True)
class Help:
    """List the possible questions."""


@dataclass(frozen=True)
class Quit:
    """End the connection."""


Command = Ask | Evaluate | Debug | Version | Help | Quit
_WORDS: dict[str, Command] = {
    "version": Version(), "help": Help(), "quit": Quit(), "exit": Quit(),
}  # fmt: skip


def read_line(line: str, rules: SessionRules) -> Command:
    """Read a line, with or without the NUL byte that gnubg leaves before it.

    Args:
        line: without its end.
        rules: the defaults for rules that the line does not give.

    Raises:
        ValueError: the line is no command; the text names the expected form.
    """
    if len(line) > LINE_BYTES_MAX:
        raise ValueError(f"expected lines of at most {LINE_BYTES_MAX} bytes")
    text = line.strip("\0 \t\r")
    if command := _WORDS.get(text.lower()):
        return command
    if match := _DEBUG.fullmatch(text):
        return Debug(_truth("set debug", (match[1] or "").lower()))
    if match := _EVALUATION.fullmatch(text):
        return _read_evaluation(match[1], rules)
    if not text.startswith("board:"):
        raise ValueError(f"expected {EXPECTED}" + (f", not {text[:20]!r}" if text else ""))
    board, options = _split(text)
    stated, left = _read_rules(options, rules)
    if left:
        raise ValueError(
            f"expected jacobyrule, crawfordrule, beavers or resignation, not {left[0]!r}"
        )
    return Ask(question_of(read_fibs_board(board), stated))


def _split(text: str) -> tuple[str, list[str]]:
    """Return the board of a line, and the words after it."""
    match = _BOARD.fullmatch(text)
    if match is None:
        raise ValueError(f"expected two names and numbers after board:, not {text[6:26]!r}")
    return match[1], (match[2] or "").lower().split()


def _read_rules(words: list[str], rules: SessionRules) -> tuple[SessionRules, list[str]]:
    """Return the rules, changed as the words say, and the words that name no rule."""
    left = []
    rest = iter(words)
    for word in rest:
        if word == "resignation":
            rules = replace(rules, resignation=_number(word, next(rest, "")))
        elif word in _RULES:
            rules = replace(rules, **{_RULES[word]: _truth(word, next(rest, ""))})
        else:
            left.append(word)
    return rules, left


_RULES = {"jacobyrule": "jacoby", "crawfordrule": "crawford", "beavers": "beavers"}


def _read_evaluation(text: str, rules: SessionRules) -> Evaluate:
    board, options = _split(text)
    stated, left = _read_rules(options, rules)
    question = question_of(read_fibs_board(board), replace(stated, resignation=0))
    state = question.state
    if state.match.is_double_offered:
        state = replace(state, match=replace(state.match, is_double_offered=False))
    found = Evaluate(state)
    words = iter(left)
    for word in words:
        if word == "plies":
            ply = _number(word, next(words, ""))
            if ply > PLY_MAX:
                raise ValueError(f"expected plies of 0 to {PLY_MAX}, not {ply}")
            found = replace(found, ply=ply)
        elif word in ("cubeful", "cubeless"):
            found = replace(found, is_cubeful=word == "cubeful")
        elif word == "cube":
            found = replace(found, is_cubeful=_truth(word, next(words, "")))
        elif word == "noise":
            if not _NOISE.fullmatch(value := next(words, "")):
                raise ValueError(f"expected a noise of 0, since there is no other, not {value!r}")
        elif word not in ("prune", "deterministic", *_TRUTHS):  # these change nothing here
            raise ValueError(f"expected plies, cube, cubeful or cubeless, not {word!r}")
    return found


def _truth(word: str, value: str) -> bool:
    if value not in _TRUTHS:
        raise ValueError(f"expected {word} on or off, not {value!r}")
    return _TRUTHS[value]


def _number(word: str, value: str) -> int:
    if not _NUMBER.fullmatch(value):
        raise ValueError(f"expected a number after {word}, not {value!r}")
    return int(value)
