"""A function fits a screen; a module has one subject."""

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.tidy.source_files import ROOT, source_files

FUNCTION_LINES_MAX = 60
PYTHON_LINES_MAX = 600
CYTHON_LINES_MAX = 500

_CYTHON_FUNCTION = re.compile(r"^( *)(?:def|cdef|cpdef|async def)\b[^=]*\(")


def python_functions(path: Path) -> Iterator[tuple[str, int]]:
    """Yield (name, lines of code without the docstring) for each function."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0].lineno
            if ast.get_docstring(node) is not None:
                first = node.body[1].lineno if len(node.body) > 1 else node.body[0].end_lineno or 0
            yield node.name, (node.end_lineno or first) - first + 1


def cython_functions(path: Path) -> Iterator[tuple[str, int]]:
    """Yield (first line, lines) for each function, by indentation."""
    lines = path.read_text().splitlines()
    for start, line in enumerate(lines):
        match = _CYTHON_FUNCTION.match(line)
        if match is None or line.startswith(("cdef extern", "cdef class")):
            continue
        depth, last = len(match[1]), start
        for end in range(start + 1, len(lines)):
            text = lines[end]
            if (
                text.strip()
                and len(text) - len(text.lstrip()) <= depth
                and text.strip()[0] not in ")"
            ):
                break
            if text.strip():
                last = end
        yield line.strip(), last - start + 1


def relative(path: Path) -> str:
    return str(path.relative_to(ROOT))


def too_long(
    suffix: str, lines_max: int, functions: Callable[[Path], Iterator[tuple[str, int]]]
) -> list[tuple[str, int]]:
    """Return what has too many lines, files and functions, with their lines."""
    found = []
    for path in source_files(suffix):
        lines = len(path.read_text().splitlines())
        found += [(relative(path), lines)] if lines > lines_max else []
        found += [
            (f"{relative(path)}: {name}", count)
            for name, count in functions(path)
            if count > FUNCTION_LINES_MAX
        ]
    return found


def test_python_fits_the_screen() -> None:
    assert too_long(".py", PYTHON_LINES_MAX, python_functions) == []


def test_cython_fits_the_screen() -> None:
    assert too_long(".pyx", CYTHON_LINES_MAX, cython_functions) == []


def test_a_long_function_would_be_found(tmp_path: Path) -> None:
    body = "\n".join(f"    x{i} = {i}" for i in range(FUNCTION_LINES_MAX + 1))
    (tmp_path / "a.py").write_text(f"def f():\n{body}\n")
    (tmp_path / "a.pyx").write_text(f"cdef int f(int a,\n           int b) nogil:\n{body}\n")
    assert dict(python_functions(tmp_path / "a.py"))["f"] > FUNCTION_LINES_MAX
    assert max(n for _, n in cython_functions(tmp_path / "a.pyx")) > FUNCTION_LINES_MAX
