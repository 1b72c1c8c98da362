"""The goal of a job of trials: when it has enough."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Goal:
    """The rules that end a job; the first that is met does. A search has none.

    Args:
        trials: games for each alternative; None: until another rule ends it. Of questions: how
            many.
        stop_se: end when the ranking value's standard error is at most this for every alternative
            that gets trials; None: no such rule.
        stop_settled: end when the best alternative leads each other one by so many standard errors
            of their paired difference, and give an alternative that trails by so much no more
            trials; None: no such rule.
    """

    trials: int | None = None
    stop_se: float | None = None
    stop_settled: float | None = None


NO_GOAL = Goal()
"""No rule is given; the goal of a search."""
