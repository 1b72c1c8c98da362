"""Format, lint, types and stubs, by the tools that own them."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.tidy.source_files import ROOT, source_files

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


BIN = Path(sys.executable).parent


def run_tool(module: str, *arguments: str) -> None:
    """Run a Python tool over the tree; its output is the assertion's message."""
    if find_spec(module.partition(".")[0]) is None:
        pytest.skip(f"{module} is not installed")
    run_command(sys.executable, "-m", module, *arguments)


def run_command(*command: str) -> None:
    environ = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_ruff_finds_nothing() -> None:
    run_tool("ruff", "check", ".")


def test_ruff_would_reformat_nothing() -> None:
    run_tool("ruff", "format", "--check", ".")


def test_mypy_is_green() -> None:
    run_tool("mypy")


def test_cython_lint_finds_nothing() -> None:
    if find_spec("cython_lint") is None:
        pytest.skip("cython_lint is not installed")
    run_command(str(BIN / "cython-lint"), *map(str, source_files(".pyx", ".pxd")))


def test_stubs_say_what_the_extensions_do() -> None:
    modules = [stub_module(path) for path in source_files(".pyi")]
    allowed = ("--allowlist", "tests/tidy/stubtest_allowlist.txt", "--ignore-unused-allowlist")
    run_tool("mypy.stubtest", "--ignore-disjoint-bases", *allowed, *modules)


def stub_module(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".")


def test_every_extension_has_its_stub_and_its_contract() -> None:
    for path in source_files(".pyx"):
        assert path.with_suffix(".pyi").exists(), path
