"""An ARM Python under an emulator, with modules of ours compiled for it as they are compiled here.

What that needs is a cross-compiler, qemu, and Debian's Python for ARM unpacked by `.ci/arm-root`;
without one of them a test is skipped by name.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any

import platformdirs
import pytest
from Cython.Build import cythonize
from setuptools import Extension  # type: ignore[import-untyped]

from engine_ext.building import SHARED, SHIPPED, extensions

ROOT = Path(__file__).parents[2]
ARM_ROOT = ROOT / "build" / "arm-root"
COMPILER = "aarch64-linux-gnu-gcc"
EMULATORS = ("qemu-aarch64", "qemu-aarch64-static")
UNDER_ALL = ("engine_ext._cyutility", "engine_ext.rng", "engine_ext.control")


def is_of(game: str, module: str) -> bool:
    """Whether a module is one of a game's engine, or of those that games share."""
    return module.startswith(f"engine_ext.{game}.") or module in UNDER_ALL


def compile_module(module: Extension, tree: Path, headers: Path) -> None:
    """Compile the C sources of one extension module, in the folder that has them."""
    sources = [name.replace(".pyx", ".c") for name in module.sources]
    target = module.name.replace(".", "/") + ".so"
    paths = [f"-I{path}" for path in (headers, headers.parent, tree)]
    flags = ["-shared", "-fPIC", *module.extra_compile_args]
    subprocess.run([COMPILER, *flags, *paths, *sources, "-o", target], cwd=tree, check=True)


def compiled_tree(game: str, tree: Path) -> Path:
    """Return a folder with a game's engine, compiled for ARM, and what it imports.

    Cython writes only those C sources that are not those of this machine's build.
    """
    if shutil.which(COMPILER) is None:
        pytest.skip(f"{COMPILER} is not installed (Debian: gcc-aarch64-linux-gnu)")
    headers = next(ARM_ROOT.glob("usr/include/python3.*"), None)
    if headers is None:
        pytest.skip("Python for ARM is not unpacked (run .ci/arm-root as root)")
    others = shutil.ignore_patterns("*.so", "*.html", "__pycache__")
    shutil.copytree(ROOT / "engine_ext", tree / "engine_ext", ignore=others)
    shutil.copytree(Path(platformdirs.__file__).parent, tree / "platformdirs")
    modules = [module for module in extensions(SHIPPED) if is_of(game, module.name)]
    with chdir(tree):
        cythonize(modules, quiet=True, shared_utility_qualified_name=SHARED)  # type: ignore[no-untyped-call]
    for module in modules:
        compile_module(module, tree, headers)
    return tree


def python_of(tree: Path, cache: Path) -> Callable[[Path], Any]:
    """Return what runs a program on ARM and reads the JSON that it prints."""
    emulator = next((path for name in EMULATORS if (path := shutil.which(name))), None)
    if emulator is None:
        pytest.skip("qemu-aarch64 is not installed (Debian: qemu-user)")
    python = next(ARM_ROOT.glob("usr/bin/python3.*"))
    own = {"PYTHONPATH": str(tree), "XDG_CACHE_HOME": str(cache)}

    def run(program: Path) -> Any:
        command = (emulator, "-L", str(ARM_ROOT), str(python), str(program))
        done = subprocess.run(command, env=os.environ | own, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode()
        return json.loads(done.stdout)

    return run
