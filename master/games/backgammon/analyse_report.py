"""An analysed match as data: a JSON object with stable keys, and rows of a CSV file.

Prints nothing.  Nothing in it depends on the analysers or on the time.

Errors and luck are in normalised equity (points of the cube as it stood); a `cost` is the same in
the unit named by `unit`: "points" (money play) or "mwc" (match winning chance).  Rates are per
decision.  A value is null if the decision was not analysed or the divisor is zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum

from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met import kazaross_xg2
from engine_ext.backgammon.questions import AnalysisSettings
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.figures import Both, MatchFigures, PlayerFigures
from master.games.backgammon.matches.judging import ActionChoice, CubeMistake, Judgement
from master.games.backgammon.matches.ratings import LuckMark, Mark, mark
from master.games.backgammon.matches.tally import Amount, Counts
from master.reports.report import Report


def match_report(
    match: AnalysedMatch,
    figures: MatchFigures,
    settings: AnalysisSettings | None,
    engine: str | None,
    table: MatchTable | None = None,
) -> Report:
    """Return the documented object.

    Args:
        match: the match.
        figures: drawn from it.
        settings: of the analysis; None: it came with the file.
        engine: digest of the engine that answered; None likewise.
        table: the match equities; None for the shipped ones.
    """
    record = match.match
    return {
        "players": list(record.players),
        "length": record.length,
        "unit": unit_of(match),
        "engine": engine,
        "settings": None if settings is None else settings_report(settings, table),
        "warnings": list(match.warnings),
        "skipped": [each.report() for each in match.skipped],
        "skipped_count": len(match.skipped),
        "match": _both(figures.match),
        "games": [
            {
                "game": index + 1,
                "score": list(record.games[index].score),
                "is_crawford": record.games[index].is_crawford,
                "result": _result(match, index),
                "players": _both(both),
            }
            for index, both in figures.games
        ],
        "decisions": [decision_report(each) for each in figures.decisions],
        "rolls": [
            {
                "game": roll.game + 1,
                "action": roll.action + 1,
                "player": roll.player,
                "luck": roll.luck,
                "cost": roll.cost,
            }
            for roll in figures.rolls
        ],
    }


def unit_of(match: AnalysedMatch) -> str:
    """Return the unit of costs."""
    return "mwc" if match.match.length else "points"


def settings_report(settings: AnalysisSettings, table: MatchTable | None) -> Report:
    """Return the levels, and the name of the match equities, which money play does not use."""
    rollout = settings.rollout
    return {
        "ply": settings.ply,
        "cube_ply": settings.cube_ply,
        "move_filter": settings.move_filter,
        "luck_ply": settings.luck_ply,
        "met": (kazaross_xg2() if table is None else table.met).name,
        "rollout_trials": None if rollout is None else rollout.trials,
        "rollout_seed": None if rollout is None else rollout.seed,
    }


def _result(match: AnalysedMatch, game: int) -> Report | None:
    result = match.match.games[game].result
    return None if result is None else {"winner": result.winner, "points": result.points}


def _both(both: Both) -> list[Report]:
    return [_player(each) for each in both]


def _player(figures: PlayerFigures) -> Report:
    tally = figures.tally
    return {
        "pr": figures.pr,
        "snowie_error_rate": figures.snowie_error_rate,
        "error": _amount(figures.error),
        "error_rate": figures.error_rate,
        "cost_rate": figures.cost_rate,
        "rating": figures.overall_rating,
        "counted_decisions": tally.counted.count,
        "checker": {
            "moves": tally.moves,
            "unforced": tally.unforced,
            "marks": _marks(tally.marks, Mark, first=1),
            "error": _amount(tally.checker),
            "error_rate": figures.checker_error_rate,
            "cost_rate": figures.checker_cost_rate,
            "rating": figures.checker_rating,
        },
        "cube": {
            "decisions": tally.cube_decisions,
            "close": tally.close,
            "doubles": tally.doubles,
            "takes": tally.takes,
            "passes": tally.passes,
            **{each.value: _amount(getattr(tally, each.value)) for each in CubeMistake},
            "error": _amount(tally.cube),
            "error_rate": figures.cube_error_rate,
            "cost_rate": figures.cube_cost_rate,
            "rating": figures.cube_rating,
        },
        "luck": {
            "rolls": tally.luck.count,
            "marks": _marks(tally.luck_marks, LuckMark),
            "total": tally.luck.normalised,
            "cost": tally.luck.cost,
            "rate": figures.luck_rate,
            "cost_rate": figures.luck_cost_rate,
            "rating": figures.luck_rating,
        },
        "result": figures.result,
        "luck_adjusted_result": figures.luck_adjusted_result,
    }


def _amount(amount: Amount) -> Report:
    return {"count": amount.count, "total": amount.normalised, "cost": amount.cost}


def _marks(counts: Counts, words: type[Enum], first: int = 0) -> Report:
    """Return the counts by mark from `first` on; unmarked decisions include unanalysed ones."""
    names = [word.name.lower() for word in words]
    return dict(zip(names[first:], counts.numbers[first:], strict=True))


def decision_report(decision: Judgement) -> Report:
    """Return one decision; games and actions are counted from 1, players from 0."""
    return {
        "game": decision.game + 1,
        "action": decision.action + 1,
        "player": decision.player,
        "choice": decision.choice.value,
        "position": position_of(decision),
        "dice": None if decision.dice is None else f"{decision.dice[0]}{decision.dice[1]}",
        "played": decision.played,
        "best": decision.best,
        "error": decision.error,
        "cost": decision.cost,
        "mark": mark(decision.error).value or None,
        "mistake": None if decision.mistake is None else decision.mistake.value,
        "is_close": decision.is_close,
        "is_counted": decision.is_counted,
        "level": decision.level,
    }


def position_of(decision: Judgement) -> str:
    """Return the GNUBG ID of a decision, with its dice or its pending double."""
    match = decision.state.match
    if decision.choice is ActionChoice.MOVE:
        match = replace(match, dice=decision.dice)
    return to_gnubg_id(replace(decision.state, match=match))


CSV_HEADINGS = (
    "game", "action", "player", "name", "choice", "position", "dice", "played", "best", "error",
    "cost", "mark", "mistake", "is_close", "is_counted", "level",
)  # fmt: skip


def csv_rows(match: AnalysedMatch, figures: MatchFigures) -> list[Sequence[object]]:
    """Return the headings and a row for each decision; keys are those of the JSON object."""
    rows: list[Sequence[object]] = [CSV_HEADINGS]
    for decision in figures.decisions:
        report = decision_report(decision) | {"name": match.match.players[decision.player]}
        rows.append([_cell(report[name]) for name in CSV_HEADINGS])
    return rows


def _cell(value: object) -> object:
    if value is None:
        return ""
    return int(value) if isinstance(value, bool) else value
