"""What a line of gnubg's protocol leads to: replies at once, or something to compute.

Knows the commands and the form of replies.  Must not know connections, threads or the clock.
A mistake gets one line that begins with `Error: `, as from gnubg, which shows such a line.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine_ext.control import RunControl
from master.games.backgammon.external.best_action import Level, answer, evaluation_text
from master.games.backgammon.external.commands import (
    EXPECTED,
    Ask,
    Evaluate,
    Help,
    Quit,
    read_line,
)
from master.games.backgammon.external.fibs_state import SessionRules

ERROR_CHARACTERS_MAX = 200

INTERFACE = 2
BOARD_VERSION = 0
"""What gnubg 1.07 says of the protocol and of its boards."""


@dataclass(frozen=True)
class ExternalReaction:
    """What a line leads to.

    Args:
        replies: lines to say at once.
        wish: what to compute for one line more, if anything.
        is_over: whether the connection ends.
    """

    replies: tuple[str, ...] = ()
    wish: Ask | Evaluate | None = None
    is_over: bool = False


def receive(line: str, rules: SessionRules, version: str = "") -> ExternalReaction:
    """Return what a line leads to; never raises, whatever the line.

    Args:
        line: without its end.
        rules: what holds where lines do not say.
        version: of this program.
    """
    try:
        command = read_line(line, rules)
    except ValueError as error:
        return ExternalReaction((error_line(str(error)),))
    if isinstance(command, Ask | Evaluate):
        return ExternalReaction(wish=command)
    if isinstance(command, Quit):
        return ExternalReaction(is_over=True)
    if isinstance(command, Help):
        return ExternalReaction((f"Expected: {EXPECTED}",))
    software = f"manyply {version}".strip()
    return ExternalReaction(
        (f"Interface: {INTERFACE}", f"RFBF: {BOARD_VERSION}", f"Software: {software}")
    )


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
    """Return one printable line that says what is wrong."""
    shown = "".join(sign if " " <= sign <= "~" else "?" for sign in text)
    return f"Error: {shown[:ERROR_CHARACTERS_MAX]}"
