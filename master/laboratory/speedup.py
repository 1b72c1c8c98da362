"""Speed-up tables: the same positions searched by fleets of every size, in virtual time.

Times are in nodes. A speed-up is against the best that one processor can do for the same answer,
value and first best move: a sequential search, or the same scheduler with one analyser.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from engine_ext.search.bounds_tree import SPECULATION_MAX
from master.laboratory.laboratory import Run
from master.search.state import SearchCounts
from master.search.strategies import Sharing, Splitting, Strategy

Table = TypeVar("Table")


@dataclass(frozen=True, slots=True)
class Reference:
    """The work that one processor needs for a position without any scheduler.

    That a move is the first best one costs more than the value: those before it are to be proved
    worse, not only no better.

    Args:
        value: of the position.
        move: the first move in canonical order that has it; None: there is no move.
        nodes: to prove both, by the best of several ways.
    """

    value: int
    move: str | None
    nodes: int


@dataclass(frozen=True, slots=True)
class Simulation:
    """One position searched by one fleet.

    Args:
        run: its measurements.
        counts: those of the scheduler.
        wait_nodes: that one processor searched before the others could begin.
        guess_nodes: these, and those that it searched while they had begun.
    """

    run: Run
    counts: SearchCounts
    wait_nodes: int
    guess_nodes: int


@dataclass(frozen=True, slots=True)
class SpeedupRow:
    """A fleet's figures, summed over all positions.

    Args:
        processors: of all analysers; the master has one of its own.
        time: until the answers were known.
        nodes: searched by all.
        master: of the master's time.
        messages: in and out.
        entries: table entries, in and out.
        shot: hot spots split.
        handed_out: parts.
    """

    strategy: str
    processors: int
    time: float
    nodes: int
    master: float
    messages: int
    entries: int
    shot: int
    handed_out: int

    @property
    def useful(self) -> float:
        """Time that a processor searched, on average."""
        return self.nodes / self.processors


class UnansweredError(Exception):
    """A simulated search failed or gave a wrong answer: our mistake."""


def check_answer(name: str, reference: Reference, run: Run, move: str | None) -> None:
    """Compare a simulation's answer, whose move is given, with the sequential one.

    Raises:
        UnansweredError: it has none, or another one.
    """
    if run.answer is None:
        raise UnansweredError(f"the search of {name} ended without an answer")
    if (run.answer.value, move) != (reference.value, reference.move):
        raise UnansweredError(
            f"the search of {name} answered {run.answer.value:+d} {move}, "
            f"not {reference.value:+d} {reference.move}"
        )


def sum_up(strategy: str, processors: int, simulations: Iterable[Simulation]) -> SpeedupRow:
    """Add up a fleet's figures for all positions."""
    each = list(simulations)
    return SpeedupRow(
        strategy, processors,
        sum(one.wait_nodes + one.run.time for one in each),
        sum(one.guess_nodes + one.run.nodes for one in each),
        sum(one.run.master for one in each), sum(one.run.messages for one in each),
        sum(one.run.entries for one in each), sum(one.counts.shot for one in each),
        sum(one.counts.handed_out for one in each),
    )  # fmt: skip


def shared_tables(make: Callable[[int], Table], processors: int, workers: int) -> list[Table]:
    """Return each processor's table: those of one analyser share theirs, as shipped ones do.

    Args:
        make: one of so many analysers' tables.
        processors: in all.
        workers: an analyser's.
    """
    analysers = -(-processors // workers)
    tables = [make(analysers) for _ in range(analysers)]
    return [tables[number // workers] for number in range(processors)]


def baseline(references: Sequence[Reference], by_one: SpeedupRow) -> float:
    """Return the time that speed-ups are against."""
    return min(sum(each.nodes for each in references), by_one.time)


def ablations(strategy: Strategy) -> list[Strategy]:
    """Return a strategy and its variants, each without one of its means."""
    variants: dict[str, Callable[[Strategy], Strategy]] = {
        "no replication": lambda s: replace(s, sharing=Sharing.NONE),
        "all, by 10,000": lambda s: replace(s, sharing=Sharing.ALL, batch=10_000),
        "from depth 16": lambda s: replace(s, sharing=Sharing.FROM_DEPTH, news_depth=16),
        "from depth 18": lambda s: replace(s, sharing=Sharing.FROM_DEPTH, news_depth=18),
        "no shoot-down": lambda s: replace(s, splitting=Splitting.PLIES),
        "no shoot-down, 3 plies": lambda s: replace(s, splitting=Splitting.PLIES, plies=3),
        "at least one in two needed": lambda s: replace(s, rank_max=SPECULATION_MAX // 2),
    }
    found = [strategy]
    for name, change in variants.items():
        variant = change(strategy)
        if variant != strategy:
            found.append(replace(variant, name=name))
    return found
