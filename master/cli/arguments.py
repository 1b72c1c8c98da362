"""Options and arguments that several commands share, and how their texts are read.

A reader raises click.BadParameter with one sentence; it never guesses.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from master.cli.terminal import is_terminal
from master.config.paths import database_path, default_state_dir
from master.contract.job_words import JOB_MAX
from protocol.guards.number_ranges import WholeRange

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

SECONDS_MIN, SECONDS_MAX = 0.1, 3600.0
"""Of a move: engines check the clock some times a second, and a user waits an hour at most."""

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class CountType(WholeRange):
    """A whole number between two ends."""

    def __init__(self, least: int, most: int) -> None:
        """Take both ends: a number without end is one that something behind cannot hold."""
        super().__init__(least, most)


JOBS_OFFERED_MAX = 50
"""A longer list would scroll the typed line away."""


def offer_jobs(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the stored jobs whose number begins with the typed digits, for the shell to offer.

    The file is read without the rest of the store: a user waits for it at a key press.
    """
    from click.shell_completion import CompletionItem  # noqa: PLC0415  # only to complete

    return [
        CompletionItem(str(job), help=label)
        for job, label in _newest_jobs()
        if str(job).startswith(incomplete)
    ][:JOBS_OFFERED_MAX]


def _newest_jobs() -> list[tuple[int, str]]:
    import sqlite3  # noqa: PLC0415  # as above
    from contextlib import closing  # noqa: PLC0415

    path = database_path(default_state_dir())
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            return database.execute("SELECT job, label FROM job ORDER BY job DESC").fetchall()
    except sqlite3.Error:  # no such file, or a damaged one, of which `jobs` speaks
        return []


class JobNumberType(CountType):
    """A job's number; the shell offers those of stored jobs."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return them."""
        return offer_jobs(ctx, param, incomplete)


JOB_NUMBER = JobNumberType(1, JOB_MAX)

TRIALS_MAX = 10_000_000
"""Above this a job's noise is far below any evaluation's bias."""


def reads(parse: Callable[[str], object]) -> Callable[..., object]:
    """Return a click callback that reads a text; a ValueError's sentence becomes the message."""

    def callback(ctx: click.Context, param: click.Parameter, value: str | None) -> object:
        if value is None:
            return None
        try:
            return parse(value)
        except ValueError as error:
            raise click.BadParameter(str(error), ctx=ctx, param=param) from error

    return callback


STDIN_WORD = "-"
INPUT_CHARACTERS_MAX = 65_536
"""Of a text on standard input: a long mail."""


def reads_text(parse: Callable[[str], object]) -> Callable[..., object]:
    """Return a click callback for an argument of any number of words that are one text.

    `-` is standard input. A ValueError's sentence becomes the message.
    """

    def callback(ctx: click.Context, param: click.Parameter, words: tuple[str, ...]) -> object:
        if not words:
            return None
        text = _standard_input(ctx) if words == (STDIN_WORD,) else " ".join(words)
        return reads(parse)(ctx, param, text)

    return callback


def _standard_input(ctx: click.Context) -> str:
    check_piped(ctx, "a pipe")
    return sys.stdin.read(INPUT_CHARACTERS_MAX + 1)


def check_piped(ctx: click.Context, expected: str) -> None:
    """Refuse a standard input that cannot be read to its end: a terminal, or a closed one."""
    if sys.stdin is None or is_terminal(sys.stdin):
        state = "closed" if sys.stdin is None else "a terminal"
        raise click.UsageError(
            f"- is standard input, and that is {state}: expected {expected}", ctx
        )


def no_such_option(word: str) -> click.NoSuchOption:
    """Return the error for an option that a command with boards such as `--XO` receives as a word.

    Its text has the nearest options of the command that runs.
    """
    ctx = click.get_current_context(silent=True)
    params = [] if ctx is None else ctx.command.params
    names = [name for each in params for name in (*each.opts, *each.secondary_opts)]
    options = [name for name in names if name.startswith("-")]
    return click.NoSuchOption(word.partition("=")[0], possibilities=options, ctx=ctx)


def read_std_error(text: str) -> float:
    """Return a standard error to stop at: a finite number above 0; ValueError otherwise."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        raise ValueError(f"{text!r} is not a standard error: expected a number above 0")
    return value


def read_std_errors(text: str) -> float:
    """Return a number of standard errors that settle a question; ValueError otherwise."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 < value < math.inf:
        expected = "expected one above 0; what else is given stands before the option"
        raise ValueError(f"{text!r} is not a number of standard errors: {expected}")
    return value


def read_seconds(text: str) -> float:
    """Return the time for a move; ValueError if it is none."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not SECONDS_MIN <= seconds <= SECONDS_MAX:
        raise ValueError(f"expected {SECONDS_MIN:g} to {SECONDS_MAX:g} seconds, not {text!r}")
    return seconds


def together(*options: Decorator) -> Decorator:
    """Return several options as one, in the order of the help page."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            function = option(function)
        return function

    return add


layout_options = together(
    click.option("--export", "layout", flag_value="export",
                 help="Print position, settings and result as text to paste into a message."),
    click.option("--xg-table", "layout", flag_value="xg-table",
                 help="The same in the format of eXtreme Gammon, for programs that read it."),
)  # fmt: skip
"""How a job's result is printed instead of as a table."""


def check_layout(layout: str | None, *, is_json: bool) -> None:
    """Refuse two ways of printing one result; UsageError."""
    if layout is not None and is_json:
        raise click.UsageError(f"--{layout} and --json print the result in two ways: give one")


json_option = click.option("--json", "is_json", is_flag=True, help="Print JSON, full precision.")


def board_option_of(what: str) -> Decorator:
    """Return the option that switches a drawing."""
    return click.option(
        "--board/--no-board", "board", default=None,
        help=f"Draw {what}.  [default: on a terminal]",
    )  # fmt: skip


board_option = board_option_of("the board before the answer")


def is_board_shown(board: bool | None, *, is_terminal: bool) -> bool:
    """Return whether to draw: as asked for, else for people alone, as scripts read tables."""
    return is_terminal if board is None else board


def read_depth(text: str, depth_max: int) -> int:
    """Return the depth of a perft; UsageError for one that is not 1 to `depth_max`."""
    depth = int(text[:2])
    if len(text) > 2 or not 1 <= depth <= depth_max:
        raise click.UsageError(f"DEPTH is 1 to {depth_max}, not {text}")
    return depth
