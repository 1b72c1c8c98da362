"""The course of a job of trials: its means on the way, and the analysers that computed it.

Pictures of a job are drawn from these, beside its view.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ConvergencePoint:
    """All alternatives after a number of rounds.

    Args:
        rounds: whole rounds folded.
        means: of each alternative's ranking value; None: it had no trials any more.
        std_errors: of these means; None as well from a single trial.
    """

    rounds: int
    means: tuple[float | None, ...]
    std_errors: tuple[float | None, ...]


@dataclass(frozen=True, slots=True)
class JobConvergence:
    """The course of a job's means, from its stored trials.

    Args:
        points: by rounds, a few hundred at most; the last one is of all whole rounds read.
        is_behind: more is stored than was read by now; asked again, there is more.
    """

    points: tuple[ConvergencePoint, ...] = ()
    is_behind: bool = False


@dataclass(frozen=True, slots=True)
class FlowSample:
    """A job's trials at one moment.

    Args:
        at_s: since the job went on in this master.
        received: results that are known and count, all alternatives together.
        folded: of those the ones in the folded prefix.
    """

    at_s: float
    received: int
    folded: int


@dataclass(frozen=True, slots=True)
class JobFlow:
    """How results of a job came in since it went on in this master.

    Args:
        samples: by time, a few hundred at most; empty: it did not run in this master.
        by_analyser: names and how many folded trials are from them, the most first.
        stored: folded trials that were there when the job went on.
        is_live: it runs, and more is to come.
    """

    samples: tuple[FlowSample, ...] = ()
    by_analyser: tuple[tuple[str, int], ...] = ()
    stored: int = 0
    is_live: bool = False
