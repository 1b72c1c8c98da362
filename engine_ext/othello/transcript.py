"""Games as transcripts: `f5d6c3...`, the squares played one after the other.

A pass is not written, since it is always forced.
"""

import re
from collections.abc import Iterable

from engine_ext.othello.board import OthelloBoard

MOVES_MAX = 60
"""A game on 8 x 8 fills at most 60 squares."""

_NUMBER = re.compile(r"(?:^|(?<=\s))\d{1,2}\.+", re.ASCII)
"""Of a move, at the beginning of a word: `1. f5 d6 2. c3`, `1.f5 2.d6`, `2... d6`."""

_SEPARATOR = re.compile(r"[,;|/]")
_DASHES = re.compile(r"(?<=[0-9as])-{1,4}(?=[a-z]|$)")
"""Behind a square or a pass: one separates, as in `f5-d6`; with more of them there is a pass."""

_PAIR = re.compile(r"[a-z][0-9]|--|pa|ps")
_PASSES = frozenset({"--", "pa", "ps"})

_SHOWN_CHARACTERS = 12
"""Characters of a wrong square that an error shows."""


def played(board: OthelloBoard, move: str, number: int) -> OthelloBoard:
    """Return the board after a move of a record.

    Args:
        board: before it.
        move: a square.
        number: of the move in the record, from 1.

    Raises:
        ValueError: the move is illegal; the text names it, its number and the legal moves.
    """
    try:
        return board.play(move)
    except ValueError as error:
        legal = " ".join(board.moves())
        may = f"{board.to_move} may play {legal}" if legal else "the game is over before it"
        raise ValueError(f"move {number} ({move}): {error}; {may}") from None


def boards_of(moves: Iterable[str], start: OthelloBoard) -> list[OthelloBoard]:
    """Return the boards of a game, `start` first: each with the side to move that can move.

    The last one may be over.

    Raises:
        ValueError: a move is not legal; the text names it and its number.
    """
    boards = [start.passed() if start.must_pass else start]
    for number, move in enumerate(moves, 1):
        after = played(boards[-1], move, number)
        boards.append(after.passed() if after.must_pass else after)
    return boards


def from_transcript(text: str, start: OthelloBoard | None = None) -> list[str]:
    """Read a transcript and return its moves in lower case.

    Args:
        text: squares in either case; white space does not matter, nor do `,`, `;`, `|`, `/` and `-`
            between them, nor numbers of moves with a point behind them.  `--`, `pa` and `ps` (a
            pass) may stand where a side has to pass.
        start: where the game starts; the usual position by default.

    Raises:
        ValueError: it is not a transcript, or a move is illegal; the text names the place.
    """
    start = OthelloBoard.start() if start is None else start
    pairs = _pairs(text.lower())
    moves = [pair for pair in pairs if pair not in _PASSES]
    if len(moves) > MOVES_MAX:
        raise ValueError(f"a game has at most {MOVES_MAX} moves, not {len(moves)}")
    boards = boards_of(moves, start)
    _check_passes(pairs, boards)
    return moves


def _pairs(text: str) -> list[str]:
    """Cut a transcript into squares and passes."""
    words = "".join(_NUMBER.sub("", _SEPARATOR.sub(" ", text)).split())
    signs = _DASHES.sub(lambda dashes: "" if dashes[0] == "-" else "--", words)
    pairs: list[str] = []
    at = 0
    while at < len(signs):
        pair = _PAIR.match(signs, at)
        if pair is None:
            following = _PAIR.search(signs, at)
            found = signs[at : None if following is None else following.end()][:_SHOWN_CHARACTERS]
            number = sum(each not in _PASSES for each in pairs) + 1
            raise ValueError(f"move {number} ({found}): a transcript is squares such as f5d6c3")
        pairs.append(pair[0])
        at = pair.end()
    return pairs


def _check_passes(pairs: list[str], boards: list[OthelloBoard]) -> None:
    """A pass that is written stands where the side to move changes by it."""
    played = 0
    for pair in pairs:
        if pair not in _PASSES:
            played += 1
            continue
        before = boards[played - 1] if played else None
        if before is None or before.to_move != boards[played].to_move:
            raise ValueError(f"{pair!r} after {played} moves: {boards[played].to_move} can move")


def to_transcript(moves: Iterable[str]) -> str:
    """Write moves as a transcript; passes are not among them."""
    return "".join(moves)
