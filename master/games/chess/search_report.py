"""The report of a chess search: values and lines for people, and the result as an object.

Prints nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fen import is_chess960, write_fen
from master.games.chess.probe_rounds import FoundLine, usual_words
from master.games.chess.san import line_san, numbered
from master.games.chess.threaded_search import ChessLine, ChessStatus, mate_moves, value_text
from master.reports.report import Report

MODE = "fast"
"""The answer of such a search depends on the other load of the machine."""

LINES_COLUMN = 14
"""Where lines begin: a rank, and `mated in 50`."""


@dataclass(frozen=True, slots=True)
class ChessAnswer:
    """The result of a search.

    Args:
        board: the position.
        status: the state of the search; None: the position has no legal move.
        nodes: visited by all threads.
        seconds: its duration.
        thread_count: the number of threads.
    """

    board: ChessBoard
    status: ChessStatus | None
    nodes: int = 0
    seconds: float = 0.0
    thread_count: int = 0

    @property
    def lines(self) -> tuple[ChessLine, ...]:
        """The best moves, the best first."""
        return () if self.status is None else self.status.lines


def side_name(board: ChessBoard) -> str:
    """Return the name of the side to move."""
    return "Black" if board.is_black else "White"


def over_text(board: ChessBoard) -> str:
    """Return the end of a game without a legal move as text; empty: there is a legal move."""
    if board.move_count:
        return ""
    side = side_name(board)
    return f"{side} is mated." if board.is_check else f"{side} has no move: stalemate, a draw."


def line_text(board: ChessBoard, moves: tuple[str, ...]) -> str:
    """Return a line in UCI's notation as SAN: `3. Nf3 Nc6 4. Bb5`."""
    return numbered(line_san(board, moves), board.move_number, is_black=board.is_black)


def answer_object(answer: ChessAnswer) -> Report:
    """Return the answer as an object with stable keys."""
    board, status = answer.board, answer.status
    over = None if status else "checkmate" if board.is_check else "stalemate"
    return {
        "fen": write_fen(board, is_chess960(board)),
        "mode": MODE,
        "over": over,
        "depth": status.depth if status else 0,
        "selective_depth": status.selective_depth if status else 0,
        "lines": [line_object(board, line) for line in answer.lines],
        "nodes": answer.nodes,
        "seconds": answer.seconds,
        "threads": answer.thread_count,
    }


def line_object(board: ChessBoard, line: ChessLine) -> Report:
    """Return a line as an object."""
    mate = mate_moves(line.value)
    return {
        "move": line.moves[0],
        "centipawns": line.value if mate is None else None,
        "mate": mate,
        "pv": list(line.moves),
        "pv_san": line_san(board, line.moves),
    }


def answer_lines(answer: ChessAnswer) -> list[str]:
    """Return the answer for people: the position's value, the lines, and the effort."""
    board, status = answer.board, answer.status
    if status is None:
        return [over_text(board)]
    value = value_text(status.lines[0].value)
    unit = "" if mate_moves(status.lines[0].value) is not None else " pawns"
    reached = f"depth {status.depth}, at most {status.selective_depth}"
    said = [f"{side_name(board)} to move: {value}{unit} ({MODE}, {reached})"]
    if len(status.lines) == 1:
        said.append(f"best line: {line_text(board, status.lines[0].moves)}")
    else:
        said += ranked_lines(board, status.lines)
    threads = "1 thread" if answer.thread_count == 1 else f"{answer.thread_count} threads"
    return [*said, f"{effort_text(answer.nodes, answer.seconds, digits=2)}, {threads}"]


def ranked_lines(board: ChessBoard, lines: tuple[ChessLine, ...]) -> list[str]:
    """Return lines of moves with their ranks and values."""
    return [
        f"{rank:>2}. {value_text(line.value):>{LINES_COLUMN - 4}}  {line_text(board, line.moves)}"
        for rank, line in enumerate(lines, 1)
    ]


def effort_text(nodes: int, seconds: float, digits: int = 0) -> str:
    """Return the number of nodes, the speed and the time."""
    speed = f"{nodes / seconds / 1e6:.1f} M/s, " if seconds > 0 else ""
    return f"{nodes:,} nodes, {speed}{seconds:.{digits}f} s"


def status_line(board: ChessBoard, status: ChessStatus | None, effort: str) -> str:
    """Return the state of a search on one line; the part that may be cut off comes last."""
    if status is None or not status.depth:
        return f"depth 1, {effort}"
    best = status.lines[0]
    line = line_text(board, best.moves)
    return f"depth {status.depth}, {value_text(best.value)}, {effort}: {line}"


ENGINE_MODE = "engine"
"""A search by another engine: its nodes are the same each time, not its time."""


@dataclass(frozen=True, slots=True)
class EngineAnswer:
    """The result of a search by another engine.

    Args:
        board: the position; a move is legal in it.
        engine: digest of the engine.
        name: of the engine, for people.
        lines: the best moves, the best first.
        nodes: visited by all probes.
        seconds: its duration.
    """

    board: ChessBoard
    engine: str
    name: str
    lines: tuple[FoundLine, ...]
    nodes: int
    seconds: float


def engine_answer_object(answer: EngineAnswer) -> Report:
    """Return the answer of another engine as an object with stable keys."""
    return {
        "fen": write_fen(answer.board, is_chess960(answer.board)),
        "mode": ENGINE_MODE,
        "engine": answer.engine,
        "engine_name": answer.name,
        "over": None,
        "depth": answer.lines[0].depth if answer.lines else 0,
        "lines": [_found_object(answer.board, line) for line in answer.lines],
        "nodes": answer.nodes,
        "seconds": answer.seconds,
    }


def _found_object(board: ChessBoard, line: FoundLine) -> Report:
    mate = None if line.value is None else mate_moves(line.value)
    moves = line.moves if is_chess960(board) else usual_words(board, line.moves)
    return {
        "move": moves[0],
        "centipawns": line.value if mate is None else None,
        "mate": mate,
        "depth": line.depth,
        "pv": list(moves),
        "pv_san": line_san(board, line.moves),
    }


def found_value_text(value: int | None) -> str:
    """Return a value of another engine as `value_text` does; a dash for an unknown one."""
    return "-" if value is None else value_text(value)


def engine_answer_lines(answer: EngineAnswer) -> list[str]:
    """Return the answer of another engine for people."""
    board, best = answer.board, answer.lines[0]
    is_pawns = best.value is not None and mate_moves(best.value) is None
    value = f"{found_value_text(best.value)}{' pawns' if is_pawns else ''}"
    said = [f"{side_name(board)} to move: {value} ({answer.name}, depth {best.depth})"]
    if len(answer.lines) == 1:
        said.append(f"best line: {line_text(board, best.moves)}")
    else:
        said += [
            f"{rank:>2}. {found_value_text(line.value):>{LINES_COLUMN - 4}}  "
            f"{line_text(board, line.moves)}"
            for rank, line in enumerate(answer.lines, 1)
        ]
    return [*said, effort_text(answer.nodes, answer.seconds, digits=2)]
