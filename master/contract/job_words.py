"""The words for a job's state and for its priority."""

from enum import Enum, IntEnum


class JobState(Enum):
    """The state of a job."""

    RUNNING = "running"  # a process is at it; found without one, it was killed: see `HALTED`
    HALTED = "halted"  # stopped before its end; `resume` goes on
    DONE = "done"  # its stop rule is met; `extend` goes on
    DAMAGED = "damaged"  # its record cannot be read any more; `forget` deletes it


class Priority(IntEnum):
    """The priority of a job's work; of two jobs the one of the larger value goes first."""

    BACKGROUND = 0  # no user waits for it: it makes room for all other work at once
    STANDING = 1  # rollouts: they go on for hours
    ASKED = 2  # a user waits for the end of it
    URGENT = 3  # a user waits for the next line: analysers pause other work for it
