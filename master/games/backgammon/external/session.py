"""The reaction to a line of gnubg's protocol: replies at once, or a question to compute.

An error gets one line that begins with `Error: `, as from gnubg, which displays such a line.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.control import RunControl
from master.games.backgammon.external.best_action import Level, answer, evaluation_text
from master.games.backgammon.external.commands import (
    EXPECTED,
    Ask,
    Debug,
    Evaluate,
    Help,
    Quit,
    read_line,
)
from master.games.backgammon.external.fibs_state import SessionRules

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
