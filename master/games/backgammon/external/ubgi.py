"""UBGI, the Universal Backgammon Interface: what a line means, and what is said at once.

Knows the protocol's words.  Must not know how questions are answered, nor streams and threads.
Source: Ø. Schønning-Johansen, "Universal Backgammon Interface (UBGI) Protocol", draft 0.01, 2025
(github.com/oysteijo/Universal-Backgammon-Interface).

A line that is a position, an XGID or a FIBS board, is answered by the best action alone.  A line
that is not known, or a position that cannot be, is answered by `sorry`; a blank one by nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.play import cube_of
from engine_ext.backgammon.xgid import PREFIX, state_from_xgid
from master.games.backgammon.external.answers import BEAVER, TAKE
from master.games.backgammon.external.fibs_board import read_fibs_board
from master.games.backgammon.external.fibs_state import SessionRules, question_of
from master.games.backgammon.external.questions import Decision, Question

LINE_BYTES_MAX = 1_024
"""The longest position is a FIBS board: two names and fifty numbers of up to five digits."""

NAME = "manyply"
AUTHOR = "the manyply authors"

HELLO = "ubgi"
STOP = "stop"
QUIT = "quit"
READY = "readyok"
SORRY = "sorry"

XGID_COLONS = (8, 9)
"""Of an XGID whose prefix was left out; the last field may be missing."""


@dataclass(frozen=True)
class Reaction:
    """What a line leads to.

    Args:
        replies: lines to say at once.
        question: what to answer, if anything.
        is_over: whether the interface has said farewell.
    """

    replies: tuple[str, ...] = ()
    question: Question | None = None
    is_over: bool = False


def is_stopping(line: str) -> bool:
    """Whether a line that arrives ends what is being thought about before it."""
    return line.strip() in (STOP, QUIT)


def receive(line: str, rules: SessionRules, version: str) -> Reaction:
    """Return what a line leads to; never raises, whatever the line.

    Args:
        line: without its end.
        rules: of a FIBS board, which does not say them.
        version: of this program.
    """
    text = line.strip()
    if text in ("", STOP):
        return Reaction()
    if text == QUIT:
        return Reaction(is_over=True)
    if text == HELLO:
        return Reaction((f"id name {NAME}", f"id author {AUTHOR}", f"id version {version}", READY))
    try:
        return Reaction(question=_read_position(text, rules))
    except ValueError:
        return Reaction((SORRY,))


def _read_position(text: str, rules: SessionRules) -> Question:
    if len(text) > LINE_BYTES_MAX:
        raise ValueError(f"expected lines of at most {LINE_BYTES_MAX} bytes")
    if text.startswith("board:"):
        question = question_of(read_fibs_board(text), rules)
    elif text.upper().startswith(PREFIX) or text.count(":") in XGID_COLONS:
        question = _question_in(state_from_xgid(text))
    else:
        raise ValueError("expected an XGID or a FIBS board")
    cube_of(question.state.match)  # raises for a cube that is not played with
    return question


def _question_in(state: GameState) -> Question:
    if state.match.is_double_offered:
        return Question(Decision.ANSWER, state)
    return Question(Decision.TURN if state.match.dice is None else Decision.MOVE, state)


def to_ubgi(answer: str) -> str:
    """Return an answer in the words of the protocol, which has no beavers."""
    return TAKE if answer == BEAVER else answer
