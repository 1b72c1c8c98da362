"""The strategies that can be compared on the same work."""

from dataclasses import dataclass, replace
from enum import StrEnum

from engine_ext.search.bounds_tree import SPECULATION_MAX
from master.search.driver import Driver, Mode


class Splitting(StrEnum):
    """How work is found for idle analysers."""

    PLIES = "plies"  # the tree is split to a number of plies, and no further
    SHOOT_DOWN = "shoot-down"  # and hot spots are stopped and split


class Sharing(StrEnum):
    """Which table entries are replicated."""

    NONE = "none"
    ALL = "all"  # all, in batches
    FROM_DEPTH = "from-depth"  # those of a depth or more
    STEERED = "steered"  # those of at least a depth that is derived from their costs


@dataclass(frozen=True, slots=True)
class Strategy:
    """All choices of a search.

    Args:
        name: for people.
        driver: how the root's windows follow each other.
        mode: its promise.
        splitting: how work is found.
        sharing: which table entries are replicated.
        plies: the tree is split so far from the start.
        depth_min: parts of less depth are not split any more.
        is_ranked: parts are handed out by speculation rank; else in the tree's order.
        rank_max: parts more speculative than this are not handed out while others are searched.
        has_affinity: parts go to idle analysers that have searched above them.
        idle_min: this many analysers must be idle before a hot spot is chosen.
        swaps_from: in fleets of so many, parts that will hardly be needed are stopped for better
            work; with fewer that costs more than it brings where parts are short.
        vain_factor: in such fleets parts that will hardly be needed are hot after so many times the
            age: to split them brings little, and takes the master as long.
        resplits: in such fleets positions that an iteration has split are split at once in the next
            one.
        news_depth: of table entries to be replicated.
        batch: entries are sent when so many are new; 0: with the next part...
        has_rounds: ... and to all analysers that search, as often as costs allow.
        window: parts outstanding at one analyser.
    """

    name: str
    driver: Driver = Driver.MTDF
    mode: Mode = Mode.REPRODUCIBLE
    splitting: Splitting = Splitting.SHOOT_DOWN
    sharing: Sharing = Sharing.STEERED
    plies: int = 1
    depth_min: int = 4
    is_ranked: bool = True
    rank_max: int = SPECULATION_MAX
    has_affinity: bool = True
    idle_min: int = 1
    swaps_from: int = 2
    vain_factor: int = 1
    resplits: bool = False
    news_depth: int = 7
    batch: int = 0
    has_rounds: bool = True
    window: int = 1


OURS = Strategy("manyply")
# Source 4: the tree is traversed in order, again and again; running nodes are skipped.
NB0AMG = Strategy(
    "nb0amg", Driver.FULL, splitting=Splitting.PLIES, sharing=Sharing.NONE, plies=3,
    is_ranked=False, has_affinity=False,
)  # fmt: skip
# Source 5, but that parts are stopped and split where its machines move jobs to idle ones: the
# jobs nearest to the root, down to a threshold depth.
PAR = Strategy(
    "par", sharing=Sharing.NONE, depth_min=5, is_ranked=False, has_affinity=False,
    has_rounds=False,
)  # fmt: skip
PAR_RMI = replace(PAR, name="par_rmi", sharing=Sharing.ALL, batch=10_000)
PAR_TUPLE = replace(PAR, name="par_tuple", sharing=Sharing.FROM_DEPTH)

STRATEGIES = {each.name: each for each in (OURS, NB0AMG, PAR, PAR_RMI, PAR_TUPLE)}
