"""`manyply search`: one position, as deep as is asked.

Knows options and layout; the searching is the engine's.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import click
from rich.text import Text

from engine_ext.othello.answer import Answer, Question, Standing, answer
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.search import ALGORITHMS, MODES
from master.cli.arguments import Count, json_option
from master.cli.output import echo, echo_json
from master.cli.progress import FIRST_PLAIN_S, Progress

DEPTH_MAX = 60
DEPTH_DEFAULT = 12
"""A second in the middle of a game."""


@click.group("search")
def search_command() -> None:
    """Search a position deeply."""


@search_command.command(
    "othello",
    short_help="Value and best move of an Othello board.",
    # Most boards begin with `-`, which is no option.
    context_settings={"ignore_unknown_options": True},
)
@click.argument("arguments", metavar="BOARD", nargs=-1)
@click.option("--depth", type=Count(1, DEPTH_MAX), help="Moves to look ahead; 12 if not given.")
@click.option("--solve", "is_solved", is_flag=True, help="Search to the end of the game.")
@click.option("--all-moves", "is_every_move_asked", is_flag=True, help="Value every legal move.")
@click.option(
    "--algorithm", type=click.Choice(ALGORITHMS), default=ALGORITHMS[0], show_default=True,
    help="How a depth is searched; the value is the same.",
)  # fmt: skip
@click.option(
    "--mode", type=click.Choice(MODES), default=MODES[0], show_default=True,
    help="fast: cut off what is probably no better; several times faster, the value may differ.",
)  # fmt: skip
@json_option
def search_othello(
    arguments: tuple[str, ...],
    depth: int | None,
    is_solved: bool,
    is_every_move_asked: bool,
    algorithm: str,
    mode: str,
    is_json: bool,
) -> None:
    """Search BOARD: 64 characters X, O and - from a1, b1, ... on, then the side to move.

    Values are discs for the side to move: whole ones are exact, those with two decimals are an
    evaluation of what can happen within the depth.
    """
    if depth is not None and is_solved:
        raise click.UsageError("give --depth or --solve, not both")
    board = _board(arguments)
    if is_solved:
        depth = DEPTH_MAX
    question = Question(board, depth or DEPTH_DEFAULT, algorithm, mode, is_every_move_asked)
    started = time.perf_counter()
    found = _watched(question, started)
    seconds = time.perf_counter() - started
    if is_json:
        echo_json(_json(question, found, seconds))
    else:
        echo(_text(question, found, seconds))


def _board(arguments: tuple[str, ...]) -> OthelloBoard:
    try:
        return OthelloBoard.from_text(" ".join(arguments))
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def _watched(question: Question, started: float) -> Answer:
    """Search, and show how it stands once that takes time; Ctrl-C ends it between two steps."""
    steps = answer(question)
    with Progress() as progress:
        while True:
            try:
                standing = next(steps)
            except StopIteration as end:
                found: Answer = end.value
                return found
            seconds = time.perf_counter() - started
            if seconds >= FIRST_PLAIN_S:
                line = _standing_line(standing, seconds)
                progress.draw(_View(line), line)


@dataclass(frozen=True, slots=True)
class _View:
    """One line, cut off where the terminal ends."""

    line: str

    def __call__(self, width: int, height: int) -> list[Text]:
        return [Text(self.line[:width])]


def _standing_line(standing: Standing, seconds: float) -> str:
    value = "" if standing.value is None else f", {standing.value:+.2f}"
    line = f" {' '.join(standing.pv)}" if standing.pv else ""
    speed = standing.nodes / seconds / 1e6
    return (
        f"{standing.phase}{value}{line}: {standing.nodes:,} nodes, {speed:.1f} M/s, {seconds:.0f} s"
    )


def _strategy(question: Question) -> str:
    """Name the strategy; a value that another search need not find says so."""
    is_fast = question.mode != MODES[0] and not question.is_solved
    return "sequential-fast" if is_fast else "sequential"


def _json(question: Question, found: Answer, seconds: float) -> dict[str, object]:
    document: dict[str, object] = {
        "value": found.value,
        "exact": found.is_exact,
        "best_move": found.best_move,
        "pv": list(found.pv),
        "nodes": found.nodes,
        "seconds": seconds,
        "strategy": _strategy(question),
    }
    if found.moves:
        document["moves"] = [{"move": move, "value": value} for move, value in found.moves]
    return document


def _number(value: float, is_exact: bool) -> str:
    return f"{value:+.0f}" if is_exact else f"{value:+.2f}"


def _text(question: Question, found: Answer, seconds: float) -> str:
    kind = "exact" if found.is_exact else f"evaluation, {question.mode}"
    lines = [
        f"{question.board.to_move} to move: {_number(found.value, found.is_exact)} discs ({kind})"
    ]
    if found.pv:
        lines.append(f"best line: {' '.join(found.pv)}")
    lines += [f"{move}  {_number(value, found.is_exact)}" for move, value in found.moves]
    lines.append(f"{found.nodes:,} nodes, {seconds:.2f} s")
    return "\n".join(lines)
