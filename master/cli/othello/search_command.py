"""`manyply search`: one position, to a requested depth."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from functools import partial

import click

from engine_ext.othello.answer import BoardAnswer, BoardQuestion
from engine_ext.othello.search import ALGORITHMS, MODES
from master.cli.arguments import CountType, board_option, is_board_shown, json_option
from master.cli.errors import CommandError, ExitCode
from master.cli.othello.arguments import to_othello_record
from master.cli.othello.search_alone import Alone, watched
from master.cli.output import echo, echo_drawing, echo_json
from master.cli.place import Place, place_options, trust_option
from master.cli.terminal import is_terminal, terminal_width
from master.games.othello.board_view import draw_board
from master.games.othello.level import DEPTH_DEFAULT, DEPTH_MAX
from master.games.othello.record import opening_name, position_of
from master.games.othello.search_report import answer_lines, answer_object, search_request
from master.reports.job_result import answered_report
from master.search.strategies import OURS, STRATEGIES
from protocol.guards.renamed_option import renamed_option

SEQUENTIAL = "sequential"


@click.command(
    "othello",
    short_help="Value and best move of an Othello board.",
    # Most boards begin with `-`, which is no option.
    context_settings={"ignore_unknown_options": True},
)
@click.argument("arguments", metavar="BOARD", nargs=-1)
@renamed_option(
    "--plies", "depth", old=["--depth"], type=CountType(1, DEPTH_MAX), metavar="N",
    help=f"Moves to look ahead.  [default: {DEPTH_DEFAULT}]",
)  # fmt: skip
@click.option("--solve", "is_solved", is_flag=True, help="Search to the end of the game.")
@click.option("--all-moves", "is_every_move_asked", is_flag=True, help="Value every legal move.")
@click.option(
    "--algorithm", type=click.Choice(ALGORITHMS), default=ALGORITHMS[0], show_default=True,
    help="How a depth is searched; the value is the same.",
)  # fmt: skip
@click.option(
    "--mode", type=click.Choice(MODES), default=MODES[0], show_default=True,
    help="fast: cut off moves that are probably no better; several times faster, the value may "
    "differ. With --solve the value is exact all the same, the move any of the best ones.",
)  # fmt: skip
@click.option(
    "--strategy", type=click.Choice([SEQUENTIAL, *STRATEGIES]), metavar="NAME",
    help=f"How it is searched: {SEQUENTIAL} by one thread, or how cores and analysers share the "
    f"work: {', '.join(STRATEGIES)}.  "
    f"[default: {OURS.name}, but {SEQUENTIAL} for searches that cannot be shared]",
)  # fmt: skip
@trust_option
@place_options
@json_option
@board_option
def search_othello(
    arguments: tuple[str, ...],
    depth: int | None,
    is_solved: bool,
    is_every_move_asked: bool,
    algorithm: str,
    mode: str,
    strategy: str | None,
    is_trusting: bool,
    place: Place,
    is_json: bool,
    board: bool | None,
) -> None:
    """Search BOARD: 64 characters X, O and - from a1, b1, ... on, then the side to move.

    BOARD may also be a transcript such as f5d6c3, a game in GGF in quotes (its last position), or
    an endgame of the FFO suite such as FFO40.

    Values are discs for the side to move: whole ones are exact, those with two decimals are an
    evaluation of the best play within the depth.

    One thread begins alone; a search longer than a moment is a job of all cores, and of all
    --analyser, together, or of a master's fleet: the value and the best move are the same, also
    when analysers crash.  Ctrl-C stops it, and `manyply resume` goes on from the values that are
    proved.  Strategies: manyply splits the parts that others wait for; nb0amg and par...
    are published ones, to be compared; where par moves work from one machine to another, its parts
    are stopped and split instead.
    """
    if depth is not None and is_solved:
        raise click.UsageError("give --plies or --solve, not both")
    record = to_othello_record(arguments)
    position, opening = position_of(record), opening_name(record.game)
    if is_solved:
        depth = DEPTH_MAX
    question = BoardQuestion(position, depth or DEPTH_DEFAULT, algorithm, mode, is_every_move_asked)
    strategy = _chosen(strategy, place, question)
    if not is_json and is_board_shown(board, is_terminal=is_terminal(sys.stdout)):
        echo_drawing(draw_board(position, terminal_width()))
    started = time.perf_counter()
    by_fleet = partial(_by_fleet, question, strategy, place, is_trusting)
    found, strategy, job = _searched(question, strategy, place, by_fleet)
    seconds = time.perf_counter() - started
    if is_json:
        named = {} if opening is None else {"opening": opening}
        answer = {**answer_object(question, strategy, found, seconds), **named}
        echo_json(answered_report(search_request(question, strategy, is_trusting), answer, job))
    else:
        if opening is not None:
            echo(f"opening: {opening}")
        echo("\n".join(answer_lines(question, found, seconds)))


def _chosen(strategy: str | None, place: Place, question: BoardQuestion) -> str:
    """Return the name of the strategy; UsageError if the other options do not go with it."""
    chosen = strategy or (OURS.name if _is_shared(place, question) else SEQUENTIAL)
    if strategy == SEQUENTIAL and (place.is_here or place.master is not None):
        named = "--master" if place.master is not None else "--analyser, --workers"
        raise click.UsageError(f"one thread searches {SEQUENTIAL}: leave out {named}")
    if chosen != SEQUENTIAL and question.mode != MODES[0] and not question.is_solved:
        raise click.UsageError("analysers share what is reproducible: leave out --mode fast")
    return chosen


def _is_shared(place: Place, question: BoardQuestion) -> bool:
    """Whether there is more than one thread, and the question can be shared among them."""
    is_plain = question.algorithm == ALGORITHMS[0] and question.mode == MODES[0]
    is_wanted = question.is_solved or is_plain or place.is_here or place.master is not None
    threads = len(os.sched_getaffinity(0)) if place.local is None else place.local
    is_fleet = bool(place.analysers) or place.master is not None
    return is_fleet or (is_wanted and threads > 1)


def _searched(
    question: BoardQuestion,
    strategy: str,
    place: Place,
    by_fleet: Callable[[Alone | None], tuple[BoardAnswer, int | None]],
) -> tuple[BoardAnswer, str, int | None]:
    """Return the answer, how it was found (one thread alone is tried first), and its job if any."""
    if strategy == SEQUENTIAL:
        found = watched(question)
        assert isinstance(found, BoardAnswer), "there is no limit"
        return found, strategy, None
    is_begun_alone = strategy == OURS.name and place.local != 0 and place.master is None
    alone = Alone(question) if is_begun_alone else None
    if alone is None:
        shared, job = by_fleet(None)
        return shared, strategy, job
    if (answered := alone.search_a_moment()) is not None:
        return answered, SEQUENTIAL, None
    alone.go_on()
    try:
        shared, job = by_fleet(alone)
        return shared, SEQUENTIAL if job is None else strategy, job
    except CommandError as error:
        # Nothing has to be stored for a search that one thread can finish.
        if error.exit_code is not ExitCode.STORAGE or place.is_here:
            raise
        return alone.wait(), SEQUENTIAL, None
    finally:
        alone.stop()


def _by_fleet(
    question: BoardQuestion, strategy: str, place: Place, is_trusting: bool, alone: Alone | None
) -> tuple[BoardAnswer, int | None]:
    from master.cli.othello.search_fleet import search_by_fleet  # loads both daemons

    return search_by_fleet(place, question, STRATEGIES[strategy], alone, is_trusting)
