"""A game is known in its own folders and in three tables, and nowhere else.

What is looked at is code: names, and text that is no docstring.  A comment may take a game for an
example.
"""

import ast
import io
import re
import tokenize
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from engine_ext import services
from master.cli import games as commands
from master.games import table
from tests.tidy.source_files import ROOT, source_files

GAMES = sorted(table.GAMES)
OWN = ("engine_ext/{}/", "master/games/{}/", "master/cli/{}/", "training/{}/")
TABLES: dict[str, Mapping[str, object]] = {
    "engine_ext/services.py": services.GAMES,
    "master/cli/games.py": commands.GAMES,
    "master/games/table.py": table.GAMES,
}
LINES_MAX = 2
"""In a table: the import of the game's front, and its place."""
_CYTHON_TEXT = re.compile(r'"""(?:.|\n)*?"""|#[^\n]*')


def docstring_lines(text: str) -> set[int]:
    """Return the lines on which texts begin that stand alone as a statement."""
    return {
        node.value.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


@cache
def code_of(path: Path) -> list[tuple[int, str]]:
    """Return lines of a file's code: what is neither comment nor docstring."""
    text = path.read_text()
    if path.suffix in {".pyx", ".pxd"}:
        blank = _CYTHON_TEXT.sub(lambda found: "\n" * found[0].count("\n"), text)
        return [*enumerate(blank.splitlines(), start=1)]
    docstrings = docstring_lines(text)
    return [
        (token.start[0], token.string)
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type != tokenize.COMMENT
        and not (token.type == tokenize.STRING and token.start[0] in docstrings)
    ]


def places_that_name(game: str) -> set[tuple[str, int]]:
    """Return where a game is named outside its own folders: files and lines."""
    word = re.compile(rf"(?<![a-z]){game}(?![a-z])", re.IGNORECASE)
    own = tuple(folder.format(game) for folder in OWN)
    return {
        (name, line)
        for path in source_files(".py", ".pyi", ".pyx", ".pxd")
        if not (name := path.relative_to(ROOT).as_posix()).startswith(own)
        for line, code in code_of(path)
        if word.search(code)
    }


@pytest.mark.parametrize("game", GAMES)
def test_game_is_named_in_each_table_alone(game: str) -> None:
    lines = Counter(name for name, _ in places_that_name(game))
    assert sorted(lines) == [name for name, games in TABLES.items() if game in games]
    assert max(lines.values()) <= LINES_MAX


def test_names_are_found_in_code_and_not_in_what_is_said_of_it() -> None:
    path = ROOT / "master/games/table.py"
    assert any("othello" in code for _, code in code_of(path))
    assert not any("takes" in code for _, code in code_of(path))
