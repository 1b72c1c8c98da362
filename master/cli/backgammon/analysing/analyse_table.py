"""An analysed match as tables for people: figures of both players, games, largest errors.

Knows figures, words and columns; prints nothing.  Each table's first line is its heading.
Rates are in thousandths of a point of normalised equity (millipoints), as players say them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine_ext.backgammon.questions import AnalysisSettings
from master.cli.output import printable, signed
from master.games.backgammon.analyse_report import position_of
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.figures import MatchFigures, PlayerFigures
from master.games.backgammon.matches.judging import CubeMistake, Judgement
from master.games.backgammon.matches.ratings import mark
from master.games.backgammon.matches.tally import Amount
from master.reports.tables import aligned, stacked, table_blocks, table_width

NAME_WIDTH_MAX = 24
"""Longer names are cut."""

NAME_WIDTH_MIN = 8
"""A name is cut to so many characters before columns go below each other."""

FIGURES_WIDTH = 39
"""What labels and gaps take beside the two columns of figures."""

GAMES_WIDTH = 39
"""What the games' table takes beside its names, each of which is in it up to five times."""

ABSENT = "-"

Lines = list[str]


def _name(match: AnalysedMatch, player: int, width_max: int = NAME_WIDTH_MAX) -> str:
    return printable(match.match.players[player])[:width_max] or f"player {player + 1}"


