"""The states of an attempt, and the transitions between them.

It has two states, which are independent: one as its analyser shows it, and one that says which side
is to compute its missing trials.
"""

from enum import Enum


class Life(Enum):
    """The state of an attempt as its analyser shows it."""

    AT_WORK = "at work"  # as far as is known
    DOUBTFUL = "doubtful"  # it may have been lost when the connection broke
    STALLED = "stalled"  # it stands still


class Holding(Enum):
    """The side that computes the missing trials."""

    HELD = "held"  # its analyser
    STOPPING = "stopping"  # no side: its analyser was asked to stop
    GIVEN_BACK = "given back"  # others too, or soon; results from its analyser still count
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
"""The next state when its analyser is asked to stop, which is done once."""

AFTER_RETURN = {Holding.HELD: Holding.GIVEN_BACK, Holding.STOPPING: Holding.GIVEN_UP}
"""The next state when its missing trials are given back, which is done once."""
