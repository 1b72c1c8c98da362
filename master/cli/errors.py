"""Exit codes, and how a mistake becomes one line.

Knows what the shell sees.  A user's mistake is a `CommandError` and never a traceback; a
broken invariant of ours stays an exception with its traceback.
"""

from __future__ import annotations

from enum import IntEnum

import click


class ExitCode(IntEnum):
    """What the process returns; listed in the README and in `manyply --help`."""

    OK = 0
    JOB_FAILED = 1  # the job could not be finished: no analyser, a full disk, a poison trial
    BAD_INPUT = 2  # an option, an ID, dice, a move or a file is not what was expected
    STORAGE = 3  # the state directory, or standard output, cannot be used
    UNREACHABLE = 4  # a master that was asked for does not answer
    INTERRUPTED = 130  # Ctrl-C; nothing stored is lost, and the message says how to resume
    OUTPUT_CLOSED = 141  # as a shell counts SIGPIPE: the reader of our output has gone


EXIT_CODES_HELP = """\b
Exit codes:
  0    done
  1    the job could not be finished
  2    bad input: an option, an ID, dice, a move, a job or
       a file
  3    the state directory, or standard output, cannot be
       used
  4    the master does not answer
  130  interrupted by Ctrl-C; `manyply resume` goes on
  141  nobody reads standard output any more
"""


class CommandError(Exception):
    """Ends the command with one line on standard error and an exit code."""

    def __init__(self, text: str, exit_code: ExitCode = ExitCode.BAD_INPUT) -> None:
        super().__init__(" ".join(text.split()))
        self.exit_code = exit_code


def usage_line(error: click.ClickException) -> str:
    """Return what is wrong with a command line, and which help tells what is right."""
    text = " ".join(error.format_message().split()).rstrip(".")
    context = getattr(error, "ctx", None)
    return f"{text} (see {context.command_path} --help)" if context is not None else text
