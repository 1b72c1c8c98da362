"""`manyply search chess`: the best moves of one position, by the fast search on this machine.

Knows options and layout; the searching is the engine's.
"""

from __future__ import annotations

import os
import re
import sys

import click

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fast.search import DEPTH_MAX
from engine_ext.chess.fast.table import BYTES_MAX, BYTES_MIN, FastTable
from engine_ext.chess.fen import START
from master.cli.arguments import (
    CountType,
    board_option,
    is_board_shown,
    json_option,
    read_seconds,
    reads,
)
from master.cli.chess.arguments import to_chess_board
from master.cli.chess.figurines import drawing
from master.cli.chess.search_watch import Watched, watched
from master.cli.errors import CommandError, ExitCode
from master.cli.output import echo, echo_json, echo_notice
from master.cli.styled import echo_drawing
from master.cli.terminal import is_terminal
from master.games.chess.board_view import ChessScene
from master.games.chess.search_report import ChessAnswer, answer_lines, answer_object
from master.games.chess.threaded_search import LINES_MAX, NODES_MAX, THREADS_MAX, ChessQuestion

SECONDS_DEFAULT = 5.0

HASH_DEFAULT = "64M"

_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def read_hash(text: str) -> int:
    """Return the bytes of a table: `64M`, `2G`; ValueError for what is none."""
    found = re.fullmatch("([0-9]{1,9})([KMG])B?", text, re.IGNORECASE)
    byte_count = int(found[1]) * _UNITS[found[2].upper()] if found else 0
    if not BYTES_MIN <= byte_count <= BYTES_MAX:
        raise ValueError(f"expected 4K to 64G, such as {HASH_DEFAULT}, not {text!r}")
    return byte_count


def table_of(byte_count: int) -> FastTable:
    """Return a table; CommandError where there is not so much memory."""
    try:
        return FastTable(byte_count)
    except MemoryError as error:
        raise CommandError(f"no memory for --hash of {byte_count >> 20}M") from error


@click.command("chess", short_help="Best moves and lines of a chess position.")
@click.argument("arguments", metavar="[FEN]", nargs=-1)
@click.option(
    "--depth", type=CountType(1, DEPTH_MAX), metavar="N", help="Plies to look ahead, and further "
    "where it matters.",
)  # fmt: skip
@click.option(
    "--time", "--seconds", "seconds", metavar="S", callback=reads(read_seconds),
    help=f"Seconds to search.  [default: {SECONDS_DEFAULT:g}, unless --depth or --nodes is given]",
)  # fmt: skip
@click.option(
    "--nodes", type=CountType(1, NODES_MAX), metavar="N", help="Positions to visit, about.",
)  # fmt: skip
@click.option(
    "--lines", "line_count", type=CountType(1, LINES_MAX), metavar="N", default=1,
    show_default=True, help="How many of the best moves.",
)  # fmt: skip
@click.option(
    "--threads", "thread_count", type=CountType(1, THREADS_MAX), metavar="N",
    help="Threads that search.  [default: all cores]",
)  # fmt: skip
@click.option(
    "--hash", "byte_count", metavar="SIZE", callback=reads(read_hash), default=HASH_DEFAULT,
    show_default=True, help="Memory of positions that were searched before.",
)  # fmt: skip
@json_option
@board_option
def search_chess(
    arguments: tuple[str, ...],
    depth: int | None,
    seconds: float | None,
    nodes: int | None,
    line_count: int,
    thread_count: int | None,
    byte_count: int,
    is_json: bool,
    board: bool | None,
) -> None:
    """Search FEN, or the start position, for the best moves; what is reached first ends it.

    FEN: a position, in quotes or not; its last two words may be left out. Castling may be written
    as in Chess960 (HAha).

    Values are pawns for the side to move.  The search is a fast one: it cuts off what is probably
    no better, and with threads or against the clock it may find something else another time.
    Ctrl-C ends it with what is known by then.
    """
    position = to_chess_board(arguments or (START,))
    if not is_json and is_board_shown(board, is_terminal=is_terminal(sys.stdout)):
        show_chess_board(position)
    if not position.move_count:
        _show(ChessAnswer(position, None), is_json=is_json)
        return
    limit_s = seconds
    if depth is None and seconds is None and nodes is None:
        limit_s = SECONDS_DEFAULT
    threads = thread_count or min(len(os.sched_getaffinity(0)), THREADS_MAX)
    question = ChessQuestion(
        position, depth=depth or DEPTH_MAX, nodes=nodes or 0, line_count=line_count,
        thread_count=threads,
    )  # fmt: skip
    found = watched(question, table_of(byte_count), limit_s)
    _show(found.answer, is_json=is_json)
    _end(found)


def show_chess_board(board: ChessBoard) -> None:
    """Draw a position; the side to move is at the bottom."""
    echo_drawing(drawing(ChessScene(board, is_flipped=board.is_black)))


def _show(answer: ChessAnswer, *, is_json: bool) -> None:
    if is_json:
        echo_json(answer_object(answer))
    else:
        echo("\n".join(answer_lines(answer)))


def _end(found: Watched) -> None:
    """Leave as a command that was interrupted does, if this one was."""
    if found.is_interrupted:
        echo_notice("interrupted: that is what was known by then")
        raise SystemExit(ExitCode.INTERRUPTED)
