"""The result of games of Threes! as a drawing: highest cards and scores.

Writes nothing.
"""

from __future__ import annotations

from engine_ext.threes.engine import SCORE_UNIT
from master.contract.views import AlternativeSummary, JobView
from master.games.job_words import Outcome
from master.games.threes.report import highest, interval, score_quantiles
from master.reports.svg_plot import Axes, Bar, bars_plot, spread_plot, stacked


def job_svg(view: JobView) -> str:
    """Return the drawing of a job that has a game; unknown scores are left out."""
    (found,) = view.alternatives
    plots = [_cards(view, found)]
    if found.quantiles:
        plots.append(_scores(found))
    return stacked(plots)


def job_outcomes(view: JobView) -> tuple[tuple[Outcome, ...], ...]:
    """Return the shares of highest cards in each alternative's games, the least card first."""
    return tuple(
        tuple(
            Outcome(f"highest card {card:,}" if card else "less", share)
            for card, share in highest(found).items()
            if share
        )
        for found in view.alternatives
    )


def _cards(view: JobView, found: AlternativeSummary) -> str:
    games = f"{found.trials:,} game{'s' if found.trials > 1 else ''}"
    axes = Axes(f"{view.label}: {games}", "highest card", "games, %, with 95 % intervals")
    bars = []
    for card, share in highest(found).items():
        low, high = interval(share, found.trials)
        label = f"{card:,}" if card else "less"
        bars.append(Bar(label, 100 * share, (100 * low, 100 * high)))
    return bars_plot(axes, bars)


def _scores(found: AlternativeSummary) -> str:
    last = len(found.quantiles) - 1
    points = [
        (max(1.0, quantile * SCORE_UNIT), 100 * step / last)
        for step, quantile in enumerate(found.quantiles)
    ]
    named = [
        (float(share), f"{share} %: {score:,.0f}")
        for share, score in score_quantiles(found).items()
    ]
    return spread_plot(Axes("Scores", "score", "games with at most that score, %"), points, named)
