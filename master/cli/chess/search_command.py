"""`manyply search chess`: the best moves of one position, fast here or reproducibly by a fleet."""

from __future__ import annotations

import os
import re
import sys
import time

import click

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.exact.position import GameBefore
from engine_ext.chess.fast.search import DEPTH_MAX
from engine_ext.chess.fast.table import BYTES_MAX, BYTES_MIN, FastTable
from engine_ext.chess.fen import START
from engine_ext.chess.parts.answer import DEPTH_MAX as EXACT_DEPTH_MAX
from engine_ext.chess.parts.answer import DEPTH_MIN, ExactAnswer, ExactQuestion
from engine_ext.chess.parts.shared_table import TABLE_BYTES
from engine_ext.search.table import KeyedTable
from master.cli.arguments import (
    CountType,
    board_option,
    is_board_shown,
    json_option,
    read_seconds,
    reads,
)
from master.cli.chess.arguments import (
    engine_option,
    engine_text,
    syzygy_option,
    to_chess_board,
)
from master.cli.chess.engine_search import UNLIMITED_S, EngineLimits, search_by_engine
from master.cli.chess.search_watch import watched
from master.cli.errors import CommandError, ExitCode
from master.cli.output import echo, echo_drawing, echo_json, echo_notice, screen
from master.cli.place import Place, place_options, trust_option
from master.cli.terminal import is_terminal
from master.games.chess.board_view import draw_board
from master.games.chess.exact_report import DEPTH_DEFAULT, search_request
from master.games.chess.exact_report import MODE as REPRODUCIBLE
from master.games.chess.exact_report import answer_lines as answer_lines_of
from master.games.chess.exact_report import answer_object as answer_object_of
from master.games.chess.search_report import MODE as FAST
from master.games.chess.search_report import (
    ChessAnswer,
    answer_lines,
    answer_object,
    engine_answer_lines,
    engine_answer_object,
)
from master.games.chess.threaded_search import LINES_MAX, NODES_MAX, THREADS_MAX, ChessQuestion
from master.reports.job_result import answered_report
from master.search.strategies import OURS, STRATEGIES
from protocol.guards.renamed_option import renamed_option

SECONDS_DEFAULT = 5.0

HASH_DEFAULT = "64M"

SEQUENTIAL = "sequential"

_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def read_hash(text: str) -> int:
    """Return the bytes of a table: `64M`, `2G`; ValueError if the text is no size."""
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
@renamed_option(
    "--plies", "depth", old=["--depth"], type=CountType(1, DEPTH_MAX), metavar="N",
    help="Plies to look ahead, and further where it matters.",
)  # fmt: skip
@renamed_option(
    "--seconds", "seconds", old=["--time"], metavar="S", callback=reads(read_seconds),
    help=f"Seconds to search.  [default: {SECONDS_DEFAULT:g}, unless --plies or --nodes is given]",
)  # fmt: skip
@click.option(
    "--nodes", type=CountType(1, NODES_MAX), metavar="N",
    help="Number of positions to search, about.",
)  # fmt: skip
@click.option(
    "--lines", "line_count", type=CountType(1, LINES_MAX), metavar="N", default=1,
    show_default=True, help="Number of best moves to print.",
)  # fmt: skip
@click.option(
    "--threads", "thread_count", type=CountType(1, THREADS_MAX), metavar="N", hidden=True,
)  # fmt: skip
@click.option(
    "--hash", "byte_count", metavar="SIZE", callback=reads(read_hash), default=HASH_DEFAULT,
    show_default=True, help="Memory for positions searched before.",
)  # fmt: skip
@click.option(
    "--mode", type=click.Choice([FAST, REPRODUCIBLE]),
    help=f"{REPRODUCIBLE}: value and move depend only on the position and --plies. "
    f"{FAST}: the strongest play on this machine, by --workers N threads.  [default: {FAST}, but "
    f"{REPRODUCIBLE} with --workers, analysers or a master]",
)  # fmt: skip
@click.option(
    "--strategy", type=click.Choice([SEQUENTIAL, *STRATEGIES]), metavar="NAME",
    help=f"How a {REPRODUCIBLE} search is done: {SEQUENTIAL} by one thread, or how cores and "
    f"analysers share the work: {', '.join(STRATEGIES)}.  [default: {OURS.name}]",
)  # fmt: skip
@engine_option
@syzygy_option
@trust_option
@place_options
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
    mode: str | None,
    strategy: str | None,
    engine: str | None,
    syzygy: str | None,
    is_trusting: bool,
    place: Place,
    is_json: bool,
    board: bool | None,
) -> None:
    """Search FEN, or the start position, for the best moves; the first limit reached ends it.

    FEN: a position, in quotes or not; its last two words may be left out. Castling may be written
    as in Chess960 (HAha).

    Values are pawns for the side to move.  A fast search cuts off moves that are probably no
    better, and with threads or against the clock it may find something else another time; Ctrl-C
    ends it with its result so far.  A reproducible one to --plies is a job of all cores, of all
    --analyser or of a master's fleet: value and move are the same, also when analysers crash, and
    after Ctrl-C `manyply resume` goes on.

    With --engine another engine searches, such as uci:stockfish: here, or on analysers that have
    it, --lines on several at once. Each line takes one thread; --nodes and --plies count for
    each, and find the same every time.
    """
    position = to_chess_board(arguments or (START,))
    is_placed = place.is_here or place.master is not None
    if (chosen := engine_text(engine, syzygy)) is not None:
        _refuse("another engine has options of its own, such as uci:stockfish,Hash=64",
                ("--mode", mode), ("--threads", thread_count), ("--strategy", strategy),
                ("--trust", is_trusting))  # fmt: skip
        limit_s = seconds
        if depth is None and seconds is None and nodes is None:
            limit_s = SECONDS_DEFAULT
        limits = EngineLimits(UNLIMITED_S if limit_s is None else limit_s, nodes, depth, line_count)
        _search_by_engine(position, chosen, limits, place, is_json=is_json, board=board)
        return
    if (mode or (REPRODUCIBLE if is_placed or strategy else FAST)) == REPRODUCIBLE:
        why = f"a {REPRODUCIBLE} search takes --plies alone"
        _refuse(why, ("--seconds", seconds), ("--nodes", nodes), ("--threads", thread_count),
                ("--lines", line_count > 1))  # fmt: skip
        if strategy == SEQUENTIAL and is_placed:
            raise click.UsageError(f"one thread searches {SEQUENTIAL}: name nobody else")
        _search_reproducibly(position, depth, strategy, place, is_trusting, is_json, board)
        return
    is_elsewhere = place.analysers or place.fleets or place.master is not None
    _refuse(f"a {FAST} search is made here", ("--analyser, --fleet or --master", is_elsewhere),
            ("--strategy", strategy), ("--trust", is_trusting))  # fmt: skip
    if not is_json and is_board_shown(board, is_terminal=is_terminal(sys.stdout)):
        echo_drawing(draw_board(position, screen()))
    if not position.move_count:
        _show(ChessAnswer(position, None), is_json=is_json)
        return
    limit_s = seconds
    if depth is None and seconds is None and nodes is None:
        limit_s = SECONDS_DEFAULT
    threads = thread_count or place.local or min(len(os.sched_getaffinity(0)), THREADS_MAX)
    question = ChessQuestion(
        position, depth=depth or DEPTH_MAX, nodes=nodes or 0, line_count=line_count,
        thread_count=threads,
    )  # fmt: skip
    found = watched(question, table_of(byte_count), limit_s)
    _show(found.answer, is_json=is_json)
    _end(found.is_interrupted)


