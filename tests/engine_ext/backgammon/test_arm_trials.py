"""Whole trials on ARM give the bits that they give here.

The engine's modules are compiled for aarch64 as setuptools compiles them here, and run in an ARM
Python under an emulator.  What that needs is a cross-compiler, qemu, and Debian's Python for ARM
unpacked by `.ci/arm-root`; without one of them this is skipped by name.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import platformdirs
import pytest
from setuptools import Extension  # type: ignore[import-untyped]

from engine_ext.building import extensions
from tests.engine_ext.backgammon import trial_bits

ROOT = Path(__file__).parents[3]
ARM_ROOT = ROOT / "build" / "arm-root"
COMPILER = "aarch64-linux-gnu-gcc"
EMULATORS = ("qemu-aarch64", "qemu-aarch64-static")
PROGRAM = Path(trial_bits.__file__)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


def is_of_engine(module: str) -> bool:
    is_backgammon = module.startswith("engine_ext.backgammon.") and ".training." not in module
    return is_backgammon or module in ("engine_ext.rng", "engine_ext.control")


def compile_module(module: Extension, tree: Path, headers: Path) -> None:
    """Compile one extension module in a copy of the sources."""
    source = next(name for name in module.sources if name.endswith(".pyx"))
    others = [str(tree / name) for name in module.sources if name != source]
    generated = tree / source.replace(".pyx", ".c")
    cython = (sys.executable, "-m", "cython", "-3", source, "-o", str(generated))
    subprocess.run(cython, cwd=tree, check=True, capture_output=True)
    target = tree / (module.name.replace(".", "/") + ".so")
    paths = [f"-I{path}" for path in (headers, headers.parent, tree)]
    flags = ["-shared", "-fPIC", *module.extra_compile_args]
    subprocess.run(
        [COMPILER, *flags, *paths, str(generated), *others, "-o", str(target)], check=True
    )


@pytest.fixture(scope="module")
def arm_tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the engine, compiled for ARM, and what it imports."""
    if shutil.which(COMPILER) is None:
        pytest.skip(f"{COMPILER} is not installed (Debian: gcc-aarch64-linux-gnu)")
    headers = next(ARM_ROOT.glob("usr/include/python3.*"), None)
    if headers is None:
        pytest.skip("Python for ARM is not unpacked (run .ci/arm-root as root)")
    tree = tmp_path_factory.mktemp("arm")
    sources = shutil.ignore_patterns("*.so", "*.html", "__pycache__", "training")
    shutil.copytree(ROOT / "engine_ext", tree / "engine_ext", ignore=sources)
    shutil.copytree(Path(platformdirs.__file__).parent, tree / "platformdirs")
    for module in extensions():
        if is_of_engine(module.name):
            compile_module(module, tree, headers)
    return tree


@pytest.fixture
def arm_python(arm_tree: Path, tmp_path: Path) -> Callable[[Path], Any]:
    """Return what runs a program on ARM and reads the JSON that it prints."""
    emulator = next((path for name in EMULATORS if (path := shutil.which(name))), None)
    if emulator is None:
        pytest.skip("qemu-aarch64 is not installed (Debian: qemu-user)")
    python = next(ARM_ROOT.glob("usr/bin/python3.*"))
    own = {"PYTHONPATH": str(arm_tree), "XDG_CACHE_HOME": str(tmp_path)}

    def run(program: Path) -> Any:
        command = (emulator, "-L", str(ARM_ROOT), str(python), str(program))
        done = subprocess.run(command, env=os.environ | own, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return json.loads(done.stdout)

    return run


def test_trials_and_answers_have_the_same_bits_on_arm(arm_python: Callable[[Path], Any]) -> None:
    shown = arm_python(PROGRAM)
    assert shown["machine"] == "aarch64"
    assert shown["bits"] == {
        "engine": trial_bits.engine(),
        "trials": [trial_bits.trials(has_variance_reduction=has) for has in (False, True)],
        "answer": trial_bits.answer(),
    }
