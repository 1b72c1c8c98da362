"""The next window of the root: full, aspiration or MTD(f), and iterations.

The window is a pure function of the root's proved bounds and of the guess. So results may prove
more, or less, than was asked for.
"""

from dataclasses import dataclass
from enum import StrEnum

from engine_ext.search.bounds_tree import VALUE_LIMIT, BoundsTree


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
