"""What a page points at is there."""

import re
from pathlib import Path

import pytest

from tests.tidy.test_named_commands import PAGES

_LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def links(path: Path) -> list[str]:
    """Return the places in this tree that a page links to, as it writes them."""
    return [each for each in _LINK.findall(path.read_text()) if "://" not in each]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: "/".join(path.parts[-2:]))
def test_links_lead_somewhere(path: Path) -> None:
    assert [each for each in links(path) if not (path.parent / each).exists()] == []


def test_links_are_found() -> None:
    assert sum(map(len, map(links, PAGES))) > 10
