"""A job of Threes! games: its state, and its result as an object and as lines.

Prints nothing.  A rate's interval is Wilson's, of 95 %, which suits counts of games at every rate.
Quantiles are of scores rounded to within 0.2 % (master.fold.sums).
"""

from __future__ import annotations

from math import sqrt

from engine_ext.threes.context import ThreesContext
from engine_ext.threes.engine import CARDS, SCORE_UNIT
from master.contract.views import AlternativeSummary, JobView
from master.games.job_words import JobWords
from master.reports.job_table import settings_of
from master.reports.report import Report

Z = 1.959963984540054
"""Of a normal distribution, 95 % are within so many standard deviations."""

QUANTILES = (5, 25, 50, 75, 95)
"""Percent of the games, each with the score that so many of them do not exceed."""

BAR_WIDTH = 40
"""Of the histogram's longest bar."""


def interval(rate: float, games: int) -> tuple[float, float]:
    """Return the bounds of a rate's 95 % interval, by Wilson's score.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    1927.
    """
    spread = Z * Z / games
    middle = (rate + spread / 2) / (1 + spread)
    reach = Z * sqrt(rate * (1 - rate) / games + spread / (4 * games)) / (1 + spread)
    low = max(0.0, middle - reach) if rate > 0 else 0.0
    high = min(1.0, middle + reach) if rate < 1 else 1.0
    return low, high


def reached(found: AlternativeSummary) -> dict[int, float]:
    """Return the share of games that reached each card."""
    return dict(zip(CARDS, found.means[1 : 1 + len(CARDS)], strict=True))


def highest(found: AlternativeSummary) -> dict[int, float]:
    """Return the share of games by their highest card; 0 means less than the first card."""
    rates = reached(found)
    behind = [*list(rates.values())[1:], 0.0]
    shares = {card: rate - more for (card, rate), more in zip(rates.items(), behind, strict=True)}
    return {0: 1.0 - rates[CARDS[0]], **shares}


def score(found: AlternativeSummary) -> tuple[float, float | None]:
    """Return the mean score and its standard error."""
    error = found.std_errors[-1]
    return found.means[-1] * SCORE_UNIT, None if error is None else error * SCORE_UNIT


def score_quantiles(found: AlternativeSummary) -> dict[int, float]:
    """Return the scores that QUANTILES percent of the games do not exceed; empty if unknown."""
    steps = len(found.quantiles) - 1
    shares = QUANTILES if found.quantiles else ()
    return {share: found.quantiles[share * steps // 100] * SCORE_UNIT for share in shares}


def job_report(view: JobView) -> Report:
    """Return the object; nothing in it depends on the fleet or the time."""
    document: Report = {
        "job": view.job,
        "games": 0,
        "stopped_by": view.stopped_by or None,
        "engine": view.engine,
        "settings": settings_of(view.context),
    }
    if not view.alternatives:
        return document
    (found,) = view.alternatives
    mean, error = score(found)
    document |= {
        "games": found.trials,
        "score": {
            "mean": mean,
            "std_error": error,
            "quantiles": {f"{share}": x for share, x in score_quantiles(found).items()} or None,
        },
        "moves": {"mean": found.means[0], "std_error": found.std_errors[0]},
        "reached": [
            {"card": card, "rate": rate, "interval": list(interval(rate, found.trials))}
            for card, rate in reached(found).items()
        ],
    }
    return document


def job_lines(view: JobView, width: int | None = None) -> list[str]:
    """Return the result for people: score, moves, quantiles, a histogram of the highest card."""
    if not view.alternatives:
        return ["no game is finished yet"]
    (found,) = view.alternatives
    mean, error = score(found)
    tail = "" if error is None else f" +- {Z * error:,.0f}"
    games = f"{found.trials:,} game{'s' if found.trials > 1 else ''}"
    lines = [
        f"{games}: score {mean:,.0f}{tail}, {found.means[0]:,.0f} moves each",
        *_quantile_lines(found),
        f"{'':>8}  {'reached':>8}  {'95 % interval':>17}  highest card",
    ]
    shares, rates = highest(found), reached(found)
    longest = max(shares.values())
    room = BAR_WIDTH if width is None else max(1, min(BAR_WIDTH, width - 52))
    for card, share in shares.items():
        bar = "#" * round(share / longest * room) if longest else ""
        head = f"{card:>8,}" if card else f"{'less':>8}"
        if card:
            low, high = interval(rates[card], found.trials)
            head += f"  {rates[card]:>8.2%}  {low:>7.2%} - {high:>7.2%}"
        else:
            head += f"{'':29}"
        lines.append(f"{head}  {share:>7.2%} {bar}".rstrip())
    return lines


def _quantile_lines(found: AlternativeSummary) -> list[str]:
    """Return two lines, shares of the games above the scores they do not exceed."""
    scores = score_quantiles(found)
    if not scores:
        return []
    heading = "of games" + "".join(f"{f'{share} %':>10}" for share in scores)
    return [heading, "score to" + "".join(f"{x:>10,.0f}" for x in scores.values())]


def _rows(view: JobView, width: int) -> list[str]:
    (found,) = view.alternatives
    mean, _ = score(found)
    rates = reached(found)
    shown = [card for card in CARDS if rates[card] > 0.0][-4:]
    heading = f"{'':8}{'Score':>10}{'Moves':>8}" + "".join(f"{card:>8}" for card in shown)
    row = f"{'games':8}{mean:>10,.0f}{found.means[0]:>8,.0f}"
    row += "".join(f"{rates[card]:>8.1%}" for card in shown)
    return [heading, row]


def _best(view: JobView) -> str:
    (found,) = view.alternatives
    mean, error = score(found)
    tail = "" if error is None else f" [{error:,.0f}]"
    return f"score {mean:,.0f}{tail}, 3072 in {reached(found)[3072]:.1%}"


WORDS = JobWords(_rows, _best)


def label(context: ThreesContext) -> str:
    """Return the name of a job of games."""
    return f"Threes!, {context.lookahead.words}, seed {context.seed}"
