"""The strategies that can be compared on the same work, and the windows of the root.

A window is a pure function of the bounds of the root that are proved and of the guess. So results
may prove more, or less, than was asked for.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from engine_ext.search.bounds_tree import SPECULATION_MAX, VALUE_LIMIT, BoundsTree


class Driver(StrEnum):
    """How windows of the root follow each other."""

    FULL = "full"
    ASPIRATION = "aspiration"
    MTDF = "mtdf"


class Mode(StrEnum):
    """The promise of a search."""

    REPRODUCIBLE = "reproducible"  # value and move of the sequential search, in any order of events
    FAST = "fast"  # the value, and a move that has it


@dataclass(slots=True)
class Passes:
    """The passes of one iteration.

    Args:
        driver: how.
        mode: whether the canonical best move has to be proved.
        guess: where the root's value is expected; MTD(f) corrects it.
        guess_error: a guess off by more than this is searched for again, on its side only: half of
            an aspiration window.
        pass_count: windows begun.
    """

    driver: Driver
    mode: Mode
    guess: int
    guess_error: int = 1
    pass_count: int = 0
    _low: int = 0
    _high: int = 0
    _is_begun: bool = False

    def window(self, tree: BoundsTree) -> tuple[int, int, bool] | None:
        """Return the root's window and whether the move is wanted; None: all is proved."""
        lower, upper = tree.bounds(0)
        has_moves = bool(tree.children(0))
        if lower == upper:
            # A table entry may have proved the value without any move.
            return (lower - 1, lower, True) if has_moves and not self._has_move(tree) else None
        if not self._is_begun or lower >= self._high or upper <= self._low:
            self._begin(lower, upper)
            tree.set_estimate(0, self.guess)
        is_move_wanted = self.driver is Driver.FULL and self.mode is Mode.REPRODUCIBLE
        return self._low, self._high, is_move_wanted and has_moves

    def _has_move(self, tree: BoundsTree) -> bool:
        """Tell whether a promised move is known; the root's value is proved already."""
        if self.mode is Mode.REPRODUCIBLE:
            return tree.first_best() is not None
        value, _ = tree.bounds(0)
        return any(-tree.bounds(child)[1] >= value for child in tree.children(0))

    def aim(self, guess: int) -> None:
        """Expect the root's value elsewhere: MTD(f) goes on from there, within proved bounds."""
        if self.driver is Driver.MTDF or not self._is_begun:
            self.guess, self._is_begun = guess, False

    def _begin(self, lower: int, upper: int) -> None:
        """Choose the next pass's window by the proved bounds: lower < upper."""
        is_first = not self._is_begun
        self._is_begun = True
        before = self._low, self._high
        if self.driver is Driver.MTDF:
            # The bound that a pass has just proved is the best guess there is.
            if not is_first:
                self.guess = lower if lower >= self._high else upper
            gamma = min(max(self.guess, lower + 1), upper)
            self._low, self._high = gamma - 1, gamma
        elif self.driver is Driver.ASPIRATION and is_first:
            self._low = self.guess - self.guess_error
            self._high = self.guess + self.guess_error
        else:
            self._low, self._high = max(lower - 1, -VALUE_LIMIT), min(upper + 1, VALUE_LIMIT)
        self.pass_count += (self._low, self._high) != before


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
