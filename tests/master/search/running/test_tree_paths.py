"""Paths to positions that are searched."""

import pytest

from master.search.running import status
from master.search.running.status import TreePaths
from tests.master.search.hand_driven import WrittenGame


def test_path_leads_over_what_was_split() -> None:
    found = TreePaths(WrittenGame(3), b"", 4)
    assert found.path(b"") == ()
    assert found.path(b"b") == (1,)
    assert found.path(b"bc") is None
    found.record_split(b"b", 3)
    found.record_split(b"bc", 2)
    assert found.path(b"bca") == (1, 2, 0)


def test_position_whose_parent_nobody_knows_has_no_path() -> None:
    found = TreePaths(WrittenGame(3), b"", 4)
    found.record_split(b"ab", 2)
    assert found.path(b"abc") is None


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(status, "PATHS_MAX", 4)
    found = TreePaths(WrittenGame(3), b"", 4)
    assert found.path(b"a") == (0,)
    found.record_split(b"a", 3)
    assert found.path(b"aa") is None
