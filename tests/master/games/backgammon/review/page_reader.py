"""Reads a review's page back: its boards, its tags, and what it refers to."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from tests.master.games.backgammon.drawing.board_reader import (
    SeenBoard,
    definitions_of,
    read_board,
    tree_of,
)

NAMESPACE = '<svg xmlns="http://www.w3.org/2000/svg" '
_SHAPES = re.compile(r'<svg (class="shapes".*?</svg>)', re.DOTALL)
_TURN = re.compile(
    r'<article class="turn[^>]* id="m(\d+)\.(\d+)".*?<svg (viewBox.*?</svg>)', re.DOTALL
)
VOID = {"meta", "link", "br", "img", "input"}
OPEN_ENDED = {"td", "th", "tr", "p"}


def boards_of(page: str) -> dict[tuple[int, int], SeenBoard]:
    """Return every board of a page by game and action, both from 0."""
    shapes = _SHAPES.search(page)
    assert shapes is not None
    defined = definitions_of(tree_of(NAMESPACE + shapes[1]))
    return {
        (int(turn[1]) - 1, int(turn[2]) - 1): read_board(tree_of(NAMESPACE + turn[3]), defined)
        for turn in _TURN.finditer(page)
    }


class PageReader(HTMLParser):
    """Counts elements, checks that they nest, and gathers references and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: dict[str, int] = {}
        self.references: list[str] = []
        self.handlers: list[str] = []
        self.names: list[str] = []
        self.texts: list[str] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert [tag for tag in self._open if tag not in OPEN_ENDED] == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] = self.tags.get(tag, 0) + 1
        for name, value in attrs:
            if name in ("href", "src", "action", "data", "srcset"):
                self.references.append(value or "")
            if name == "id":
                self.names.append(value or "")
            if name.startswith("on"):
                self.handlers.append(name)
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        while self._open[-1] != tag:
            assert self._open.pop() in OPEN_ENDED, tag
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self.texts.append(data)
