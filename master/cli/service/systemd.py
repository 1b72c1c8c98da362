"""The programs of systemd: units checked, started and stopped."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from master.cli.errors import CommandError, ExitCode

CALL_S_MAX = 120.0
"""A unit has 90 s to start."""


def is_running(*, is_user: bool) -> bool:
    """Whether a manager runs here that takes units."""
    if shutil.which("systemctl") is None:
        return False
    if not is_user:
        return Path("/run/systemd/system").is_dir()
    return (Path(os.environ.get("XDG_RUNTIME_DIR", "/nonexistent")) / "systemd/private").exists()


def faults(texts: Mapping[str, str], *, is_user: bool) -> list[str] | None:
    """Return what `systemd-analyze verify` says against units, by name; None: it is not here."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        return None
    with tempfile.TemporaryDirectory(prefix="manyply-units-") as folder:
        for name, text in texts.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        scope = ("--user",) if is_user else ()
        paths = [str(Path(folder) / name) for name in texts]
        # A user manager needs a folder for this, which a shell without a session has not.
        environ = {**os.environ, "XDG_RUNTIME_DIR": folder}
        done = run((analyze, *scope, "verify", "--man=no", *paths), environ)
    return [
        line.replace(f"{folder}/", "") for line in done.stderr.splitlines() if "manyply" in line
    ]


def call(*argv: str) -> None:
    """Run a program of systemd.

    Raises:
        CommandError: it failed; the text is its last line.
    """
    done = run(argv)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines() or [f"code {done.returncode}"]
        raise CommandError(f"{' '.join(argv)}: {said[-1]}", ExitCode.JOB_FAILED)


def last_words(unit: str, *, is_user: bool) -> str:
    """Return the last line that a unit's program has logged; empty: none is known."""
    if shutil.which("journalctl") is None:
        return ""
    scope = ("--user", f"_SYSTEMD_USER_UNIT={unit}") if is_user else (f"_SYSTEMD_UNIT={unit}",)
    argv = ("journalctl", *scope, "--lines", "1", "--output", "cat", "--no-pager", "--quiet")
    return run(argv).stdout.strip().removeprefix("Error: ")


def run(
    argv: Sequence[str], environ: Mapping[str, str] | None = None, timeout_s: float = CALL_S_MAX
) -> subprocess.CompletedProcess[str]:
    """Run a program without input to its end, and return what it printed.

    Raises:
        CommandError: it cannot be started, or has not ended in time.
    """
    try:
        return subprocess.run(
            argv, capture_output=True, text=True, errors="replace", check=False, timeout=timeout_s,
            stdin=subprocess.DEVNULL, env=environ,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        text = f"{argv[0]} has not ended after {timeout_s:g} s"
        raise CommandError(text, ExitCode.JOB_FAILED) from None
    except OSError as error:
        raise CommandError(f"{argv[0]}: {error}", ExitCode.JOB_FAILED) from None
