"""Exit codes, and how a mistake becomes one line.

Knows what the shell sees.  A user's mistake is a `CommandError` and never a traceback; a
broken invariant of ours stays an exception with its traceback.
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """What the process returns; listed in the README and in `manyply --help`."""

    OK = 0
    JOB_FAILED = 1  # the job could not be finished: no analyser, a trial that kills them all
    BAD_INPUT = 2  # an option, an ID, dice, a move or a file is not what was expected
    STORAGE = 3  # the state directory cannot be read or written
    UNREACHABLE = 4  # a master that was asked for does not answer
    INTERRUPTED = 130  # Ctrl-C; nothing stored is lost, and the message says how to resume


EXIT_CODES_HELP = """\b
Exit codes:
  0    done
  1    the job could not be finished
  2    bad input: an option, an ID, dice, a move or a file
  3    the state directory cannot be read or written
  4    the master does not answer
  130  interrupted by Ctrl-C; `manyply resume` goes on
"""


class CommandError(Exception):
    """Ends the command with one line on standard error and an exit code."""

    def __init__(self, text: str, exit_code: ExitCode = ExitCode.BAD_INPUT) -> None:
        super().__init__(" ".join(text.split()))
        self.exit_code = exit_code
