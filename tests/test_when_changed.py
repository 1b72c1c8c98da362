"""Which tests are left out of a run, and which files decide it."""

from pathlib import Path

import pytest

from tests import when_changed
from tests.when_changed import FOLDERS, LINT, ROOT, SUBJECTS, digest_of, subject_of


def test_all_that_is_named_exists() -> None:
    assert [
        path for paths in SUBJECTS.values() for path in paths if not (ROOT / path).exists()
    ] == []
    assert {folder for folder in FOLDERS if not (ROOT / folder).is_dir()} == set()
    assert set(FOLDERS.values()) <= {*SUBJECTS, LINT}


def test_each_source_counts_and_what_is_built_does_not(tmp_path: Path) -> None:
    folder = tmp_path / "some"
    (folder / "__pycache__").mkdir(parents=True)
    seen = [digest_of(("some",), tmp_path)]
    for name in ("a.py", "b.pyx", "lines/c.txt", "d_kernel.c"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("1")
        seen.append(digest_of(("some",), tmp_path))
    (folder / "a.py").write_text("2")
    seen.append(digest_of(("some",), tmp_path))
    (folder / "a.py").rename(folder / "e.py")
    seen.append(digest_of(("some",), tmp_path))
    assert len({*seen}) == len(seen)
    for name in ("b.c", "b.so", "b.html", "words.md", "__pycache__/e.pyc"):
        (folder / name).write_text("1")
    assert digest_of(("some",), tmp_path) == seen[-1]


def test_folder_gives_its_tests_a_subject() -> None:
    assert subject_of(ROOT / "tests/benchmarks/test_flood.py") == "benchmarks"
    assert subject_of(ROOT / "tests/engine_ext/chess/training/test_games.py") == "training"
    assert subject_of(ROOT / "tests/protocol/test_codec.py") is None


def test_only_what_is_unchanged_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(when_changed, "unchanged_subjects", lambda root: {"fleets"})
    left_out = when_changed.left_out
    assert left_out("", ()) == ["fleets", "lint"]
    assert left_out("not slow", ()) == ["fleets", "lint"]
    assert left_out("lint", ()) == ["fleets"]
    assert left_out("everything", ()) == []
    assert left_out("", ("tests/daemons/fleets",)) == []


def test_file_that_changed_is_no_longer_passed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "code.py").write_text("1")
    monkeypatch.setattr(when_changed, "SUBJECTS", {"fleets": ("code.py",)})
    monkeypatch.setattr(when_changed, "PASSED", tmp_path / "passed.json")
    assert when_changed.unchanged_subjects(tmp_path) == set()
    when_changed.record_passed(tmp_path)
    assert when_changed.unchanged_subjects(tmp_path) == {"fleets"}
    (tmp_path / "code.py").write_text("2")
    assert when_changed.unchanged_subjects(tmp_path) == set()
