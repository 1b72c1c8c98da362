"""A rollout's result: the JSON object that stays stable, and tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine_ext.backgammon.context import DOUBLE_PASS, DOUBLE_TAKE, NO_DOUBLE, RolloutContext
from engine_ext.backgammon.cube import Cube, cube_action
from engine_ext.backgammon.met_words import table_of
from master.contract.views import AlternativeSummary, JobView
from master.games.backgammon.position_reports import PROB_NAMES
from master.games.job_words import JobWords
from master.reports.job_result import job_report, retired_lines
from master.reports.report import Report
from master.reports.texts import signed, unsigned

NAME_WIDTH_MAX = 32
"""A move with four steps and hits; longer names are cut."""

WIN_WIDTH = 8
PROBS_WIDTH = 36
"""Columns for gammons and backgammons; left out on a terminal without that much room."""

NUMBERS_WIDTH = 65
DIFF_WIDTH = 9
STACKED_INDENT = 3

_HEADINGS = (
    "   Win", "    W g", "   W bg", "     Lose", "    L g", "   L bg", "   Cubeless", "  Cubeful",
)  # fmt: skip
_LEFT_OUT = ("Lose", "W bg", "L bg", "W g", "L g", "Cubeless", "Win")
"""Columns that a narrow terminal has no room for, the least needed first; lose is 1 - win."""


def rollout_report(view: JobView) -> Report:
    """Return the documented object; see job_report."""
    context = RolloutContext.from_text(view.context)
    return job_report(view, {"seed": context.seed}, _named_values)


def _named_values(names: Sequence[str], values: Sequence[float | None]) -> Report:
    named = dict(zip(names, values, strict=True))
    return {"probs": {name: named.pop(name) for name in PROB_NAMES}, **named}


def rollout_lines(view: JobView, width: int | None = None) -> list[str]:
    """Return the table's lines, best alternative first: values above their standard errors.

    Where the names do not fit beside the numbers into `width`, they go above them.
    """
    if not view.alternatives:
        return ["no trial of every alternative is finished yet"]
    names = view.alternative_names
    order = ranked(view)
    name_width = max(len(name) for name in names)
    diff_width = DIFF_WIDTH if len(names) > 1 else 0
    is_beside = width is None or name_width + 5 + NUMBERS_WIDTH + diff_width <= width
    indent = " " * (name_width + 5 if is_beside else STACKED_INDENT)
    shown = _shown(None if width is None or is_beside else width - STACKED_INDENT)
    heading = indent + "".join(_HEADINGS[place] for place in shown)
    lines = [heading + ("     Diff" if is_beside and len(names) > 1 else "")]
    for rank, index in enumerate(order, start=1):
        alternative = view.alternatives[index]
        if is_beside:
            head = f"{rank:2}. {names[index]:{name_width}} "
            lines += _alternative_lines(head, indent, alternative, shown, has_diff=True)
        else:
            lines.append(f"{rank:2}. {names[index]}{_diff(alternative)}")
            lines += _alternative_lines(indent, indent, alternative, shown, has_diff=False)
    caught = [f"Caught: {line}" for line in view.caught]
    return lines + cube_lines(view) + retired_lines(view) + caught


@dataclass(frozen=True)
class CubeAnswers:
    """Answers of a rollout of no double and double, take about the cube.

    Equities are the player's on roll, in units of the cube before doubling.

    Args:
        cube: before doubling.
        beaver: None where the double would not be beavered.
        action: one of the words of `cube_action`.
    """

    cube: Cube
    no_double: float
    double_take: float
    beaver: float | None
    double_pass: float
    action: str

    @property
    def best(self) -> float:
        """The equity of the right action: the double may be passed or beavered."""
        not_passed = self.double_take if self.beaver is None else self.beaver
        return max(self.no_double, min(not_passed, self.double_pass))


def cube_answers(view: JobView) -> CubeAnswers | None:
    """Return the answers to the cube question; None if that was not the question."""
    context = RolloutContext.from_text(view.context)
    if context.alternatives != (NO_DOUBLE, DOUBLE_TAKE):
        return None
    cube = _cube_of(context)
    place = view.value_names.index("equity_cubeful")
    no_double, double_take = (each.means[place] for each in view.alternatives)
    is_beavered = cube.is_beavered(double_take)
    return CubeAnswers(
        cube=cube,
        no_double=no_double,
        double_take=double_take,
        beaver=cube.equity_not_passed(double_take) if is_beavered else None,
        double_pass=DOUBLE_PASS,
        action=cube_action(no_double, double_take, DOUBLE_PASS, cube),
    )


def cube_lines(view: JobView) -> list[str]:
    """Return the results for the cube, if that was the question: pass, beaver, action.

    The better of the two alternatives is not always right: a double may be passed or beavered.
    """
    answers = cube_answers(view)
    if answers is None:
        return []
    beaver = "" if answers.beaver is None else f", beaver {signed(answers.beaver)}"
    return [
        f"Doubled: take {signed(answers.double_take)}{beaver}, pass {signed(answers.double_pass)}",
        f"Proper cube action: {answers.action}",
    ]


def _cube_of(context: RolloutContext) -> Cube:
    table, player = table_of(context.met)
    return Cube(
        value=context.cube_value,
        owner=context.cube_owner,
        match_length=context.match_length,
        score=context.score,
        crawford=context.crawford,
        jacoby=context.jacoby,
        beavers=context.beavers,
        table=table,
        player=player or 0,
    )


def _diff(alternative: AlternativeSummary) -> str:
    if alternative.diff_to_best == 0:
        return ""
    return f"  {signed(alternative.diff_to_best)} [{unsigned(alternative.diff_std_error)}]"


def _shown(room: int | None) -> list[int]:
    """Return the indices of the columns of numbers for which a terminal has room."""
    shown = list(range(len(_HEADINGS)))
    for name in _LEFT_OUT:
        # Errors stand in brackets.
        if room is None or sum(len(_HEADINGS[place]) for place in shown) + 2 <= room:
            break
        shown = [place for place in shown if _HEADINGS[place].strip() != name]
    return shown


def _alternative_lines(
    head: str,
    indent: str,
    alternative: AlternativeSummary,
    shown: Sequence[int],
    *,
    has_diff: bool,
) -> list[str]:
    means, errors = alternative.means, alternative.std_errors
    values = _prob_cells(means, 1 - means[0])
    values += [f"  {signed(means[5]):>8}", f" {signed(means[6]):>8}"]
    error_values = _prob_cells(errors, errors[0])
    error_values += [f"  {unsigned(errors[5]):>8}", f" {unsigned(errors[6]):>8}"]
    line = " " + "".join(values[place] for place in shown)
    error_line = "[" + "".join(error_values[place] for place in shown)
    if has_diff and alternative.diff_to_best != 0:
        line += f" {signed(alternative.diff_to_best):>8}"
        error_line += f" {unsigned(alternative.diff_std_error):>8}"
    return [head + line, f"{indent}{error_line}]"]


def _prob_cells(values: Sequence[float | None], lose: float | None) -> list[str]:
    """Return a cell for each column of probabilities, all but the first with their separator."""
    win, win_g, win_bg, lose_g, lose_bg = map(unsigned, values[:5])
    return [win, f" {win_g}", f" {win_bg}", f" - {unsigned(lose)}", f" {lose_g}", f" {lose_bg}"]


def ranked(view: JobView) -> list[int]:
    """Return the alternatives' indices, best first; of equals the better cubeless one first.

    Those that are out of contention come last, those that were out first at the end.
    """

    def place(index: int) -> tuple[int, float, list[float]]:
        found = view.alternatives[index]
        return -found.trials, -found.diff_to_best, [-mean for mean in found.means[-2:-1]]

    return sorted(range(len(view.alternatives)), key=place)


def rollout_rows(view: JobView, width: int) -> list[str]:
    """Return headings and a line for each alternative, best first."""
    name_width = min(NAME_WIDTH_MAX, max(len(name) for name in view.alternative_names))
    narrow_width = 4 + 18 + (18 if len(view.alternatives) > 1 else 0)
    is_wide = width >= narrow_width + name_width + WIN_WIDTH + PROBS_WIDTH
    has_win = width >= narrow_width + name_width + WIN_WIDTH
    name_width = max(0, min(name_width, width - narrow_width))
    heading = f"{'':{name_width + 4}}" + (f"{'Win':>8}" if has_win else "")
    if is_wide:
        heading += f"{'W g':>9}{'W bg':>9}{'L g':>9}{'L bg':>9}"
    heading += f"{'Cubeful':>9}{'':9}" + (f"{'Diff':>9}" if len(view.alternatives) > 1 else "")
    lines = [heading]
    for rank, index in enumerate(ranked(view), start=1):
        name = view.alternative_names[index][:name_width]
        numbers = _numbers(view.alternatives[index], has_win=has_win, is_wide=is_wide)
        lines.append(f"{rank:>2}. {name:{name_width}}{numbers}")
    return lines


def _numbers(alternative: AlternativeSummary, *, has_win: bool, is_wide: bool) -> str:
    win, *others = alternative.means[:5]
    text = (f"{win:z8.4f}" if has_win else "") + (
        "".join(f"{value:z9.4f}" for value in others) if is_wide else ""
    )
    text += f"{alternative.means[-1]:+z9.4f} [{unsigned(alternative.std_errors[-1])}]"
    if alternative.diff_to_best != 0:
        text += f"{alternative.diff_to_best:+z9.4f} [{unsigned(alternative.diff_std_error)}]"
    return text


def best_play(view: JobView) -> str:
    """Return the best alternative with its equity."""
    best = ranked(view)[0]
    alternative = view.alternatives[best]
    equity, error = signed(alternative.means[-1]), unsigned(alternative.std_errors[-1])
    return f"{view.alternative_names[best]} {equity} [{error.strip()}]"


WORDS = JobWords(rollout_rows, best_play)
