"""Extensions that a trial may reach are compiled so that floating point is IEEE's, unfused."""

import tomllib

import pytest

from tests.tidy.source_files import ROOT, source_files

TRAINING = "engine_ext.backgammon.training."
FORBIDDEN = ("-ffast-math", "-Ofast", "-funsafe", "-fassociative-math", "-freciprocal-math")


def extensions() -> list[tuple[str, list[str]]]:
    content = tomllib.loads((ROOT / "pyproject.toml").read_text())
    modules = content["tool"]["setuptools"]["ext-modules"]
    return [(module["name"], module.get("extra-compile-args", [])) for module in modules]


REACHED = [(name, flags) for name, flags in extensions() if not name.startswith(TRAINING)]


@pytest.mark.parametrize(("name", "flags"), REACHED, ids=[name for name, _ in REACHED])
def test_extension_is_compiled_without_contraction(name: str, flags: list[str]) -> None:
    assert "-ffp-contract=off" in flags
    assert not any(flag.startswith(FORBIDDEN) or flag.startswith("-march") for flag in flags)


def test_no_extension_that_trials_reach_imports_training() -> None:
    importing = [
        path
        for path in source_files(".pyx", ".pxd", ".py")
        if path.is_relative_to(ROOT / "engine_ext") and "training" not in path.parts
        if "backgammon.training" in path.read_text()
    ]
    assert importing == []


@pytest.mark.parametrize("function", ["exp", "log", "pow", "sin", "cos", "tanh", "expf", "fma"])
def test_no_extension_that_trials_reach_calls_libm(function: str) -> None:
    calling = [
        path
        for path in source_files(".pyx", ".pxd")
        if path.is_relative_to(ROOT / "engine_ext") and "training" not in path.parts
        for line in path.read_text().splitlines()
        if "libc.math" in line and function in line.replace(",", " ").split()
    ]
    assert calling == []
