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


class Claim(Enum):
    """Who computes what is missing."""

    HELD = "held"  # its analyser
    STOPPING = "stopping"  # nobody: its analyser was asked to stop
    GIVEN_BACK = "given back"  # others too, or soon; what its analyser sends still counts
    GIVEN_UP = "given up"  # others: it was given back, and its analyser asked to stop


TRANSITIONS: dict[Life | Claim, frozenset[Life | Claim]] = {
    Life.AT_WORK: frozenset({Life.DOUBTFUL, Life.STALLED}),
    Life.DOUBTFUL: frozenset({Life.AT_WORK}),  # it never stalls: it is stopped
    Life.STALLED: frozenset({Life.AT_WORK}),
    Claim.HELD: frozenset({Claim.STOPPING, Claim.GIVEN_BACK}),
    Claim.STOPPING: frozenset({Claim.GIVEN_UP}),
    Claim.GIVEN_BACK: frozenset({Claim.GIVEN_UP}),
    Claim.GIVEN_UP: frozenset(),
}

AFTER_STOP = {Claim.HELD: Claim.STOPPING, Claim.GIVEN_BACK: Claim.GIVEN_UP}
"""What follows when its analyser is asked to stop, which is done once."""

AFTER_RETURN = {Claim.HELD: Claim.GIVEN_BACK, Claim.STOPPING: Claim.GIVEN_UP}
"""What follows when what is missing is given back, which is done once."""
