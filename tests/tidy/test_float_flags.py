"""Extensions that a trial may reach are compiled so that floating point is IEEE's, unfused."""

import tomllib

from tests.tidy.source_files import ROOT, source_files

TRAINING = "engine_ext.backgammon.training."
LIBM = {"exp", "log", "pow", "sin", "cos", "tanh", "expf", "fma"}
FORBIDDEN = ("-ffast-math", "-Ofast", "-funsafe", "-fassociative-math", "-freciprocal-math")


def extensions() -> list[tuple[str, list[str]]]:
    content = tomllib.loads((ROOT / "pyproject.toml").read_text())
    modules = content["tool"]["setuptools"]["ext-modules"]
    return [(module["name"], module.get("extra-compile-args", [])) for module in modules]


REACHED = [(name, flags) for name, flags in extensions() if not name.startswith(TRAINING)]


def test_extensions_are_compiled_without_contraction() -> None:
    assert len(REACHED) > 20
    for name, flags in REACHED:
        assert "-ffp-contract=off" in flags, name
        assert not any(flag.startswith((*FORBIDDEN, "-march")) for flag in flags), name


def test_extensions_are_shipped_without_symbols() -> None:
    content = tomllib.loads((ROOT / "pyproject.toml").read_text())
    for module in content["tool"]["setuptools"]["ext-modules"]:
        assert "-g0" in module.get("extra-compile-args", []), module["name"]
        assert "-s" in module.get("extra-link-args", []), module["name"]


def test_no_extension_that_trials_reach_imports_training() -> None:
    importing = [
        path
        for path in source_files(".pyx", ".pxd", ".py")
        if path.is_relative_to(ROOT / "engine_ext") and "training" not in path.parts
        if "backgammon.training" in path.read_text()
    ]
    assert importing == []


def test_no_extension_that_trials_reach_calls_libm() -> None:
    calling = [
        (path, line)
        for path in source_files(".pyx", ".pxd")
        if path.is_relative_to(ROOT / "engine_ext") and "training" not in path.parts
        for line in path.read_text().splitlines()
        if "libc.math" in line and LIBM & set(line.replace(",", " ").split())
    ]
    assert calling == []
