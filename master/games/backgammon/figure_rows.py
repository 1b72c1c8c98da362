"""The figures of an analysed match as rows: labels, and the text for each player.

Rates are in thousandths of a point of normalised equity (millipoints), as players state them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine_ext.backgammon.questions import AnalysisSettings
from master.games.backgammon.matches.figures import Amount, PlayerFigures
from master.games.backgammon.matches.judging import CubeMistake

ABSENT = "-"

FigureCell = Callable[[PlayerFigures], str]
Section = list[tuple[str, FigureCell]]


class Unit:
    """The unit of amounts: points, or per cent of match winning chance."""

    def __init__(self, *, is_match: bool) -> None:
        self._is_match = is_match
        self.name = "mwc" if is_match else "points"

    def cost(self, cost: float) -> str:
        """Return a signed cost as text."""
        return f"{100 * cost:+z.2f}%" if self._is_match else f"{cost:+z.3f}"

    def loss(self, amount: Amount) -> str:
        """Return errors as text, with a minus for a loss."""
        if amount.normalised == 0.0:
            return "0"
        return f"{-amount.normalised:z.3f} ({self.cost(-amount.cost)})"

    def rate(self, rate: float | None, cost_rate: float | None) -> str:
        """Return an error rate in millipoints, and its cost per decision."""
        if rate is None or cost_rate is None:
            return ABSENT
        return f"{1000 * rate:z.1f} ({self.cost(cost_rate).removeprefix('+')})"

    def luck(self, amount: Amount) -> str:
        """Return the luck of the dice as text; unknown if no roll was analysed."""
        return self.cost(amount.cost) if amount.count else ABSENT

    def counted(self, amount: Amount) -> str:
        """Return the number of errors, and their sum."""
        return f"{amount.count}  {self.loss(amount)}" if amount.count else "0"


def _word(word: str | None) -> str:
    return ABSENT if word is None else word


def figure_sections(unit: Unit) -> list[Section]:
    """Return the labels and the functions that write the text beside them."""
    overall: Section = [
        ("PR", lambda own: ABSENT if own.pr is None else f"{own.pr:.2f}"),
        ("Rating", lambda own: _word(own.overall_rating)),
        (f"Errors, equity ({unit.name})", lambda own: unit.loss(own.error)),
        ("Error rate, a decision", lambda own: unit.rate(own.error_rate, own.cost_rate)),
        ("Snowie error rate", lambda own: _millipoints(own.snowie_error_rate)),
        ("Result", lambda own: ABSENT if own.result is None else unit.cost(own.result)),
        ("Luck-adjusted result", lambda own: _adjusted(own, unit)),
    ]
    return [overall, _checker_rows(unit), _cube_rows(unit), _luck_rows(unit)]


def _adjusted(own: PlayerFigures, unit: Unit) -> str:
    adjusted = own.luck_adjusted_result
    return ABSENT if adjusted is None else unit.cost(adjusted)


def _millipoints(rate: float | None) -> str:
    return ABSENT if rate is None else f"{1000 * rate:z.1f}"


def _checker_rows(unit: Unit) -> Section:
    def checker_rate(own: PlayerFigures) -> str:
        return unit.rate(own.checker_error_rate, own.checker_cost_rate)

    return [
        ("Moves", lambda own: str(own.tally.moves)),
        ("  of them unforced", lambda own: str(own.tally.unforced)),
        ("  doubtful / bad / very bad", lambda own: _joined(own.tally.marks.numbers[1:])),
        ("  errors", lambda own: unit.loss(own.tally.checker)),
        ("  error rate, a move", checker_rate),
        ("  rating", lambda own: _word(own.checker_rating)),
    ]


_MISTAKE_LABELS = {
    CubeMistake.MISSED_BELOW_CP: "  missed doubles, below cash point",
    CubeMistake.MISSED_ABOVE_CP: "  missed doubles, above cash point",
    CubeMistake.WRONG_DOUBLE_BELOW_DP: "  wrong doubles, too early",
    CubeMistake.WRONG_DOUBLE_ABOVE_TG: "  wrong doubles, too good",
    CubeMistake.WRONG_TAKE: "  wrong takes",
    CubeMistake.WRONG_PASS: "  wrong passes",
    CubeMistake.MISSED_BEAVER: "  beavers missed",
}


def _cube_rows(unit: Unit) -> Section:
    def mistake(name: str) -> FigureCell:
        return lambda own: unit.counted(getattr(own.tally, name))

    def cube_rate(own: PlayerFigures) -> str:
        return unit.rate(own.cube_error_rate, own.cube_cost_rate)

    def actions(own: PlayerFigures) -> str:
        return _joined((own.tally.doubles, own.tally.takes, own.tally.passes))

    labels = dict(_MISTAKE_LABELS)
    if unit.name == "mwc":
        del labels[CubeMistake.MISSED_BEAVER]  # they are for money play
    return [
        ("Cube decisions", lambda own: str(own.tally.cube_decisions)),
        ("  of them close", lambda own: str(own.tally.close)),
        ("  doubles / takes / passes", actions),
        *((label, mistake(each.value)) for each, label in labels.items()),
        ("  errors", lambda own: unit.loss(own.tally.cube)),
        ("  error rate, a decision", cube_rate),
        ("  rating", lambda own: _word(own.cube_rating)),
    ]


def _luck_rows(unit: Unit) -> Section:
    def luck(own: PlayerFigures) -> str:
        amount = own.tally.luck
        return f"{amount.normalised:+z.3f} ({unit.cost(amount.cost)})" if amount.count else ABSENT

    def rate(own: PlayerFigures) -> str:
        if own.luck_rate is None or own.luck_cost_rate is None:
            return ABSENT
        return f"{1000 * own.luck_rate:+z.1f} ({unit.cost(own.luck_cost_rate)})"

    def lucky(own: PlayerFigures) -> str:
        return _joined(own.tally.luck_marks.numbers[:2]) if own.tally.luck.count else ABSENT

    def unlucky(own: PlayerFigures) -> str:
        return _joined(own.tally.luck_marks.numbers[3:]) if own.tally.luck.count else ABSENT

    return [
        ("Luck", luck),
        ("  very lucky / lucky rolls", lucky),
        ("  unlucky / very unlucky rolls", unlucky),
        ("  luck rate, a roll", rate),
        ("  rating", lambda own: _word(own.luck_rating)),
    ]


def _joined(numbers: Sequence[int]) -> str:
    return " / ".join(map(str, numbers))


def level_words(settings: AnalysisSettings) -> str:
    """Return the depth of the analysis, in words."""
    words = f"{settings.ply}-ply"
    if settings.cube_ply != settings.ply:
        words += f", cube {settings.cube_ply}-ply"
    if settings.rollout is not None:
        words += f", rolled out {settings.rollout.trials} times"
    return words
