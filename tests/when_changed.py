"""Tests that take long run when the files that they are about have changed since they last passed.

`@pytest.mark.when_changed` marks such a test.  Its folder says which files it is about (SUBJECTS).
`tests/passed.json` holds a digest of each folder's files: while it is the same, the marked tests of
the folder are left out.  `pytest -m everything` leaves nothing out.  `--record-passed` writes the
digests anew if all tests of a run have passed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PASSED = ROOT / "tests" / "passed.json"

LINT = "tests/tidy"
"""Format, types, stubs and the rules of the house are a run of their own, `-m lint`."""

_TRAINING = tuple(f"training/{game}" for game in ("backgammon", "chess", "othello", "threes"))

SUBJECTS: dict[str, tuple[str, ...]] = {
    "tests/analyser": ("analyser", "protocol"),
    "tests/benchmarks": (),
    "tests/daemons": ("analyser", "engine_ext", "master", "protocol", "pyproject.toml"),
    "tests/daemons/fleets": ("analyser", "deploy", "master/fleets", "protocol"),
    "tests/engine_ext": ("engine_ext",),
    "tests/master": ("engine_ext", "master", "protocol"),
    "tests/master/cli": ("engine_ext", "master/cli", "master/games", "master/reports"),
    "tests/master/fold": ("master/fold",),
    "tests/master/games": ("engine_ext", "master/games", "master/reports"),
    "tests/master/laboratory": ("engine_ext", "master/laboratory", "master/search"),
    "tests/master/relay": ("master/relay", "master/scheduler", "protocol"),
    "tests/master/scheduler": (
        "master/contract", "master/fold", "master/laboratory", "master/scheduler",
    ),
    "tests/master/search": ("engine_ext/search", "master/laboratory", "master/search"),
    "tests/master/store": ("master/store",),
    "tests/protocol": ("protocol",),
    **{f"tests/{folder}": (folder,) for folder in _TRAINING},
}  # fmt: skip
"""Folders of tests, and the folders and files that the tests in each are about besides."""

WHOLE = ("tests/benchmarks", "tests/daemons/fleets", *_TRAINING)
"""Folders, by their ends, of which all tests are as if marked."""

NOT_SOURCES = {".so", ".pyc", ".md"}
"""Ends of the names of files that are built, or prose."""


def subject_of(path: Path, *, is_marked: bool, root: Path = ROOT) -> str | None:
    """Return the folder whose files decide whether a test runs; None: it always does."""
    folders = [str(folder) for folder in path.relative_to(root).parents]
    if LINT in folders:
        return LINT
    folder = next((each for each in folders if each in SUBJECTS), None)
    return folder if folder is not None and (is_marked or folder.endswith(WHOLE)) else None


def digests(root: Path = ROOT) -> dict[str, str]:
    """Return a digest of the files of each subject."""
    return {folder: _digest((folder, *about), root) for folder, about in sorted(SUBJECTS.items())}


def unchanged_subjects(root: Path = ROOT) -> set[str]:
    """Return the subjects whose files are those with which their tests passed."""
    passed = json.loads(PASSED.read_text()) if PASSED.exists() else {}
    return {subject for subject, digest in digests(root).items() if passed.get(subject) == digest}


def left_out(markexpr: str, named: Sequence[str], root: Path = ROOT) -> list[str]:
    """Return the subjects that a run leaves out: none where files or tests are named.

    Args:
        markexpr: of the run's `-m`.
        named: files and tests that the run names.
        root: of the tree.
    """
    if "everything" in markexpr or named:
        return []
    subjects = unchanged_subjects(root)
    return sorted(subjects if "lint" in markexpr else subjects | {LINT})


def record_passed(root: Path = ROOT) -> None:
    """Write down that the tests of all subjects have passed with today's files."""
    PASSED.write_text(json.dumps(digests(root), indent=2) + "\n")


def _digest(paths: tuple[str, ...], root: Path) -> str:
    total = hashlib.sha256()
    for file in sorted({file for name in paths for file in _files(root / name)}):
        if _is_source(file):
            total.update(f"{file.relative_to(root).as_posix()} {file.stat().st_size}\n".encode())
            total.update(file.read_bytes())
    return total.hexdigest()[:16]


def _files(path: Path) -> Iterable[Path]:
    return path.rglob("*") if path.is_dir() else (path,)


def _is_source(path: Path) -> bool:
    if path.suffix in NOT_SOURCES or "__pycache__" in path.parts or not path.is_file():
        return False
    if path.suffix == ".c":
        return path.name.endswith("_kernel.c")  # all other C is Cython's
    return path.suffix != ".html" or not path.with_suffix(".pyx").exists()
