"""Subjects of commits fit a line of `git log --oneline`."""

import subprocess

import pytest

from tests.tidy.source_files import ROOT

SUBJECT_CHARACTERS_MAX = 72
SINCE = "53fb8e4f"
"""A commit that has all those with longer subjects before it."""


def test_subjects_are_short() -> None:
    listed = subprocess.run(
        ["git", "log", "--format=%h %s", f"{SINCE}..HEAD"],
        cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if listed.returncode:
        pytest.skip("the history is not here")
    subjects = [line.partition(" ") for line in listed.stdout.splitlines()]
    assert [f"{name} {subject}" for name, _, subject in subjects
            if len(subject) > SUBJECT_CHARACTERS_MAX] == []  # fmt: skip
