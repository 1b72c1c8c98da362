"""Where a handing-out stands, and where it may go from there.

Two things are asked of it, which are independent: what its analyser shows of it, and who is to
compute what of it is missing.
"""

from enum import Enum


class Life(Enum):
    """What an analyser shows of a handing-out."""

    AT_WORK = "at work"  # as far as is known
    DOUBTFUL = "doubtful"  # it may have been lost when the connection broke
    STALLED = "stalled"  # it stands still


class Holding(Enum):
    """Who computes what is missing."""

    HELD = "held"  # its analyser
    STOPPING = "stopping"  # nobody: its analyser was asked to stop
    GIVEN_BACK = "given back"  # others too, or soon; what its analyser sends still counts
    GIVEN_UP = "given up"  # others: it was given back, and its analyser asked to stop


TRANSITIONS: dict[Life | Holding, frozenset[Life | Holding]] = {
    Life.AT_WORK: frozenset({Life.DOUBTFUL, Life.STALLED}),
    Life.DOUBTFUL: frozenset({Life.AT_WORK}),  # it never stalls: it is stopped
    Life.STALLED: frozenset({Life.AT_WORK}),
    Holding.HELD: frozenset({Holding.STOPPING, Holding.GIVEN_BACK}),
    Holding.STOPPING: frozenset({Holding.GIVEN_UP}),
    Holding.GIVEN_BACK: frozenset({Holding.GIVEN_UP}),
    Holding.GIVEN_UP: frozenset(),
}

AFTER_STOP = {Holding.HELD: Holding.STOPPING, Holding.GIVEN_BACK: Holding.GIVEN_UP}
"""What follows when its analyser is asked to stop, which is done once."""

AFTER_RETURN = {Holding.HELD: Holding.GIVEN_BACK, Holding.STOPPING: Holding.GIVEN_UP}
"""What follows when what is missing is given back, which is done once."""
