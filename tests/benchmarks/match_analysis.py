"""Seconds to analyse a whole match, ours beside gnubg's, each program as its user starts it.

Run as `python -m tests.benchmarks.match_analysis [--length N] [--seed N] [--plies 0,2]`.  gnubg
plays the match (0-ply, seeded dice) and writes it; both read that file and analyse moves, cube
actions and luck (at 0-ply).  Whole processes are timed, by the clock and by processor time, one
after the other in one run, each the best of RUNS; our bear-off tables are there already.  Both
keep the moves that gnubg's analysis keeps unless told otherwise, the filter `large`; ours is timed
with its own default too.  0-ply is on one core; deeper, both have two threads.  Last, both
analyse at 0-ply and write the match as HTML.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks import gnubg_program
from tests.benchmarks.measure import machine_description, print_table

ROOT = Path(__file__).parents[2]
RUNS = 2
THREADS = 2
TIMEOUT_S = 600.0


@dataclass(frozen=True)
class Timed:
    """One program's best run: seconds by the clock and of processor time."""

    name: str
    wall_s: float
    cpu_s: float


def play_match(gnubg: str, folder: Path, length: int, seed: int) -> Path:
    """Let gnubg play a match with itself; return the file."""
    levels = [
        f"set player {player} {what}"
        for player in (0, 1)
        for what in ("gnubg", "chequer evaluation plies 0", "cube evaluation plies 0")
    ]
    automatic = [f"set automatic {what} on" for what in ("game", "roll", "move", "bearoff")]
    dice = ["set rng mersenne", f"set seed {seed}"]
    path = folder / "match.mat"
    commands = [*dice, *levels, *automatic, f"new match {length}", f"export match mat {path}"]
    _run([gnubg, "-t", "-q", "-r"], folder, commands)
    return path


def our_time(name: str, file: Path, ply: int, *options: str) -> Timed:
    """Time `manyply analyse` on a state directory of its own: nothing is known beforehand."""
    command = [sys.executable, "-m", "master.cli", "analyse", str(file), "--json"]
    return _best(name, [*command, "--plies", str(ply), *options], [], is_one_core=ply == 0)


def gnubg_time(gnubg: str, file: Path, ply: int, page: Path | None = None) -> Timed:
    """Time gnubg's `analyse match`, the file's import included, and its HTML if asked for."""
    commands = [
        f"set threads {1 if ply == 0 else THREADS}",
        *(
            f"set analysis {what} evaluation plies {ply}"
            for what in ("chequerplay", "cubedecision")
        ),
        f"import mat {file}",
        "analyse match",
        *([] if page is None else [f"export match html {page}"]),
    ]
    return _best("gnubg", [gnubg, "-t", "-q", "-r"], commands, is_one_core=ply == 0)


def _best(name: str, argv: Sequence[str], typed: Sequence[str], *, is_one_core: bool) -> Timed:
    runs = [_timed(name, argv, typed, is_one_core=is_one_core) for _ in range(RUNS)]
    return Timed(name, min(each.wall_s for each in runs), min(each.cpu_s for each in runs))


def _timed(name: str, argv: Sequence[str], typed: Sequence[str], *, is_one_core: bool) -> Timed:
    cores = os.sched_getaffinity(0)
    with tempfile.TemporaryDirectory() as folder:
        before, started = _children_cpu_s(), time.monotonic()
        if is_one_core:
            os.sched_setaffinity(0, {min(cores)})
        try:
            _run(argv, Path(folder), typed)
        finally:
            os.sched_setaffinity(0, cores)
        return Timed(name, time.monotonic() - started, _children_cpu_s() - before)


def _children_cpu_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _run(argv: Sequence[str], home: Path, typed: Sequence[str]) -> str:
    """Run a program in an empty home, but with the bear-off tables; return what it printed."""
    homes = dict.fromkeys(("HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"), str(home))
    homes["XDG_CACHE_HOME"] = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    done = subprocess.run(
        list(argv),
        input="".join(f"{line}\n" for line in typed),
        env=os.environ | homes | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    return done.stdout


def decision_count(file: Path) -> int:
    """Return how many decisions the match has, by our analysis of it."""
    command = [sys.executable, "-m", "master.cli", "analyse", str(file), "--json", "--plies", "0"]
    with tempfile.TemporaryDirectory() as folder:
        return len(json.loads(_run(command, Path(folder), []))["decisions"])


def page_times(gnubg: str, file: Path) -> list[Timed]:
    """Time a match analysed at 0-ply and written as HTML."""
    ours, theirs = file.with_name("ours.html"), file.with_name("theirs.html")
    timed = [our_time("manyply", file, 0, "--html", str(ours)), gnubg_time(gnubg, file, 0, theirs)]
    for name, pages in (("manyply", [ours]), ("gnubg", list(file.parent.glob("theirs*.html")))):
        size = sum(page.stat().st_size for page in pages)
        print(f"{name}: {size / 1e3:,.0f} kB of HTML, files: {len(pages)}")
    return timed


def rows(level: str, timed: Sequence[Timed]) -> list[list[str]]:
    """Return a table's lines: level, program, seconds, and the peer's time in ours."""
    peer = timed[-1]
    return [
        [
            f"{level}, {each.name}",
            f"{each.wall_s:.2f}",
            f"{each.cpu_s:.2f}",
            f"{peer.wall_s / each.wall_s:.1f}",
        ]
        for each in timed
    ]


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--length", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plies", default="0,2", help="levels, separated by commas")
    asked = parser.parse_args(argv)
    gnubg = gnubg_program.find_gnubg()
    if gnubg is None:
        print(gnubg_program.ABSENT)
        return
    with tempfile.TemporaryDirectory() as folder:
        file = play_match(gnubg, Path(folder), asked.length, asked.seed)
        print(machine_description())
        print(f"{asked.length}-point match of seed {asked.seed}, {decision_count(file)} decisions")
        table: list[list[str]] = []
        for ply in map(int, asked.plies.split(",")):
            threads = [] if ply == 0 else ["--local", str(THREADS)]
            timed = [
                our_time("manyply", file, ply, *threads),
                our_time("manyply --filter large", file, ply, "--filter", "large", *threads),
                gnubg_time(gnubg, file, ply),
            ]
            table += rows(f"{ply}-ply", timed)
        table += rows("0-ply and HTML", page_times(gnubg, file))
        print_table(("", "wall s", "cpu s", "times"), table)


if __name__ == "__main__":
    main()
