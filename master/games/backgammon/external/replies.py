"""Our questions to another program, and its answers, read into actions."""

from __future__ import annotations

from engine_ext.backgammon.move_text import NO_MOVE
from engine_ext.backgammon.notation import parse_move
from master.games.backgammon.external.due import Due, DueQuestion
from master.games.backgammon.external.fibs_state import BoardForm, board_of
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

ERROR_CHARACTERS_MAX = 100

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
    shown = "".join(sign if " " <= sign <= "~" else "?" for sign in said)[:ERROR_CHARACTERS_MAX]
    return f"expected {what}, not {shown!r}"
