"""Which tests are left out of a run, and which files decide it."""

from pathlib import Path

import pytest

from tests import when_changed
from tests.when_changed import LINT, ROOT, SUBJECTS, left_out, subject_of, unchanged_subjects

CODEC = ROOT / "tests/protocol/test_codec.py"


def test_all_that_is_named_exists() -> None:
    named = {*SUBJECTS, *(path for paths in SUBJECTS.values() for path in paths)}
    assert {path for path in named if not (ROOT / path).exists()} == set()


def test_marked_test_is_about_the_innermost_folder() -> None:
    for name, subject in (
        ("tests/benchmarks/test_flood.py", "tests/benchmarks"),
        ("tests/training/chess/test_games.py", "tests/training/chess"),
        ("tests/daemons/fleets/test_dask.py", "tests/daemons/fleets"),
        ("tests/tidy/test_pages.py", LINT),
    ):
        assert subject_of(ROOT / name, is_marked=False) == subject
        assert subject_of(ROOT / name, is_marked=True) == subject
    assert subject_of(CODEC, is_marked=False) is None
    assert subject_of(CODEC, is_marked=True) == "tests/protocol"
    assert subject_of(ROOT / "tests/master/api/test_x.py", is_marked=True) == "tests/master"
    assert subject_of(ROOT / "tests/test_signals.py", is_marked=True) is None


def test_only_what_is_unchanged_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(when_changed, "unchanged_subjects", lambda root: {"tests/analyser"})
    assert left_out("", ()) == ["tests/analyser", LINT]
    assert left_out("not slow", ()) == ["tests/analyser", LINT]
    assert left_out("lint", ()) == ["tests/analyser"]
    assert left_out("everything", ()) == []
    assert left_out("", ("tests/daemons/fleets",)) == []


def test_single_file_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    monkeypatch.setattr(when_changed, "SUBJECTS", {"tests": ("a.toml",)})
    monkeypatch.setattr(when_changed, "PASSED", tmp_path / "passed.json")
    (tmp_path / "a.toml").write_text("a = 1")
    when_changed.record_passed(tmp_path)
    assert unchanged_subjects(tmp_path) == {"tests"}
    (tmp_path / "a.toml").write_text("a = 2")
    assert unchanged_subjects(tmp_path) == set()


def test_each_source_counts_and_what_is_built_does_not(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for folder in ("tests/one/__pycache__", "code/inner", "other"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setattr(when_changed, "SUBJECTS", {"tests/one": ("code",), "tests/two": ("other",)})
    monkeypatch.setattr(when_changed, "PASSED", tmp_path / "passed.json")
    assert unchanged_subjects(tmp_path) == set()

    def is_changed() -> bool:
        found = unchanged_subjects(tmp_path)
        when_changed.record_passed(tmp_path)
        assert unchanged_subjects(tmp_path) == {"tests/one", "tests/two"}
        return found == {"tests/two"}

    when_changed.record_passed(tmp_path)
    for name in ("tests/one/a.py", "code/b.pyx", "code/inner/c.txt", "code/d_kernel.c"):
        (tmp_path / name).write_text("1")
        assert is_changed()
    (tmp_path / "code/b.pyx").write_text("2")
    assert is_changed()
    (tmp_path / "code/b.pyx").rename(tmp_path / "code/e.pyx")
    assert is_changed()
    for name in (
        "code/e.c",
        "code/utility.c",
        "code/e.so",
        "code/e.html",
        "code/words.md",
        "tests/one/__pycache__/x",
    ):
        (tmp_path / name).write_text("1")
        assert not is_changed()
