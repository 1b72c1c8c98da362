"""Cube answers of random bear-offs at match scores, beside an exact solver and gnubg's 2-ply.

Run as `python -m tests.benchmarks.backgammon_bearoffs [--count N] [--seed S] [--fractions]
[--no-exact]`.  Up to six checkers a side, at random scores and cubes.  The exact solver is plain
Python (tests/engine_ext/backgammon/exact_bearoffs.py) and takes seconds a position, with fractions
instead of floats a minute.  gnubg's 2-ply is Debian's program; it is no exact value itself.  The
last lines are what filling the whole of a score costs in time and memory.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Sequence
from fractions import Fraction

from engine_ext.backgammon.board import Position
from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.match_bearoff import kept_bytes, match_equities
from engine_ext.backgammon.play import decide_cube
from tests.benchmarks import gnubg_program
from tests.benchmarks.measure import print_table
from tests.engine_ext.backgammon.exact_bearoffs import BearOff, random_bear_offs
from tests.engine_ext.backgammon.gnubg_hints import hints

COUNT = 200
SEED = 19
MEBIBYTE = 2**20
FILLED_LENGTHS = (7, 25)

Answers = tuple[float, float]
"""Equities of no double and of double, take."""


def ours(case: BearOff) -> Answers:
    """Return our answers."""
    decision = decide_cube(case.state)
    return decision.no_double, decision.double_take


def gnubg_answers(cases: Sequence[BearOff], ply: int) -> list[Answers | None]:
    """Return gnubg's answers at a ply; None where it finds no cube question."""
    ids = [to_gnubg_id(case.state) for case in cases]
    found = hints(ids, f"set evaluation cubedecision eval plies {ply}")
    return [None if one is None else (one.no_double, one.double_take) for one in found]


def errors(known: Sequence[Answers], others: Sequence[Answers | None]) -> list[tuple[float, float]]:
    """Return the absolute differences, where the others have an answer."""
    return [
        (abs(one[0] - other[0]), abs(one[1] - other[1]))
        for one, other in zip(known, others, strict=True)
        if other is not None
    ]


def row(name: str, differences: Sequence[tuple[float, float]]) -> tuple[str, ...]:
    """Return a line of the table: the mean of both errors, and the largest."""
    count = len(differences)
    means = [sum(column) / count for column in zip(*differences, strict=True)]
    largest = max(map(max, differences))
    return name, str(count), *(f"{mean:.7f}" for mean in means), f"{largest:.7f}"


def _fill(length: int) -> tuple[str, ...]:
    """Solve nearly all there is of a score, as a long rollout does, with the cube centred."""
    slots = [9, 0, 0, 0, 0, 0, 6] + [0] * 19
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    kept, start = kept_bytes(), time.process_time()
    match_equities(Position(slots, slots), Cube(match_length=length))
    spent = time.process_time() - start
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    planes = (kept_bytes() - kept) / MEBIBYTE
    return f"to {length} points", f"{spent:.2f}", f"{planes:.0f}", f"{grown / MEBIBYTE:.0f}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--fractions", action="store_true")
    parser.add_argument("--no-exact", action="store_true")
    options = parser.parse_args(arguments)
    cases = random_bear_offs(options.seed, options.count)
    ours(cases[0])  # the tables are read
    filled = [_fill(length) for length in FILLED_LENGTHS]
    start = time.process_time()
    known = [ours(case) for case in cases]
    spent = time.process_time() - start
    rows = []
    if not options.no_exact:
        number = Fraction if options.fractions else float
        exact = [case.answers(number) for case in cases]
        rows.append(row("exact solver", errors(known, exact)))
    if gnubg_program.find_gnubg() is None:
        print(gnubg_program.ABSENT)
    else:
        for ply in (0, 2):
            rows.append(row(f"gnubg {ply}-ply", errors(known, gnubg_answers(cases, ply))))
    headings = ("mean difference to", "positions", "no double", "double, take", "largest")
    print_table(headings, rows)
    print(f"ours: {1000 * spent / len(cases):.1f} ms a position")
    print_table(("a score filled", "cpu s", "MiB of planes", "MiB grown"), filled)


if __name__ == "__main__":
    main()
