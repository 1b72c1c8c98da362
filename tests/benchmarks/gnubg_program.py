"""GNU Backgammon as a program (Debian's package gnubg), driven by its commands.

Knows its command language and what it prints.  It reports rollouts to a terminal only,
so it is given a pseudo-terminal; its built-in Python tells the processor time.
"""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Sequence

from tests.benchmarks.rolled_out import RolledOut, RolloutSettings

ABSENT = "gnubg is not installed (Debian's package gnubg): its figures are left out"

TIMEOUT_S = 900.0
"""Longest run: 24 trials a second and a busy machine make some ten thousand trials."""

READ_BYTES = 65536

_FLOAT = r"[+-]?\d+\.\d+"
_SIDES = rf"({_FLOAT}) +({_FLOAT}) +({_FLOAT}) +- +{_FLOAT} +({_FLOAT}) +({_FLOAT})"
_EQUITIES = rf" +CL +({_FLOAT})(?: +CF +({_FLOAT}))?"
_RESULT = re.compile(
    rf"Printing final results\.\s+Current Position:\s+{_SIDES}{_EQUITIES}"
    rf"\s+\[ *{_SIDES}{_EQUITIES}.*?cpu_s=({_FLOAT})",
    re.DOTALL,
)
_CALIBRATION = re.compile(
    rf"Calibration result: (\d+) static.*?wall_s=({_FLOAT}) cpu_s=({_FLOAT})", re.DOTALL
)

_START_CLOCKS = "> import time; wall, cpu = time.time(), time.process_time()"
_STOP_CLOCKS = '> print("wall_s=%.6f cpu_s=%.6f" % (time.time() - wall, time.process_time() - cpu))'


class GnubgError(RuntimeError):
    """gnubg did not print what was expected."""


def find_gnubg() -> str | None:
    """Return the program's path; Debian keeps it outside the usual PATH."""
    return shutil.which("gnubg", path=f"{os.environ.get('PATH', os.defpath)}:/usr/games")


def static_evals_per_s(gnubg: str, iterations: int) -> float:
    """Return evaluations a second of processor time, by `calibrate`."""
    commands = ["set threads 1", _START_CLOCKS, f"calibrate {iterations}", _STOP_CLOCKS]
    output = run_commands(gnubg, commands)
    match = _CALIBRATION.search(output)
    if match is None:
        raise GnubgError(f"gnubg printed no calibration: {output[-500:]}")
    rate, wall_s, cpu_s = map(float, match.groups())
    return rate * wall_s / cpu_s


def roll_out(gnubg: str, gnubg_ids: Sequence[str], settings: RolloutSettings) -> list[RolledOut]:
    """Roll positions out, each given with its match ID, which says whether Jacoby holds."""
    commands = _settings_commands(settings)
    for gnubg_id in gnubg_ids:
        commands += [f"set gnubgid {gnubg_id}", _START_CLOCKS, "rollout", _STOP_CLOCKS]
    output = run_commands(gnubg, commands)
    results = [_rolled_out(match, settings) for match in _RESULT.finditer(output)]
    if len(results) != len(gnubg_ids):
        count = f"{len(results)} rollouts of {len(gnubg_ids)}"
        raise GnubgError(f"gnubg printed {count}: {output[-500:]}")
    return results


def _rolled_out(match: re.Match[str], settings: RolloutSettings) -> RolledOut:
    texts = match.groups()
    means, errors = texts[:7], texts[7:14]
    return RolledOut(settings.trials, float(texts[14]), _numbers(means), _numbers(errors))


def _numbers(texts: Sequence[str | None]) -> tuple[float, ...]:
    """Return seven numbers; a cubeless rollout prints no cubeful equity."""
    *first, cubeless, cubeful = texts
    return tuple(float(text or "nan") for text in (*first, cubeless, cubeful or cubeless))


def _on(is_on: bool) -> str:
    return "on" if is_on else "off"


def _settings_commands(settings: RolloutSettings) -> list[str]:
    rollout = [
        f"trials {settings.trials}",
        f"seed {settings.seed}",
        f"varredn {_on(settings.is_variance_reduced)}",
        f"cubeful {_on(settings.is_cubeful)}",
        "quasirandom on",
        "initial off",
        "truncation enable off",
        "later enable off",
        "limit enable off",
        "jsd stop off",
        "bearofftruncation exact on",
        "bearofftruncation onesided on",
    ]
    for player in (0, 1):
        for choice in ("chequerplay", "cubedecision"):
            rollout.append(f"player {player} {choice} plies 0")
            rollout.append(f"player {player} {choice} noise 0")
            rollout.append(f"player {player} {choice} cubeful {_on(settings.is_cubeful)}")
    general = ["threads 1", "output digits 6", "confirm new off", "beavers 0"]
    general += ["automatic game off", "automatic roll off"]
    commands = [f"set {words}" for words in general] + [f"set rollout {words}" for words in rollout]
    return [*commands, "set player 0 human", "new session"]


def run_commands(gnubg: str, commands: Sequence[str]) -> str:
    """Return what gnubg prints to a terminal when it is given these lines.

    Its home is an empty directory, so that no user's settings matter.
    """
    with tempfile.TemporaryDirectory() as home, tempfile.TemporaryFile("w+") as script:
        script.write("\n".join(commands) + "\n")
        script.seek(0)
        ours, its = pty.openpty()
        process = subprocess.Popen(
            [gnubg, "-t", "-q", "-r"],
            stdin=script,
            stdout=its,
            stderr=its,
            cwd=home,
            env=os.environ | {"HOME": home, "LC_ALL": "C.UTF-8"},
        )
        os.close(its)
        killer = threading.Timer(TIMEOUT_S, process.kill)
        killer.start()
        try:
            output = _read_to_end(ours)
        finally:
            killer.cancel()
            process.kill()
            process.wait()
            os.close(ours)
    return output.replace("\r", "\n")


def _read_to_end(terminal: int) -> str:
    pieces: list[bytes] = []
    while True:
        try:
            piece = os.read(terminal, READ_BYTES)
        except OSError:  # Linux ends a pseudo-terminal whose program has gone by EIO
            piece = b""
        if not piece:
            return b"".join(pieces).decode("utf-8", "replace")
        pieces.append(piece)
