"""Tests that take long run when the files that they are about have changed since they last passed.

A subject names those files.  `tests/passed.json` holds a digest of each subject's files; a test of
a subject is left out while its digest is the same.  `pytest -m everything` leaves nothing out, and
`--record-passed` writes the digests anew when all tests of a run have passed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PASSED = ROOT / "tests" / "passed.json"

LINT = "lint"
"""Format, types, stubs and the rules of the house: no subject but a run of its own, `-m lint`."""

NOT_SOURCES = {".so", ".pyc", ".html", ".md"}
"""Endings of what is built, or is prose."""

SUBJECTS: dict[str, tuple[str, ...]] = {
    "benchmarks": ("tests/benchmarks",),
    "fleets": ("master/fleets", "tests/daemons/fleets", "deploy"),
    "training": (
        "engine_ext/backgammon/training",
        "engine_ext/chess/training",
        "engine_ext/othello/training",
        "engine_ext/threes/training",
        "tests/engine_ext/backgammon/training",
        "tests/engine_ext/chess/training",
        "tests/engine_ext/othello/training",
        "tests/engine_ext/threes/training",
    ),
}
"""Folders and files of each subject: its code and its tests."""

FOLDERS = {
    "tests/benchmarks": "benchmarks",
    "tests/daemons/fleets": "fleets",
    "tests/tidy": LINT,
}
"""Folders whose tests all are of one subject; single tests have `@pytest.mark.when_changed`."""


def subject_of(path: Path, root: Path = ROOT) -> str | None:
    """Return the subject that a test file's folder gives it, if any."""
    inside = path.relative_to(root)
    if "training" in inside.parts:
        return "training"
    return next((FOLDERS[str(folder)] for folder in inside.parents if str(folder) in FOLDERS), None)


def digest_of(paths: tuple[str, ...], root: Path = ROOT) -> str:
    """Return a digest of all source files in these folders, in the order of their names."""
    total = hashlib.sha256()
    for name in paths:
        top = root / name
        files = [top] if top.is_file() else sorted(top.rglob("*"))
        for file in files:
            if _is_source(file):
                total.update(
                    f"{file.relative_to(root).as_posix()} {file.stat().st_size}\n".encode()
                )
                total.update(file.read_bytes())
    return total.hexdigest()[:16]


def digests(root: Path = ROOT) -> dict[str, str]:
    """Return the digest of each subject's files today."""
    return {subject: digest_of(paths, root) for subject, paths in sorted(SUBJECTS.items())}


def unchanged_subjects(root: Path = ROOT) -> set[str]:
    """Return the subjects whose files are those that passed."""
    passed = json.loads(PASSED.read_text()) if PASSED.exists() else {}
    return {subject for subject, digest in digests(root).items() if passed.get(subject) == digest}


def left_out(markexpr: str, named: Sequence[str], root: Path = ROOT) -> list[str]:
    """Return what a run leaves out: nothing where files or tests are named.

    Args:
        markexpr: of the run's `-m`.
        named: files and tests that the run names.
        root: of the tree.
    """
    if "everything" in markexpr or named:
        return []
    subjects = unchanged_subjects(root)
    return sorted(subjects if LINT in markexpr else subjects | {LINT})


def record_passed(root: Path = ROOT) -> None:
    """Write down that the tests of all subjects have passed with today's files."""
    PASSED.write_text(json.dumps(digests(root), indent=2) + "\n")


def _is_source(path: Path) -> bool:
    if path.suffix in NOT_SOURCES or "__pycache__" in path.parts or not path.is_file():
        return False
    return path.suffix != ".c" or not path.with_suffix(".pyx").exists()
