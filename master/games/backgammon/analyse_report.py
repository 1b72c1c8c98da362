"""An analysed match, or a list: a JSON object with stable keys, rows of a CSV file, and tables.

Prints nothing.  Nothing in it depends on the analysers or on the time.

Errors and luck are in normalised equity (points of the cube as it stood); a `cost` is the same in
the unit named by `unit`: "points" (money play) or "mwc" (match winning chance).  Rates are per
decision.  A value is null if the decision was not analysed or the divisor is zero.

In the tables rates are in thousandths of a point of normalised equity (millipoints), as players
give them.  Each table's first line is its heading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum

from engine_ext.backgammon.analysis import CheckerAnalysis
from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met import kazaross_xg2
from engine_ext.backgammon.questions import AnalysisSettings
from master.games.backgammon.figure_rows import ABSENT, Unit, figure_sections, level_words
from master.games.backgammon.matches.figures import (
    Amount,
    Both,
    Counts,
    LuckMark,
    Mark,
    MatchFigures,
    PlayerFigures,
    mark,
)
from master.games.backgammon.matches.id_list import AnalysedDecision
from master.games.backgammon.matches.judging import ActionChoice, CubeMistake, Judgement
from master.games.backgammon.matches.profile import Performance, Profile
from master.games.backgammon.matches.record import AnalysedMatch
from master.reports.report import Report
from master.reports.tables import aligned, stacked, table_blocks, table_width
from master.reports.texts import printable, signed


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


def profile_report(profile: Profile, error_count: int) -> Report:
    """Return a player's performance: over time, by kind of decision, and the largest errors."""
    return {
        "overall": _performance(profile.overall),
        "months": [
            {"month": month or None, "matches": count} | _performance(own)
            for month, count, own in profile.months
        ],
        "matches": [
            {
                "file": match.name,
                "date": match.date or None,
                "opponents": list(match.opponents),
                "length": match.match.match.length,
            }
            | _performance(own)
            for match, own in profile.matches
        ],
        "kinds": {sort.value: _performance(own) for sort, own in profile.sorts},
        "errors": [
            {"file": match.name} | decision_report(each)
            for match, each in profile.worst[:error_count]
        ],
    }


def _performance(own: Performance) -> Report:
    return {
        "decisions": own.decisions,
        "counted_decisions": own.counted,
        "errors": own.errors,
        "error": own.loss,
        "pr": own.pr,
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


NAME_WIDTH_MAX = 24
"""Longer names are cut."""

NAME_WIDTH_MIN = 8
"""A name is cut to this length before columns go below each other."""

FIGURES_WIDTH = 39
"""Columns that labels and gaps take beside the two columns of figures."""

GAMES_WIDTH = 39
"""Columns that the games' table takes beside its names, each of which is in it up to five times."""

Lines = list[str]


def _name(match: AnalysedMatch, player: int, width_max: int = NAME_WIDTH_MAX) -> str:
    return printable(match.match.players[player])[:width_max] or f"player {player + 1}"


def _name_width(width: int | None, others: int, count: int) -> int:
    """Return the length of names that are in a row so many times, beside other columns."""
    if width is None:
        return NAME_WIDTH_MAX
    return max(NAME_WIDTH_MIN, min(NAME_WIDTH_MAX, (width - others) // count))


def figure_lines(
    match: AnalysedMatch,
    figures: MatchFigures,
    settings: AnalysisSettings | None,
    players: Sequence[int] = (0, 1),
    source: str = "analysis of the file",
    width: int | None = None,
) -> Lines:
    """Return the figures of the players asked for, side by side, or below each other.

    Args:
        match: the match with these figures.
        figures: of both players.
        settings: of the analysis; None: it comes from `source`.
        players: their numbers.
        source: describes an analysis with unknown settings.
        width: of the terminal; None: there is none.
    """
    name_width = _name_width(width, FIGURES_WIDTH, len(players))
    names = [_name(match, player, name_width) for player in players]
    rows = [["", *names]]
    for section in figure_sections(Unit(is_match=match.match.length > 0)):
        rows.append([""] * len(rows[0]))
        rows += [
            [label, *(cell(figures.match[player]) for player in players)] for label, cell in section
        ]
    level = source if settings is None else level_words(settings)
    return [_title(match, level), *_joined_blocks(table_blocks(rows, (0,), width))]


def _joined_blocks(blocks: Sequence[Lines]) -> Lines:
    """Return blocks of lines with an empty one between."""
    first, *others = blocks
    return [*first, *(line for block in others for line in ("", *block))]


def _title(match: AnalysedMatch, level: str) -> str:
    length = match.match.length
    what = f"{length}-point match" if length else "Money session"
    names = f"{_name(match, 0)} - {_name(match, 1)}"
    return f"{what}, {names}; {level}"


def game_lines(
    match: AnalysedMatch,
    figures: MatchFigures,
    players: Sequence[int] = (0, 1),
    width: int | None = None,
) -> Lines:
    """Return a line for each game: score before it, how it ended, PR and luck."""
    unit = Unit(is_match=match.match.length > 0)
    name_width = _name_width(width, GAMES_WIDTH, 1 + 2 * len(players))
    names = [_name(match, player, name_width) for player in players]
    heading = ["Game", "Score", "Won", *(f"PR {name}" for name in names)]
    rows = [[*heading, *(f"Luck {name}" for name in names)]]
    for index, both in figures.games:
        game = match.match.games[index]
        won = ABSENT
        if game.result is not None:
            won = f"{_name(match, game.result.winner, name_width)} {game.result.points}"
        own = [both[player] for player in players]
        prs = [ABSENT if each.pr is None else f"{each.pr:.2f}" for each in own]
        luck = [unit.luck(each.tally.luck) for each in own]
        rows.append([str(index + 1), f"{game.score[0]}-{game.score[1]}", won, *prs, *luck])
    columns = len(players)
    return _joined_blocks(table_blocks(rows, (2,), width, groups=(2, columns, columns)))


def error_lines(
    match: AnalysedMatch, figures: MatchFigures, count: int, width: int | None = None
) -> Lines:
    """Return the largest errors, each with the better play."""
    errors = figures.errors()
    if not errors or not count:
        return []
    unit = Unit(is_match=match.match.length > 0)
    listed = errors[:count]
    rows = [["Move", "Player", "Error", unit.name, "", "Position", "Roll", "Played", "Better"]]
    rows += [_error_row(match, each, unit) for each in listed]
    if width is None or table_width(rows) <= width:
        return aligned(rows, left=(0, 1, 4, 5, 6, 7, 8))
    heads = [[*row[:5], row[6]] for row in rows]
    below = [[f"{played}, better: {best}", place] for *_, place, _, played, best in rows[1:]]
    return stacked(heads, below, (0, 1, 4, 5), width)


def error_title(match: AnalysedMatch, each: Judgement) -> str:
    """Return place, player and size of an error, in one line."""
    unit = Unit(is_match=match.match.length > 0)
    place, name, error, cost, marked, *_ = _error_row(match, each, unit)
    return f"{place}  {name}: {error} ({cost} {unit.name})" + (f", {marked}" if marked else "")


def _error_row(match: AnalysedMatch, each: Judgement, unit: Unit) -> list[str]:
    roll = "" if each.dice is None else f"{each.dice[0]}{each.dice[1]}"
    return [
        f"{each.game + 1}.{each.action + 1}",
        _name(match, each.player),
        signed(-each.error, 3),
        unit.cost(-each.cost),
        mark(each.error).value,
        position_of(each),
        roll,
        each.played,
        each.best,
    ]


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
