"""Free relative clauses ("who asks", "what is not") are rare in prose; the counts may only fall."""

import ast
import re
from pathlib import Path

import pytest

from tests.tidy.source_files import ROOT, source_files

_FREE = re.compile(r"\b(?:what|who|whoever|whatever|whom|which see)\b", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z']+")
_CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)

PER_THOUSAND_MAX = {
    "README.md": 4.0,
    "CHANGELOG.md": 4.0,
    "CONTRIBUTING.md": 4.0,
    "protocol/SPEC.md": 4.0,
    "master/cli": 4.0,
    "deploy": 4.0,
}
"""Of pages, or of all pages in a folder."""

DOCSTRINGS_PER_THOUSAND_MAX = {
    "analyser": 2.0,
    "engine_ext": 2.0,
    "master": 2.0,
    "protocol": 2.0,
    "training": 10.5,
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
    pages = [path] if path.is_file() else sorted(path.rglob("*.md"))
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
