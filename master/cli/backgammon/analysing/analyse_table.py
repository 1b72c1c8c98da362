"""An analysed match as tables for people: figures of both players, games, largest errors.

Each table's first line is its heading. Rates are in thousandths of a point of normalised equity
(millipoints), as players give them.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine_ext.backgammon.questions import AnalysisSettings
from master.games.backgammon.analyse_report import position_of
from master.games.backgammon.figure_rows import ABSENT, Unit, figure_sections, level_words
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.figures import MatchFigures
from master.games.backgammon.matches.judging import Judgement
from master.games.backgammon.matches.ratings import mark
from master.reports.tables import aligned, stacked, table_blocks, table_width
from master.reports.texts import printable, signed

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
