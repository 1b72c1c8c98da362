"""The exit codes of all our programs: one table, which the helps and documents repeat.

`manyply` uses all of them; the daemons `manyply-master`, `manyply-relay` and `manyply-analyser` use
0 to 3 and 130.
"""

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit code of a process."""

    OK = 0
    JOB_FAILED = 1  # not finished: no analyser, halted by another command, lost rows
    BAD_INPUT = 2  # an option, an ID, dice, a move or a file is wrong
    STORAGE = 3  # the state directory, standard output or a file cannot be used, or was lost
    UNREACHABLE = 4  # the named master does not answer
    INTERRUPTED = 130  # Ctrl-C; nothing stored is lost, and the message says how to resume
    OUTPUT_CLOSED = 141  # as a shell counts SIGPIPE: the reader of our output has gone
