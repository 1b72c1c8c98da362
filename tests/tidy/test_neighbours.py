"""The tables of what other programs do: each test that they name is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TABLES = sorted((ROOT / "master" / "games").glob("*/NEIGHBOURS.md"))
_NAMED = re.compile(r"`(test_[a-z0-9_]+)`")
_DEFINED = re.compile(r"^(?:async )?def (test_[a-z0-9_]+)\(", re.MULTILINE)


def test_games_with_neighbours_have_a_table() -> None:
    assert {"backgammon", "chess", "othello"} <= {path.parent.name for path in TABLES}


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.parent.name)
def test_named_tests_are_there(path: Path) -> None:
    named = set(_NAMED.findall(path.read_text()))
    sources = (each.read_text() for each in (ROOT / "tests").rglob("test_*.py"))
    defined = {name for text in sources for name in _DEFINED.findall(text)}
    assert named
    assert named - defined == set()