def _name_width(width: int | None, others: int, count: int) -> int:
    """Return how long names may be that stand so many times beside so many other columns."""
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
        match: whose figures they are.
        figures: of both players.
        settings: of the analysis; None: it comes from `source`.
        players: their numbers.
        source: what is said of an analysis whose settings are not known.
        width: of the terminal; None: there is none.
    """
    name_width = _name_width(width, FIGURES_WIDTH, len(players))
    names = [_name(match, player, name_width) for player in players]
    rows = [["", *names]]
    for section in _sections(_Unit(is_match=match.match.length > 0)):
        rows.append([""] * len(rows[0]))
        rows += [
            [label, *(cell(figures.match[player]) for player in players)] for label, cell in section
        ]
    level = source if settings is None else _level(settings)
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


def _level(settings: AnalysisSettings) -> str:
    words = f"{settings.ply}-ply"
    if settings.cube_ply != settings.ply:
        words += f", cube {settings.cube_ply}-ply"
    if settings.rollout is not None:
        words += f", rolled out {settings.rollout.trials} times"
    return words


FigureCell = Callable[[PlayerFigures], str]
Section = list[tuple[str, FigureCell]]


class _Unit:
    """How amounts are written: points, or per cent of match winning chance."""

    def __init__(self, *, is_match: bool) -> None:
        self._is_match = is_match
        self.name = "mwc" if is_match else "points"

    def cost(self, cost: float) -> str:
        """Write a signed cost."""
        return f"{100 * cost:+.2f}%" if self._is_match else f"{cost:+.3f}"

    def loss(self, amount: Amount) -> str:
        """Write errors: a minus for what was lost."""
        if amount.normalised == 0.0:
            return "0"
        return f"{-amount.normalised:.3f} ({self.cost(-amount.cost)})"

    def rate(self, rate: float | None, cost_rate: float | None) -> str:
        """Write an error rate in millipoints, and what it costs each time."""
        if rate is None or cost_rate is None:
            return ABSENT
        return f"{1000 * rate:.1f} ({self.cost(cost_rate).removeprefix('+')})"

    def counted(self, amount: Amount) -> str:
        """Write how many errors, and what they come to."""
        return f"{amount.count}  {self.loss(amount)}" if amount.count else "0"


def _word(word: str | None) -> str:
    return ABSENT if word is None else word


def _sections(unit: _Unit) -> list[Section]:
    """Return the labels and what stands beside them."""
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


def _adjusted(own: PlayerFigures, unit: _Unit) -> str:
    adjusted = own.luck_adjusted_result
    return ABSENT if adjusted is None else unit.cost(adjusted)


def _millipoints(rate: float | None) -> str:
    return ABSENT if rate is None else f"{1000 * rate:.1f}"


def _checker_rows(unit: _Unit) -> Section:
    def checker_rate(own: PlayerFigures) -> str:
        return unit.rate(own.checker_error_rate, own.checker_cost_rate)

    return [
        ("Moves, unforced", lambda own: f"{own.tally.moves}, {own.tally.unforced}"),
        ("  doubtful, bad, very bad", lambda own: _joined(own.tally.marks.numbers[1:])),
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


def _cube_rows(unit: _Unit) -> Section:
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
        ("Cube decisions, close", lambda own: f"{own.tally.cube_decisions}, {own.tally.close}"),
        ("  doubles, takes, passes", actions),
        *((label, mistake(each.value)) for each, label in labels.items()),
        ("  errors", lambda own: unit.loss(own.tally.cube)),
        ("  error rate, a decision", cube_rate),
        ("  rating", lambda own: _word(own.cube_rating)),
    ]


def _luck_rows(unit: _Unit) -> Section:
    def luck(own: PlayerFigures) -> str:
        amount = own.tally.luck
        return f"{amount.normalised:+.3f} ({unit.cost(amount.cost)})" if amount.count else ABSENT

    def rate(own: PlayerFigures) -> str:
        if own.luck_rate is None or own.luck_cost_rate is None:
            return ABSENT
        return f"{1000 * own.luck_rate:+.1f} ({unit.cost(own.luck_cost_rate)})"

    def marks(own: PlayerFigures) -> str:
        very_lucky, lucky, _, unlucky, very_unlucky = own.tally.luck_marks.numbers
        return _joined((very_lucky, lucky, unlucky, very_unlucky))

    return [
        ("Luck", luck),
        ("  very lucky, lucky, un-, very un-", marks),
        ("  luck rate, a roll", rate),
        ("  rating", lambda own: _word(own.luck_rating)),
    ]


def _joined(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))


def game_lines(
    match: AnalysedMatch,
    figures: MatchFigures,
    players: Sequence[int] = (0, 1),
    width: int | None = None,
) -> Lines:
    """Return a line for each game: score before it, how it ended, PR and luck."""
    unit = _Unit(is_match=match.match.length > 0)
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
        luck = [unit.cost(each.tally.luck.cost) for each in own]
        rows.append([str(index + 1), f"{game.score[0]}-{game.score[1]}", won, *prs, *luck])
    columns = len(players)
    return _joined_blocks(table_blocks(rows, (2,), width, groups=(2, columns, columns)))


def error_lines(
    match: AnalysedMatch, figures: MatchFigures, count: int, width: int | None = None
) -> Lines:
    """Return the largest errors, each with what would have been better."""
    errors = figures.errors()
    if not errors or not count:
        return []
    unit = _Unit(is_match=match.match.length > 0)
    listed = errors[:count]
    rows = [["Move", "Player", "Error", unit.name, "", "Position", "Roll", "Played", "Better"]]
    rows += [_error_row(match, each, unit) for each in listed]
    if width is None or table_width(rows) <= width:
        return aligned(rows, left=(0, 1, 4, 5, 6, 7, 8))
    heads = [[*row[:5], row[6]] for row in rows]
    below = [[f"{played}, better: {best}", place] for *_, place, _, played, best in rows[1:]]
    return stacked(heads, below, (0, 1, 4, 5), width)


def error_title(match: AnalysedMatch, each: Judgement) -> str:
    """Return where an error was made, by whom, and how large it is, in one line."""
    unit = _Unit(is_match=match.match.length > 0)
    place, name, error, cost, marked, *_ = _error_row(match, each, unit)
    return f"{place}  {name}: {error} ({cost} {unit.name})" + (f", {marked}" if marked else "")


def _error_row(match: AnalysedMatch, each: Judgement, unit: _Unit) -> list[str]:
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
