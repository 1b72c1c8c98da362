"""The result of the analysis of one decision, as plain values.

See analyse for the computation and analysis_text for the text form.

Equities are of the deciding player: in points of the cube as it stands before any double
(money), or normalised so that winning and losing that cube are +1 and -1 (match).  A level is
text for people, e.g. "2-ply", "exact" or "rollout 1296".
"""

from __future__ import annotations

from dataclasses import dataclass

from engine_ext.backgammon.ranking import Probs


@dataclass(frozen=True)
class MoveAnalysis:
    """One legal move, valued for the mover; `std_error` only of a rollout."""

    text: str
    level: str
    equity_cubeful: float
    equity_cubeless: float
    probs: Probs
    std_error: float | None = None


@dataclass(frozen=True)
class CheckerAnalysis:
    """A roll's moves, best first, and which of them was played.

    The played one is valued at the level of the best.  `is_forced`: no other legal move.
    """

    moves: tuple[MoveAnalysis, ...]
    played: int
    is_forced: bool

    @property
    def error(self) -> float:
        """The equity that the played move loses against the best move; 0.0 or more."""
        # Of plays that count as equal the first may have a last bit less.
        return max(0.0, self.moves[0].equity_cubeful - self.moves[self.played].equity_cubeful)


@dataclass(frozen=True)
class CubeAnalysis:
    """The answers to the cube question, from the view of the possible doubler.

    `action` is one of the words of `engine_ext.backgammon.cube.cube_action`; `double_take` is of a
    mere take, and `double_beaver` None unless the opponent gains by a beaver.
    """

    level: str
    no_double: float
    double_take: float
    double_pass: float
    action: str
    equity_cubeless: float
    probs: Probs
    std_error: float | None = None
    double_beaver: float | None = None

    @property
    def not_passed(self) -> float:
        """The equity of a double with the better of take and beaver."""
        return self.double_take if self.double_beaver is None else self.double_beaver

    @property
    def doubled(self) -> float:
        """The equity of a double that is answered best."""
        return min(self.not_passed, self.double_pass)

    @property
    def best(self) -> float:
        """The equity when both players answer best."""
        return max(self.no_double, self.doubled)


@dataclass(frozen=True)
class ActionAnalysis:
    """Everything said about one recorded action; None where there was nothing to decide.

    Args:
        checker: of the move played.
        cube: of the cube question before the roll, or of the double that was made or answered
            (always seen by the doubler).
        luck: of the roll, to the roller: the equity after its best move less the mean of that over
            all 21 rolls, weighted by their chances; None where it was not asked for.
    """

    checker: CheckerAnalysis | None = None
    cube: CubeAnalysis | None = None
    luck: float | None = None
