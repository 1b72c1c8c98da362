"""`manyply analyse` of a list of IDs: its report and its table."""

from __future__ import annotations

from collections.abc import Sequence

from engine_ext.backgammon.analysis import CheckerAnalysis
from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.questions import AnalysisSettings
from master.games.backgammon.analyse_report import Lines, settings_report
from master.games.backgammon.figure_rows import ABSENT
from master.games.backgammon.matches.listed import AnalysedDecision
from master.games.backgammon.matches.ratings import mark
from master.reports.report import Report
from master.reports.tables import aligned, stacked, table_width
from master.reports.texts import signed


def list_report(
    decisions: Sequence[AnalysedDecision],
    settings: AnalysisSettings,
    engine: str,
    table: MatchTable | None = None,
) -> Report:
    """Return the documented object; nothing in it depends on the machines that computed it."""
    return {
        "engine": engine,
        "settings": settings_report(settings, table),
        "decisions": [_decision(each) for each in decisions],
    }


def _decision(each: AnalysedDecision) -> Report:
    """Return one line; the action and its error are null if the line does not have them."""
    judgement = each.judgement
    return {
        "line": each.listed.line,
        "position": to_gnubg_id(each.listed.state),
        "played": None if judgement is None else judgement.played,
        "error": None if judgement is None else judgement.error,
        "cost": None if judgement is None else judgement.cost,
        "mark": None if judgement is None else mark(judgement.error).value or None,
        "best": _best(each),
        "equities": _equities(each),
        "level": _level(each),
    }


def _best(each: AnalysedDecision) -> str:
    if each.judgement is not None:
        return each.judgement.best
    known = each.known
    return known.moves[0].text if isinstance(known, CheckerAnalysis) else known.action


def _equity(each: AnalysedDecision) -> float:
    known = each.known
    return known.moves[0].equity_cubeful if isinstance(known, CheckerAnalysis) else known.best


def _equities(each: AnalysedDecision) -> Report:
    """Return the equities of the choices: to the mover, or to the player who may double."""
    known = each.known
    if isinstance(known, CheckerAnalysis):
        return {move.text: move.equity_cubeful for move in known.moves}
    return {
        "no double": known.no_double,
        "double, take": known.double_take,
        "double, pass": known.double_pass,
    }


def _level(each: AnalysedDecision) -> str:
    known = each.known
    return known.moves[0].level if isinstance(known, CheckerAnalysis) else known.level


def _loss(error: float) -> str:
    return signed(-error, 3) if error else "0"


def list_lines(decisions: Sequence[AnalysedDecision], width: int | None = None) -> Lines:
    """Return a line for each decision: the action, its cost, the best action and its equity."""
    rows = [["Line", "Position", "Played", "Error", "", "Best", "Equity"]]
    for each in decisions:
        judgement = each.judgement
        rows.append(
            [
                str(each.listed.line),
                to_gnubg_id(each.listed.state),
                ABSENT if judgement is None else judgement.played,
                ABSENT if judgement is None else _loss(judgement.error),
                "" if judgement is None else mark(judgement.error).value,
                _best(each),
                signed(_equity(each)),
            ]
        )
    if width is None or table_width(rows) <= width:
        return aligned(rows, left=(1, 2, 4, 5))
    heads = [[line, error, marked, equity] for line, _, _, error, marked, _, equity in rows]
    below = [
        [best if played == ABSENT else f"{played}, best: {best}", place]
        for _, place, played, _, _, best, _ in rows[1:]
    ]
    return stacked(heads, below, (2,), width)
