"""The parallel search's named limits, each with the reason for its size.

Times are in the clock's own unit, seconds or, in the laboratory, nodes. So limits on times are
derived from the costs of a message.
"""

from dataclasses import dataclass
from math import sqrt

from engine_ext.search.bounds_tree import SPECULATION_MAX

NODES_MAX = 1 << 18
"""Of the master's tree: 43 MB, and an hour of splitting 70 times a second."""

# Hot spots.
HOT_MESSAGES = 8
"""A part is hot only after this many times the costs of stopping it and handing out."""

HOT_FLEET_SHARE = 3
"""And parts of this many messages for each analyser keep the master free."""

SHOTS_MAX = 1
"""A hot spot's children wait twice as long, theirs no longer: four times was slower."""

HOLD_FACTOR = 8
"""A stop's answer is waited for within this many times its usual time."""

IDLE_RANK_MAX = 900
"""An analyser could as well be idle if its part is searched in vain in nine of ten cases."""

BETTER_FACTOR = 2
"""Such a part is stopped for one that is needed twice as likely, or more."""

SWAPS_MAX = 4
"""Of these, and of hot spots, an event: each costs messages, the next event is near."""

# Affinity.
OWN_SHARE = 0.75
"""An analyser gets a node that it searched before if it is needed so nearly as the best."""

LOOKAHEAD = 32
"""Parts compared for that."""

WAITING_MAX = 1024
"""Parts that wait are counted so far: more workers one search hardly uses."""

# Silence.
ANSWER_FACTOR = 1000
"""A stop is answered within this many times its usual time, or never."""

PART_FACTOR = 100
"""A part of this many times that is stopped, and handed out again."""

WAITS_MAX = 4
"""It may take twice as long then, from an hour to most of a day: some cannot be split."""

# Replication.
LOG_MAX = 1 << 16
"""Table entries kept for analysers that have not got them yet: 4 MB."""

NEWS_SHARE = 0.1
"""Replication may take this share of the master's time."""

NEWS_S = 0.1
"""An analyser that searches sends its new table entries so often."""

ROUND_MESSAGES = 20
"""New entries are sent to all analysers after so many times the costs of these messages."""

STEER_ENTRIES = 256
"""The depth is chosen again after so many entries..."""

STEER_HOTS = 20
"""... or after this many times the age of a hot spot."""

START_PLIES = 4
"""Entries of parts so far below the root are the first that are wanted."""


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of communication, in the clock's unit.

    Args:
        latency: from one end of a line to the other.
        message: of the master's time, for each message in or out.
        entry: of the master's time, for each table entry that comes in.
        poll: an analyser reads its messages so often.
        entry_out: of the master's time, for each entry and analyser that it is sent to.
        begin: an analyser searches so long before a part of it is any better than none.
        news: an analyser sends its new table entries so often.
    """

    latency: float = 100e-6
    message: float = 20e-6
    entry: float = 0.2e-6
    poll: float = 160e-6
    entry_out: float = 0.02e-6
    begin: float = 0.0
    news: float = NEWS_S

    def __post_init__(self) -> None:
        if (
            min(self.latency, self.entry, self.entry_out, self.begin, self.news) < 0
            or min(self.message, self.poll) <= 0
        ):
            raise ValueError(
                f"expected costs of at least 0, of messages and polls more, not {self}"
            )

    def hot_age(self, analysers: int) -> float:
        """Return how old a part must be before it is a hot spot."""
        paid = HOT_MESSAGES * (self.latency + self.message)
        return max(paid, HOT_FLEET_SHARE * self.message * analysers)

    def hot_after(self, analysers: int, patience: int) -> float:
        """Return how old a part must be that was shot, or could not be split, so many times."""
        doublings = min(patience, SHOTS_MAX)
        return max(self.hot_age(analysers) * (1 << doublings), self.begin)

    def round_time(self, analysers: int) -> float:
        """Return the time between two rounds that send new entries to all."""
        return max(self.news, ROUND_MESSAGES * self.message * analysers)

    def hold_max(self, analysers: int) -> float:
        """Return how long a hot spot's children wait for its searcher's bounds of them."""
        return HOLD_FACTOR * (self.latency + self.poll) + HOT_FLEET_SHARE * self.message * analysers

    def answer_max(self, analysers: int) -> float:
        """Return how long the answer to a stop is waited for."""
        return ANSWER_FACTOR * (self.latency + self.poll) + ANSWER_FACTOR * self.message * analysers

    def part_max(self, analysers: int, patience: int) -> float:
        """Return how long a part may take that was shot, or took too long, so many times."""
        doublings = min(patience, WAITS_MAX)
        return PART_FACTOR * self.answer_max(analysers) * (1 << doublings)


def idle_rank(analysers: int) -> int:
    """Return the speculation rank from which on an analyser could as well be idle.

    Many analysers mostly search speculative nodes.  Few do better to split needed nodes: for two,
    nodes that are in vain in half of the cases are already too much.
    """
    in_vain = SPECULATION_MAX - round(SPECULATION_MAX / sqrt(2 * max(analysers, 2)))
    return min(in_vain, IDLE_RANK_MAX)
