"""The UCI engine's lines about a search: `info` and `bestmove`.

Values are centipawns for the side to move, as in the protocol; near MATE_VALUE they mean a mate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from master.games.chess.threaded_search import mate_moves

TEXT_CHARACTERS_MAX = 300
"""Boards show a message on a line or two."""

EVEN_CP = 130.0
"""With this advantage a side wins half of its games."""

SPREAD_CP = 70.0
"""The logistic curve's width.  Both are set by hand, and no games were counted for them."""

Line = tuple[int | None, tuple[str, ...]]
"""A value in centipawns, None if the engine gave none, and the moves in UCI words."""


@dataclass(frozen=True, slots=True)
class Effort:
    """The effort of a search so far.

    Args:
        nodes: of all threads.
        elapsed_s: seconds.
        fill: of the table, 0 to 1.
    """

    nodes: int
    elapsed_s: float
    fill: float


@dataclass(frozen=True, slots=True)
class Iteration:
    """The result of an iteration, finished or interrupted.

    Args:
        depth: plies.
        selective_depth: plies of the longest line searched.
        lines: best first.
    """

    depth: int
    selective_depth: int
    lines: tuple[Line, ...]


def score_text(value: int) -> str:
    """Return a value as `cp 13` or `mate -2`."""
    moves = mate_moves(value)
    return f"cp {value}" if moves is None else f"mate {moves}"


def wdl_of(value: int) -> tuple[int, int, int]:
    """Return wins, draws and losses of a thousand games, by a logistic model; the sum is 1000.

    A side wins 1 / (1 + exp((EVEN_CP - value) / SPREAD_CP)) of its games, the other side likewise
    of its own value; the rest is drawn.
    """
    if mate_moves(value) is not None:
        return (1000, 0, 0) if value > 0 else (0, 0, 1000)
    win, loss = _won(value), _won(-value)
    return win, 1000 - win - loss, loss


def _won(value: int) -> int:
    return int(1000 / (1 + exp(min((EVEN_CP - value) / SPREAD_CP, 100.0))))


def iteration_lines(
    iteration: Iteration, effort: Effort, *, is_wdl_shown: bool = False
) -> list[str]:
    """Return the lines about an iteration, one for each line of moves."""
    spent = effort_text(effort)
    lines = []
    for number, (value, moves) in enumerate(iteration.lines, start=1):
        score = "" if value is None else f"score {score_text(value)} "
        if is_wdl_shown and value is not None:
            score += "wdl {} {} {} ".format(*wdl_of(value))
        lines.append(
            f"info depth {iteration.depth} seldepth {iteration.selective_depth} multipv {number} "
            f"{score}{spent} pv {' '.join(moves)}"
        )
    return lines


def effort_text(effort: Effort) -> str:
    """Return nodes, their rate, the table's fill per mille and milliseconds."""
    rate = int(effort.nodes / max(effort.elapsed_s, 0.001))
    return (
        f"nodes {effort.nodes} nps {rate} hashfull {int(1000 * effort.fill)} "
        f"time {int(1000 * effort.elapsed_s)}"
    )


def status_lines(depth: int, move: tuple[str, int] | None, effort: Effort) -> list[str]:
    """Return the lines to send in the middle of an iteration."""
    lines = [f"info {effort_text(effort)}"]
    if move is not None:
        lines.append(f"info depth {depth} currmove {move[0]} currmovenumber {move[1]}")
    return lines


def best_move_line(moves: Sequence[str]) -> str:
    """Return the answer: a line's first move, and the move to ponder on.

    Without a move it is `(none)`, as from Stockfish: libraries read `0000` as a null move.
    """
    ponder = f" ponder {moves[1]}" if len(moves) > 1 else ""
    return f"bestmove {moves[0] if moves else '(none)'}{ponder}"


def message(text: str) -> str:
    """Return a line for people, always short and printable."""
    shown = "".join(sign if " " <= sign <= "~" else "?" for sign in text)
    return f"info string {shown[:TEXT_CHARACTERS_MAX]}"
