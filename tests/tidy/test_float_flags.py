"""Extensions that a trial may reach are compiled so that floating point is IEEE's, unfused."""

from engine_ext.building import IN_PLACE, SHIPPED, extensions
from tests.tidy.source_files import source_files

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
