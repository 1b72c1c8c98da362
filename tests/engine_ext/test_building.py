"""What is compiled: every .pyx file, and all C that was written by hand, once."""

from importlib import import_module

import pytest

from engine_ext.building import IN_PLACE, SHARED, SHIPPED, extensions
from tests.tidy.source_files import ROOT, source_files

MODULES = {extension.name: extension for extension in extensions(IN_PLACE)}


def test_each_pyx_file_is_one_extension_of_its_own_name() -> None:
    sources = [path.relative_to(ROOT) for path in source_files(".pyx")]
    assert sorted(MODULES) == sorted([SHARED, *(".".join(path.with_suffix("").parts)
                                                for path in sources)])  # fmt: skip


def test_c_written_by_hand_is_compiled_once() -> None:
    written = [str(path.relative_to(ROOT)) for path in source_files("_kernel.c")]
    compiled = [source for each in MODULES.values() for source in each.sources]
    assert sorted(source for source in compiled if source.endswith("_kernel.c")) == written


def test_all_but_training_is_shipped() -> None:
    left_out = {*MODULES} - {each.name for each in extensions(SHIPPED)}
    assert left_out == {name for name in MODULES if name.startswith("training.")} != set()


def test_fast_math_is_for_training_alone() -> None:
    fast = {
        each.name for each in MODULES.values() if "-fassociative-math" in each.extra_compile_args
    }
    assert fast
    assert all(name.startswith("training.") for name in fast)


@pytest.mark.parametrize("name", [name for name in MODULES if name != SHARED])
def test_extensions_are_built(name: str) -> None:
    assert import_module(name).__name__ == name
