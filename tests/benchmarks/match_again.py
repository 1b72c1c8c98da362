"""Seconds to analyse a match, and to analyse it again: what is kept is not computed twice.

Run as `python -m tests.benchmarks.match_again [--length N] [--seed N] [--plies N]`.  gnubg plays
the match (see match_analysis) and each line is one run of `manyply analyse FILE --json` as its user
starts it, on one state directory: first at the level, then again, then with one setting changed
each.  What changes which decisions are looked at or listed asks nothing new; another level asks
about all of them again.  0-ply is computed on the spot each time, and nothing of it is kept.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.benchmarks import gnubg_program
from tests.benchmarks.match_analysis import ROOT, decision_count, play_match
from tests.benchmarks.measure import machine_description, print_table

TIMEOUT_S = 600.0


def seconds(file: Path, home: Path, *options: str) -> float:
    """Time one run of the command on a state directory."""
    command = [sys.executable, "-m", "master.cli", "analyse", str(file), "--json", *options]
    homes = dict.fromkeys(
        ("HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"), str(home)
    )
    homes["XDG_CACHE_HOME"] = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    env = os.environ | homes | {"PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": str(home / "code")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program is compiled
    began = time.monotonic()
    subprocess.run(command, env=env, capture_output=True, timeout=TIMEOUT_S, check=True)
    return time.monotonic() - began


def timed(file: Path, home: Path, ply: int) -> Iterator[tuple[str, float]]:
    """Yield what is done and how long it takes, in the order in which it is done."""
    level = ("--plies", str(ply))
    yield "first", seconds(file, home, *level)
    yield "again", seconds(file, home, *level)
    yield "again, the first game alone", seconds(file, home, *level, "--games", "1")
    yield "again, cube at 1-ply", seconds(file, home, *level, "--cube-plies", "1")
    rollout = ("--rollout", "36", "--rollout-errors")
    yield "again, errors of .12 rolled out", seconds(file, home, *level, *rollout, "0.12")
    yield "again, errors of .10 rolled out", seconds(file, home, *level, *rollout, "0.10")
    yield "again, filter large", seconds(file, home, *level, "--filter", "large")


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--length", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plies", type=int, default=2)
    asked = parser.parse_args(argv)
    gnubg = gnubg_program.find_gnubg()
    if gnubg is None:
        print(gnubg_program.ABSENT)
        return
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as home:
        file = play_match(gnubg, Path(folder), asked.length, asked.seed)
        print(machine_description())
        print(f"{asked.length}-point match of seed {asked.seed}, {decision_count(file)} decisions")
        seconds(file, Path(home), "--plies", "0")  # the code is compiled, the tables are there
        print_table(
            ("", "wall s", "of the first"), rows(list(timed(file, Path(home), asked.plies)))
        )


def rows(measured: Sequence[tuple[str, float]]) -> list[list[str]]:
    """Return a table's lines: what was done, its seconds, and their share of the first one's."""
    first = measured[0][1]
    return [[name, f"{each:.2f}", f"{100 * each / first:.0f} %"] for name, each in measured]


if __name__ == "__main__":
    main()
