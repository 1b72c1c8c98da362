"""What is documented is documented in one way: constants, and what Cython modules export."""

import ast
import re
from pathlib import Path

import pytest

from tests.tidy.source_files import ROOT, source_files

CONSTANT = re.compile(r"_?[A-Z][A-Z0-9_]*")
FOR_TOOLS = re.compile(r"# (noqa|fmt:|type:)")
EXPORTED = re.compile(r"^ *cdef (?!extern|class|struct|enum|inline)[^\n=]*?\b(\w+)\(", re.MULTILINE)


def constants(path: Path) -> list[ast.stmt]:
    """Return the assignments of a module that make constants."""
    found: list[ast.stmt] = []
    for node in ast.parse(path.read_text()).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        names = [target.id for target in targets if isinstance(target, ast.Name)]
        if names and all(map(CONSTANT.fullmatch, names)):
            found.append(node)
    return found


def remarks_behind_constants(path: Path) -> list[str]:
    """Return the comments that stand on the last line of a constant."""
    lines = path.read_text().splitlines()
    found = []
    for node in constants(path):
        assert node.end_lineno is not None
        code = lines[node.end_lineno - 1]
        remark = code[node.end_col_offset or 0 :].strip()
        if remark.startswith("#") and not FOR_TOOLS.match(remark):
            found.append(f"{path}:{node.end_lineno}: {remark}")
    return found


def test_documented_constant_has_its_docstring_below_it() -> None:
    assert [each for path in source_files(".py") for each in remarks_behind_constants(path)] == []


def has_docstring(source: str, name: str) -> bool:
    """Tell whether a `cdef` function begins with a docstring."""
    begin = re.search(rf"^ *cdef [^\n=]*\b{name}\(", source, re.MULTILINE)
    assert begin is not None, name
    body = re.compile(r":\n\s*").search(source, begin.end())
    assert body is not None, name
    return source.startswith('"""', body.end())


@pytest.mark.parametrize("pxd", source_files(".pxd"), ids=lambda path: path.name)
def test_exported_function_says_what_it_does_below_its_head(pxd: Path) -> None:
    pyx = pxd.with_suffix(".pyx")
    if not pyx.exists():
        assert EXPORTED.search(pxd.read_text()) is None
        return
    source = pyx.read_text()
    names = [name for name in EXPORTED.findall(pxd.read_text()) if f"{name}(" in source]
    assert [name for name in names if not has_docstring(source, name)] == []


README_WORDS_MAX = 1_100
"""A newcomer reads it whole, in five minutes."""


def test_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text().split()) <= README_WORDS_MAX
