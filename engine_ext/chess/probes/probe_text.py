"""The text form of looks at chess positions: questions and answers.

There are two kinds of line:

* `chess-look/1 engine=DIGEST start=FEN moves=e2e4,e7e5 nodes=N lines=K`: FEN's spaces are `_`;
  the position is the one after the moves, in UCI's words, castling by the rook's square.  With
  ` depth=D` at the end the search ends after the iteration of depth D, if the nodes last so long.
* `nodes=N depth=D lines=VALUE:e2e4.e7e5,...`: the best moves, the best first, each with the line
  that follows; VALUE is in centipawns for the side to move, `#3` is mate in three moves, `#-3`
  being mated in three, `?` means that the engine sent no value: the position is unscored.
  `lines=?` means no lines: the engine sent no legal move.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fen import read_fen, write_fen
from engine_ext.search.part_text import bad_text

KIND = "chess-look/1"
"""The first word of a look."""

NODES_MAX = 10**10
"""Hours of one core."""

LINES_MAX = 50

DEPTH_MAX = 100
"""Deeper searches are of no use, and own searches end there."""

MOVES_MAX = 1_000
"""Since the last move that cannot be taken back: the fifty-move rule leaves a hundred or so."""

LINE_MOVES_MAX = 12
"""Of a line: people read no more, and fifty lines have room in an answer."""

_WORD = "[a-h][1-8][a-h][1-8][nbrq]?"
_QUESTION = re.compile(
    rf"{KIND} engine=([0-9a-f]{{16}}) start=([^ ]{{1,128}}) moves=((?:{_WORD}(?:,{_WORD})*)?)"
    r" nodes=([0-9]{1,11}) lines=([0-9]{1,2})(?: depth=([0-9]{1,3}))?"
)
_ANSWER = re.compile(r"nodes=([0-9]{1,19}) depth=([0-9]{1,3}) lines=([^ ]*)")
_LINE = re.compile(rf"(?:(#?)(-?[0-9]{{1,5}})|\?):({_WORD}(?:\.{_WORD})*)")

UNTOLD = "?"
"""Replaces a value, or all lines, that an engine did not send."""


class ProbeAnswerError(ValueError):
    """A text that is no answer; the text of the error says why in one sentence."""


@dataclass(frozen=True, slots=True)
class ProbeQuestion:
    """A look's question.

    Args:
        engine: digest of the engine that may answer.
        boards: of the game, the oldest first; the last one is looked at, and has a legal move.
        moves: that lead from each board to the next one.
        nodes: to visit, about; 1 to NODES_MAX.
        line_count: how many of the best moves are wanted; 1 to LINES_MAX.
        depth: of the last iteration, 1 to DEPTH_MAX; 0: the nodes alone end the search.
    """

    engine: str
    boards: tuple[ChessBoard, ...]
    moves: tuple[str, ...]
    nodes: int
    line_count: int = 1
    depth: int = 0

    def to_text(self) -> str:
        """Return the text, which begins at the last move that cannot be taken back."""
        first = max(
            place for place, board in enumerate(self.boards) if not place or not board.clock
        )
        start = write_fen(self.boards[first], is_chess960=True).replace(" ", "_")
        depth = f" depth={self.depth}" if self.depth else ""
        return (
            f"{KIND} engine={self.engine} start={start} moves={','.join(self.moves[first:])}"
            f" nodes={self.nodes} lines={self.line_count}{depth}"
        )

    @classmethod
    def from_text(cls, text: str) -> ProbeQuestion:
        """Return the question of a text.

        Raises:
            ContextError: `bad-context`, with one sentence that names the error.
        """
        match = _QUESTION.fullmatch(text)
        if match is None:
            raise bad_text(f"expected '{KIND} engine=DIGEST start=FEN moves=... nodes=N lines=K'")
        engine, start, words, nodes, lines, depth = match.groups()
        moves = tuple(words.split(",")) if words else ()
        if len(moves) > MOVES_MAX:
            raise bad_text(f"expected at most {MOVES_MAX} moves")
        try:
            boards = [read_fen(start.replace("_", " "))]
            for move in moves:
                boards.append(boards[-1].play(move))
        except ValueError as error:
            raise bad_text(str(error)) from None
        if not boards[-1].move_count:
            raise bad_text("expected a position in which somebody can move")
        if not 1 <= int(nodes) <= NODES_MAX or not 1 <= int(lines) <= LINES_MAX:
            raise bad_text(f"expected 1 to {NODES_MAX} nodes and 1 to {LINES_MAX} lines")
        if depth is not None and not 1 <= int(depth) <= DEPTH_MAX:
            raise bad_text(f"expected a depth of 1 to {DEPTH_MAX}")
        found = cls(engine, tuple(boards), moves, int(nodes), int(lines), int(depth or 0))
        if found.to_text() != text:
            raise bad_text("expected numbers and positions in their shortest form")
        return found


@dataclass(frozen=True, slots=True)
class ProbeValue:
    """The value of a position.

    Args:
        number: centipawns; of a mate the moves to it, below zero for the side that is mated.
        is_mate: whether the number counts moves to mate.
    """

    number: int
    is_mate: bool = False

    def to_text(self) -> str:
        """Return the canonical text."""
        return f"#{self.number}" if self.is_mate else str(self.number)


@dataclass(frozen=True, slots=True)
class ProbeLine:
    """A good move, and the line that follows it.

    Args:
        value: for the side to move; None: the engine sent none.
        moves: in UCI's words, that move first.
    """

    value: ProbeValue | None
    moves: tuple[str, ...]

    def to_text(self) -> str:
        """Return the canonical text."""
        value = UNTOLD if self.value is None else self.value.to_text()
        return f"{value}:{'.'.join(self.moves[:LINE_MOVES_MAX])}"


@dataclass(frozen=True, slots=True)
class ProbeAnswer:
    """A look's answer.

    Args:
        nodes: positions visited.
        depth: of the last finished iteration.
        lines: the best first; none if the engine sent no move.
    """

    nodes: int
    depth: int
    lines: tuple[ProbeLine, ...]

    def to_text(self) -> str:
        """Return the canonical text."""
        lines = ",".join(line.to_text() for line in self.lines) or UNTOLD
        return f"nodes={self.nodes} depth={self.depth} lines={lines}"

    @classmethod
    def from_text(cls, text: str) -> ProbeAnswer:
        """Return the answer of a text; whether it is true is not to be seen here.

        Raises:
            ProbeAnswerError: it is the canonical text of no answer.
        """
        match = _ANSWER.fullmatch(text)
        if match is None:
            raise ProbeAnswerError("expected nodes=N depth=D lines=VALUE:MOVES,...")
        words = () if match[3] == UNTOLD else match[3].split(",")
        lines = tuple(map(_read_line, words))
        found = cls(int(match[1]), int(match[2]), lines)
        if found.to_text() != text:
            raise ProbeAnswerError("expected numbers in their shortest form")
        return found


def _read_line(word: str) -> ProbeLine:
    match = _LINE.fullmatch(word)
    if match is None:
        raise ProbeAnswerError(f"expected a line VALUE:e2e4.e7e5, not {word[:40]!r}")
    value = None if match[2] is None else ProbeValue(int(match[2]), bool(match[1]))
    return ProbeLine(value, tuple(match[3].split(".")))
