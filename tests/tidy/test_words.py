"""Identifiers, prose and commit subjects keep to plain words; the counts may only fall."""

import ast
import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from tests.tidy.source_files import PACKAGES, ROOT, source_files

DENIED = (
    "arrival", "course", "crew", "desk", "door", "doorkeeper", "facing", "handing", "look",
    "looked", "outlook", "reception", "seat", "seated", "sitting", "standing", "told", "tongue",
    "workshop",
)  # fmt: skip
"""Each also with an `s`. House style names the word to write instead of each."""

SENTENCES_MAX = 93
"""Such words in names of tests, which are sentences, where `told` and `look` are plain verbs."""

_NOT_CODE = re.compile(
    r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""|"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
    r"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'|#[^\n]*",
    re.DOTALL,
)
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_WORDS = {*DENIED, *(f"{word}s" for word in DENIED)}


def code(path: Path) -> str:
    """Return a file without its strings and comments."""
    return _NOT_CODE.sub(" ", path.read_text())


def test_no_identifier_has_a_denied_word_and_fewer_test_names_do() -> None:
    found: Counter[str] = Counter()
    for path in source_files(".py", ".pyi", ".pyx", ".pxd", packages=(*PACKAGES, "tests")):
        if path != ROOT / "tests" / "tidy" / "test_words.py":
            found.update(re.findall(r"[A-Za-z_]\w*", code(path)))
    found = Counter({
        name: count for name, count in found.items()
        if _WORDS & {piece.lower() for piece in _PIECE.findall(name)}
    })  # fmt: skip
    sentences = sum(count for name, count in found.items() if name.startswith("test_"))
    assert {name: count for name, count in found.items() if not name.startswith("test_")} == {}
    assert sentences <= SENTENCES_MAX


_FREE = re.compile(r"\b(?:what|who|whoever|whatever|whom|which see)\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z']+")
_CODE = re.compile(r"```.*?```|`[^`]*`|\\f[A-Z]", re.DOTALL)

PER_THOUSAND_MAX = {
    "README.md": 4.0,
    "CHANGELOG.md": 4.0,
    "CONTRIBUTING.md": 4.0,
    "protocol/SPEC.md": 4.0,
    "master/cli": 4.0,
    "deploy": 4.0,
    "deploy/man": 4.0,  # the help of all commands
}
"""Of pages, or of all pages in a folder."""

DOCSTRINGS_PER_THOUSAND_MAX = {
    "analyser": 2.0,
    "engine_ext": 2.0,
    "master": 2.0,
    "protocol": 2.0,
    "training": 2.0,
}


def per_thousand(text: str) -> float:
    return 1000 * len(_FREE.findall(text)) / len(_WORD.findall(text))


def docstrings(path: Path) -> list[str]:
    statements = (
        statement
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        for statement in node.body
    )
    return [
        statement.value.value
        for statement in statements
        if isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    ]


@pytest.mark.parametrize("name", PER_THOUSAND_MAX)
def test_pages_are_in_plain_words(name: str) -> None:
    path = ROOT / name
    pattern = "*.1" if name == "deploy/man" else "*.md"
    pages = [path] if path.is_file() else sorted(path.rglob(pattern))
    prose = " ".join(_CODE.sub(" ", page.read_text()) for page in pages)
    assert per_thousand(prose) <= PER_THOUSAND_MAX[name]


@pytest.mark.parametrize("package", DOCSTRINGS_PER_THOUSAND_MAX)
def test_docstrings_are_in_plain_words(package: str) -> None:
    paths = source_files(".py", packages=(package,))
    text = " ".join(" ".join(docstrings(path)) for path in paths)
    assert per_thousand(text) <= DOCSTRINGS_PER_THOUSAND_MAX[package]


def test_a_free_clause_counts_and_code_does_not() -> None:
    assert per_thousand("Who asks is told. Nothing else counts here now.") == pytest.approx(
        1000 / 9
    )
    assert _CODE.sub(" ", "`what` is a word of code") == "  is a word of code"


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
