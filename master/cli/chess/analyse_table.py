"""An analysed game of chess as tables for people."""

from __future__ import annotations

from master.games.chess.analysis.judging import Mark
from master.games.chess.analysis.report import SIDES, AnalysedGame, chances_trend, value_text
from master.reports.tables import aligned
from master.reports.texts import printable

BLOCKS = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588"
"""Of a curve in the terminal, the lowest first."""

CURVE_WIDTH_MAX = 76

_NAMES = {Mark.INACCURACY: "inaccuracies", Mark.MISTAKE: "mistakes", Mark.BLUNDER: "blunders"}

WIDTH_PLAIN = 100
"""Of lines where there is no terminal."""


def figure_lines(game: AnalysedGame) -> list[str]:
    """Return how well both sides played."""
    names = [printable(game.player(side))[:24] for side in SIDES]
    found = [game.figures(side) for side in SIDES]
    rows = [
        ("", *names),
        ("accuracy", *(_percent(each.accuracy) for each in found)),
        ("centipawns lost a move", *(_number(each.centipawns_lost) for each in found)),
        *((name, *(str(each.marks[mark]) for each in found)) for mark, name in _NAMES.items()),
    ]
    if any(each.unscored for each in found):
        rows.append(("unscored", *(str(each.unscored) for each in found)))
    return aligned(rows, left=(0,))


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f} %"


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.0f}"


def curve_line(game: AnalysedGame) -> str:
    """Return White's winning chances after each move, a block for one or several half-moves."""
    values = [value for _, value in chances_trend(game)]
    each = max(-(-len(values) // CURVE_WIDTH_MAX), 1)
    means = [sum(values[i : i + each]) / len(values[i : i + each])
             for i in range(0, len(values), each)]  # fmt: skip
    return "".join(BLOCKS[min(int(mean / 100 * len(BLOCKS)), len(BLOCKS) - 1)] for mean in means)


def error_lines(game: AnalysedGame, count: int, width: int | None) -> list[str]:
    """Return the moves that lost most, in the order of the game, and the better moves."""
    bad = [move for move in game.moves if move.mark is not Mark.GOOD]
    worst = sorted(bad, key=lambda move: (-move.lost, move.number))[:count]
    room = WIDTH_PLAIN if width is None else width
    rows = [
        (f"{game.name(move)}{move.mark.value}", f"-{move.lost:.0f} %",
         f"{value_text(move.before.value)} to {value_text(move.value)}", game.better(move))
        for move in sorted(worst, key=lambda move: move.number)
    ]  # fmt: skip
    if not rows:
        return []
    lines = aligned([("move", "chances", "value", "better"), *rows], left=(0, 2, 3))
    return [line[:room].rstrip() for line in lines]
