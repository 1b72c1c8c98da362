"""Sources keep their form: documented constants, signed figures, unfused floating point."""

import ast
import re
from pathlib import Path

import pytest

from engine_ext.building import IN_PLACE, SHIPPED, extensions
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


FOLDERS = ("master/cli", "master/games", "master/reports")
_SIGNED = re.compile(r":[<>^]?[+][0-9]*,?[.][0-9{][^}\"]*f[}]")
"""A number with its sign, of so many digits, without the `z` that drops the minus of a zero."""


@pytest.mark.parametrize("folder", FOLDERS)
def test_signed_figures_have_no_negative_zero(folder: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for match in _SIGNED.finditer(path.read_text())
    ]
    assert found == []


def test_rule_finds_what_it_is_for() -> None:
    assert _SIGNED.search('f"{value:+.3f}"')
    assert _SIGNED.search('f"{value:+9.4f}"')
    assert not _SIGNED.search('f"{value:+z.3f}"')


LIBM = {"exp", "log", "pow", "sin", "cos", "tanh", "expf", "fma"}
FORBIDDEN = ("-ffast-math", "-Ofast", "-funsafe", "-fassociative-math", "-freciprocal-math")

REACHED = extensions(SHIPPED)


def test_extensions_are_compiled_without_contraction() -> None:
    assert len(REACHED) > 20
    for extension in REACHED:
        flags = extension.extra_compile_args
        assert "-ffp-contract=off" in flags, extension.name
        assert not any(flag.startswith((*FORBIDDEN, "-march")) for flag in flags), extension.name


def test_extensions_are_shipped_without_symbols() -> None:
    for extension in extensions(IN_PLACE):
        assert "-g0" in extension.extra_compile_args, extension.name
        assert "-s" in extension.extra_link_args, extension.name


def test_no_extension_that_trials_reach_calls_libm() -> None:
    calling = [
        (path, line)
        for path in source_files(".pyx", ".pxd", packages=SHIPPED)
        for line in path.read_text().splitlines()
        if "libc.math" in line and LIBM & set(line.replace(",", " ").split())
    ]
    assert calling == []
