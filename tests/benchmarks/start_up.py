"""How long short commands take, beside an empty program of the same interpreter.

Run as `python -m tests.benchmarks.start_up [--rounds 15] [--with-jobs]`.  Each round runs every
command once, so that a busy machine disturbs all alike; medians count, by the clock and of
processor time, and their ratio to `python -c pass`.  No master runs, and the state directory is
empty but for a short rollout with `--with-jobs`.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from master.cli.bench.bench_figures import cpu_description
from tests.benchmarks.measure import print_table

EMPTY = "python -c pass"
START = "4HPwATDgc/ABMA"
PROGRAM = Path(sys.executable).with_name("manyply")


class Case(NamedTuple):
    """A command, its environment, and the most times an empty program that it may take."""

    words: Sequence[str]
    environment: Mapping[str, str]
    bar: float | None


def tab(line: str) -> dict[str, str]:
    """Return the environment in which bash asks what goes on at the end of a line."""
    place = str(len(line.split(" ")) - 1)
    return {"_MANYPLY_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": place}


CASES = {
    EMPTY: Case((sys.executable, "-c", "pass"), {}, None),
    "manyply --help": Case((str(PROGRAM), "--help"), {}, 4),
    "manyply rollout --help": Case((str(PROGRAM), "rollout", "--help"), {}, 5),
    "manyply jobs": Case((str(PROGRAM), "jobs"), {}, 8),
    "TAB after `manyply `": Case((str(PROGRAM),), tab("manyply "), 5),
    "TAB after `manyply rollout --`": Case((str(PROGRAM),), tab("manyply rollout --"), 5),
    "TAB after `manyply show `": Case((str(PROGRAM),), tab("manyply show "), 5),
}


def environment_of(home: Path) -> dict[str, str]:
    """Return an environment whose user has no jobs, no master and no configuration."""
    kinds = ("STATE_HOME", "CONFIG_HOME", "CACHE_HOME", "DATA_HOME", "RUNTIME_DIR")
    return os.environ | {f"XDG_{kind}": str(home) for kind in kinds}


def run_once(case: Case, environment: Mapping[str, str]) -> tuple[float, float]:
    """Return the seconds that a command takes, by the clock and of processor time."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        case.words, env={**environment, **case.environment}, check=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    seconds, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, used


def measured(rounds: int, environment: Mapping[str, str]) -> dict[str, tuple[float, float]]:
    """Return the medians of each case after so many rounds, by turns."""
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in CASES}
    for _ in range(rounds):
        for name, case in CASES.items():
            runs[name].append(run_once(case, environment))
    return {
        name: (median(clock for clock, _ in each), median(used for _, used in each))
        for name, each in runs.items()
    }


def rows_of(found: Mapping[str, tuple[float, float]]) -> list[tuple[str, ...]]:
    """Return the table: milliseconds, and how many empty programs they are."""
    empty_clock, empty_used = found[EMPTY]
    return [
        (
            name, f"{clock * 1e3:.1f}", f"{clock / empty_clock:.1f}", f"{used * 1e3:.1f}",
            f"{used / empty_used:.1f}", "" if CASES[name].bar is None else f"{CASES[name].bar:g}",
        )
        for name, (clock, used) in found.items()
    ]  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--with-jobs", action="store_true", help="list a rollout, too")
    options = parser.parse_args(arguments)
    print(cpu_description())
    with TemporaryDirectory() as folder:
        environment = environment_of(Path(folder))
        if options.with_jobs:
            words = (str(PROGRAM), "rollout", START, "--trials", "36", "--local", "1")
            run_once(Case(words, {}, None), environment)
        found = measured(options.rounds, environment)
    headings = ("command", "ms", "times", "ms of processor", "times", "bar")
    print_table(headings, rows_of(found))


if __name__ == "__main__":
    main()
