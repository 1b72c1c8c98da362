"""The curves of a review's page: the lead, luck and errors over the whole match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from master.games.backgammon.figure_rows import Unit
from master.games.backgammon.review.trend import GameTrend, Step, trend
from master.games.backgammon.review.turns import MatchReview
from master.games.backgammon.review.wording import done, error_words, place, unit_of
from master.reports.trend_plot import Border, Panel, Point, Target, trend_plot

NAMED_SHARE = 0.1
"""A game with at least this share of the plot has the label `Game 3`, a shorter one `3`."""


def trend_parts(review: MatchReview) -> Iterator[str]:
    """Yield the section of the curves; nothing for a match without actions."""
    games = trend(review)
    steps = [step for game in games for step in game.steps]
    if not steps:
        return
    unit = unit_of(review)
    panels = [_match_values(review, games), _errors(review, unit, steps)]
    if any(step.turn.luck is not None for step in steps):
        panels.insert(1, _luck(review, unit, steps))
    borders, first = [], 0
    for game in games:
        number = game.review.index + 1
        is_long = len(game.steps) >= NAMED_SHARE * len(steps)
        borders.append(Border(first, f"Game {number}" if is_long else f"{number}", f"#g{number}"))
        first += len(game.steps)
    targets = [
        Target(f"#m{place(step.turn)}", _hint(review, unit, step), bool(error_words(step.turn)))
        for step in steps
    ]
    yield '<section class="wide"><h2>Course of the match</h2>'
    yield from trend_plot(panels, targets, borders)
    yield '<p class="small">Click a step to go to its move.</p>'
    yield "</section>"


def _hint(review: MatchReview, unit: Unit, step: Step) -> str:
    """Return a description of a step, in one line."""
    turn = step.turn
    words = f"{place(turn)} {review.names[turn.player]}: {done(turn)}"
    if step.match_value is not None:
        words += f"; {_match_value_text(review, step.match_value)}"
    return words + (f"; {error_words(turn)} ({unit.cost(-turn.cost)})" if turn.error else "")


def _match_value_text(review: MatchReview, value: float) -> str:
    if review.analysed.match.length:
        return f"{review.names[0]} {100 * value:.1f} %"
    return f"{review.names[0]} {value:+z.2f}"


def _match_values(review: MatchReview, games: Sequence[GameTrend]) -> Panel:
    lines, first = list[list[Point]](), 0
    for game in games:
        line: list[Point] = [(first, game.before)]
        line += [
            (first + number, step.match_value)
            for number, step in enumerate(game.steps, start=1)
            if step.match_value is not None
        ]
        first += len(game.steps)
        if game.after is not None:
            line.append((first, game.after))
        lines.append(line)
    one, other = review.names
    if review.analysed.match.length:
        labels = [(1.0, f"{one} 100 %"), (0.5, "50 %"), (0.0, f"{other} 100 %")]
        return Panel("Match winning chance", (0.0, 1.0), labels, lines, height=180)
    most = max(1.0, *(abs(y) for line in lines for _, y in line))
    labels = [(most, f"{one} +{most:.1f}"), (0.0, "0"), (-most, f"{other} +{most:.1f}")]
    return Panel("Points ahead, with the equity of the game", (-most, most), labels, lines,
                 height=180)  # fmt: skip


def _luck(review: MatchReview, unit: Unit, steps: Sequence[Step]) -> Panel:
    line: list[Point] = [(0, 0.0), *((x, each.luck) for x, each in enumerate(steps, start=1))]
    most = max(0.01, *(abs(y) for _, y in line))
    labels = _mirrored(review, unit, most)
    return Panel("Luck so far", (-most, most), labels, [line], height=110)


def _errors(review: MatchReview, unit: Unit, steps: Sequence[Step]) -> Panel:
    bars = [
        (x, -each.turn.cost if each.turn.player else each.turn.cost) for x, each in enumerate(steps)
    ]
    most = max(0.01, *(abs(y) for _, y in bars))
    labels = _mirrored(review, unit, most)
    return Panel("Errors, by what they cost", (-most, most), labels, (), bars, height=110)


def _mirrored(review: MatchReview, unit: Unit, most: float) -> list[tuple[float, str]]:
    """Return the labels of an axis on which player 0 is above and player 1 below."""
    size = unit.cost(most).removeprefix("+")
    one, other = review.names
    return [(most, f"{one} {size}"), (0.0, ""), (-most, f"{other} {size}")]
