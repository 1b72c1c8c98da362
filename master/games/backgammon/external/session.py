"""gnubg's protocol for external players: its lines, the replies to them, and our own questions.

An error gets one line that begins with `Error: `, as from gnubg, which displays such a line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.limits import PLY_MAX
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.move_text import NO_MOVE
from engine_ext.backgammon.notation import parse_move
from engine_ext.control import RunControl
from master.games.backgammon.external.best_action import Level, answer, evaluation_text
from master.games.backgammon.external.fibs_board import (
    BoardForm,
    Due,
    DueQuestion,
    SessionRules,
    board_of,
    question_of,
    read_fibs_board,
)
from master.games.backgammon.matches.record import (
    Action,
    Beaver,
    Double,
    Drop,
    Play,
    Take,
)

REPLY_BYTES_MAX = 1_024
"""Moves take some 40, and gnubg's errors one line."""

ANSWER_CHARACTERS_MAX = 100

_ANSWERS: dict[str, type[Take | Drop | Beaver]] = {
    "take": Take, "accept": Take, "drop": Drop, "pass": Drop, "reject": Drop, "beaver": Beaver,
    "redouble": Beaver,
}  # fmt: skip


class ReplyError(ValueError):
    """An impossible answer; the text names the expected one."""


def asking_line(question: DueQuestion) -> str:
    """Return the line that asks for a decision; in money play it includes the rules.

    It is in gnubg's form, since gnubg reads scores as it writes them, and others follow it.
    """
    match = question.state.match
    line = board_of(question, form=BoardForm(is_gnubg=True)).text
    if match.match_length:
        return line
    return f"{line} jacobyrule {_on(match.jacoby)} beavers {_on(match.beavers)}"


def _on(is_on: bool) -> str:
    return "on" if is_on else "off"


def read_reply(question: DueQuestion, player: int, text: str) -> Action | None:
    """Return a player's action; None: the player rolls the dice.

    Args:
        question: the question asked.
        player: the player asked.
        text: the answer, a line without its end.

    Raises:
        ReplyError: the text is no answer to the question.
    """
    said = text.strip("\0 \t\r")
    word = said.lower()
    if question.due is Due.MOVE:
        return _read_move(question, player, said)
    if question.due is Due.TURN:
        if word not in ("roll", "double"):
            raise ReplyError(_expected("roll or double", said))
        return None if word == "roll" else Double(player)
    if word not in _ANSWERS:
        raise ReplyError(_expected("take, drop or beaver", said))
    action = _ANSWERS[word](player)
    if isinstance(action, Beaver) and not question.state.match.beavers:
        return Take(player)  # a program asked about none means a take
    return action


def _read_move(question: DueQuestion, player: int, said: str) -> Play:
    state, dice = question.state, question.state.match.dice
    assert dice is not None, "a move is one of a roll"
    try:
        move = parse_move(state.position, dice, said or NO_MOVE)
    except ValueError as error:
        raise ReplyError(_expected(f"a move of {dice[0]}-{dice[1]}", said)) from error
    return Play(player, dice, move.steps)


def _expected(what: str, said: str) -> str:
    shown = "".join(sign if " " <= sign <= "~" else "?" for sign in said)[:ANSWER_CHARACTERS_MAX]
    return f"expected {what}, not {shown!r}"


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


ERROR_CHARACTERS_MAX = 200

INTERFACE = 2
BOARD_VERSION = 0
"""The version of the protocol and of the boards in gnubg 1.07."""

DEBUG_MARK = "DBG: "
"""The first characters of a line that is no answer."""


@dataclass(frozen=True)
class ExternalReaction:
    """The reaction to a line.

    Args:
        replies: lines to send at once.
        wish: the question to compute for one more line, if any.
        is_over: whether the connection ends.
        is_debugging: whether the next lines are answered with debugging output.
    """

    replies: tuple[str, ...] = ()
    wish: Ask | Evaluate | None = None
    is_over: bool = False
    is_debugging: bool = False


def receive(
    line: str, rules: SessionRules, version: str = "", *, is_debugging: bool = False
) -> ExternalReaction:
    """Return the reaction to a line; never raises.

    Args:
        line: without its end.
        rules: the defaults for rules that lines do not give.
        version: of this program.
        is_debugging: of the reaction to the line before.
    """
    try:
        command = read_line(line, rules)
    except ValueError as error:
        return ExternalReaction((error_line(str(error)),), is_debugging=is_debugging)
    if isinstance(command, Debug):
        text = f"Debug output {'ON' if command.is_on else 'OFF'}"
        return ExternalReaction((text,), is_debugging=command.is_on)
    if isinstance(command, Ask | Evaluate):
        replies = _debug_lines(command) if is_debugging else ()
        return ExternalReaction(replies, command, is_debugging=is_debugging)
    if isinstance(command, Quit):
        return ExternalReaction(is_over=True)
    replies = (f"Expected: {EXPECTED}",) if isinstance(command, Help) else _versions(version)
    return ExternalReaction(replies, is_debugging=is_debugging)


def _versions(version: str) -> tuple[str, ...]:
    """Return four lines, like gnubg: other programs wait for exactly four."""
    software = f"manyply {version}".strip()
    return (
        f"Interface: {INTERFACE}", f"RFBF: {BOARD_VERSION}", f"Engine: {version or 'unknown'}",
        f"Software: {software}",
    )  # fmt: skip


def _debug_lines(command: Ask | Evaluate) -> tuple[str, ...]:
    """Return lines that show how a question was read."""
    state = command.question.state if isinstance(command, Ask) else command.state
    due = command.question.due.value if isinstance(command, Ask) else "evaluation"
    match = state.match
    rules = {"jacobyrule": match.jacoby, "beavers": match.beavers, "crawford": match.crawford}
    settings = " ".join(f"{name} {'on' if is_on else 'off'}" for name, is_on in rules.items())
    return (f"{DEBUG_MARK}{to_gnubg_id(state)} {due}", f"{DEBUG_MARK}{settings}")


def carry_out(wish: Ask | Evaluate, level: Level, control: RunControl | None = None) -> str:
    """Compute; return the line that answers.

    Raises:
        SearchStopped: `control` was stopped.
    """
    try:
        if isinstance(wish, Ask):
            return answer(wish.question, level, control)
        return evaluation_text(
            wish.state, wish.ply, level.table, control, is_cubeful=wish.is_cubeful
        )
    except ValueError as error:
        return error_line(str(error))


def error_line(text: str) -> str:
    """Return one printable line that names the error."""
    shown = "".join(sign if " " <= sign <= "~" else "?" for sign in text)
    return f"Error: {shown[:ERROR_CHARACTERS_MAX]}"