def _search_by_engine(
    position: ChessBoard, engine: str, limits: EngineLimits, place: Place, *, is_json: bool,
    board: bool | None,
) -> None:  # fmt: skip
    """Search by another engine, and show the result."""
    if not is_json and is_board_shown(board, is_terminal=is_terminal(sys.stdout)):
        echo_drawing(draw_board(position, screen()))
    if not position.move_count:
        _show(ChessAnswer(position, None), is_json=is_json)
        return
    answer, is_interrupted = search_by_engine(position, engine, limits, place, is_quiet=is_json)
    if is_json:
        echo_json(engine_answer_object(answer))
    else:
        echo("\n".join(engine_answer_lines(answer)))
    _end(is_interrupted)


def _refuse(why: str, *given: tuple[str, object]) -> None:
    """Raise UsageError for an option that does not go with the mode."""
    for name, value in given:
        if value:
            raise click.UsageError(f"{why}: leave out {name}")


def _search_reproducibly(
    position: ChessBoard, depth: int | None, strategy: str | None, place: Place,
    is_trusting: bool, is_json: bool, board: bool | None,
) -> None:  # fmt: skip
    """Search to a depth, here or by a fleet, and show the result."""
    plies = DEPTH_DEFAULT if depth is None else depth
    if not DEPTH_MIN <= plies <= EXACT_DEPTH_MAX:
        raise click.BadParameter(
            f"a {REPRODUCIBLE} search is {DEPTH_MIN} to {EXACT_DEPTH_MAX} plies deep, not {plies}",
            param_hint="'--plies'",
        )
    if not is_json and is_board_shown(board, is_terminal=is_terminal(sys.stdout)):
        echo_drawing(draw_board(position, screen()))
    if not position.move_count:
        _show(ChessAnswer(position, None), is_json=is_json)
        return
    question = ExactQuestion(position, GameBefore.of_game([position]), plies)
    started = time.perf_counter()
    if strategy == SEQUENTIAL:
        found, job = _alone(question), None
    else:
        from master.cli.chess.search_fleet import search_together  # loads both daemons

        chosen = STRATEGIES[strategy or OURS.name]
        found, job = search_together(place, question, chosen, is_trusting)
    seconds = time.perf_counter() - started
    name = SEQUENTIAL if job is None else strategy or OURS.name
    if is_json:
        answer = answer_object_of(question, name, found, seconds)
        echo_json(answered_report(search_request(question, name, is_trusting), answer, job))
    else:
        echo("\n".join(answer_lines_of(question, found, seconds)))


def _alone(question: ExactQuestion) -> ExactAnswer:
    from master.cli.chess.search_fleet import search_alone  # as above

    try:
        found = search_alone(question, KeyedTable(TABLE_BYTES))
    except KeyboardInterrupt:
        echo_notice("interrupted: a reproducible search has no answer before its end")
        raise SystemExit(ExitCode.INTERRUPTED) from None
    assert found is not None, "there is no limit"
    return found


def _show(answer: ChessAnswer, *, is_json: bool) -> None:
    if is_json:
        echo_json(answer_object(answer))
    else:
        echo("\n".join(answer_lines(answer)))


def _end(is_interrupted: bool) -> None:
    """Leave as a command that was interrupted does, if this one was."""
    if is_interrupted:
        echo_notice("interrupted: that is what was known by then")
        raise SystemExit(ExitCode.INTERRUPTED)
