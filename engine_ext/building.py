"""Builds the extensions: first all Cython files in processes, then all C files with compilers.

Every .pyx file here and in training/ is an extension with the same name.  If it needs a C file, its
first line names the file: `# built with: net_kernel.c`.

Only the installation imports this module.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension  # type: ignore[import-untyped]
from setuptools.command.build_ext import build_ext  # type: ignore[import-untyped]

SHIPPED = ("engine_ext",)
"""The folders whose extensions a wheel contains."""

IN_PLACE = (*SHIPPED, "training")
"""The folders whose extensions are built in a checkout: training needs the engines there too, and
its tests need both."""

SHARED = "engine_ext._cyutility"
"""The module with the memoryview code that others share: a quarter less to compile."""

FLAGS = ("-O3", "-g0", "-ffp-contract=off", "-falign-functions=64")
"""IEEE's floating point, unfused: a trial's bits are the same everywhere. Functions begin on lines
of the cache: otherwise a change of one moves the next, and FFO #41 took 2 to 4 % longer when the
same code of the leaves lay 112 bytes lower."""

FAST_MATH = (
    "-O3", "-g0", "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math",
    "-fno-signed-zeros", "-fassociative-math",
)  # fmt: skip
"""Training only: nothing there need be bit-exact. Not -ffast-math, whose start-up code would
flush denormals in the whole process."""

_BUILT_WITH = re.compile(r"# built with: (\w+\.c)(, fast math)?\n")

_ROOT = Path(__file__).parents[1]
_HERE = Path(__file__).relative_to(_ROOT)
"""Where flags are: other flags, another extension."""


def extensions(folders: Iterable[str]) -> list[Extension]:
    """Return the shared module and one of each .pyx file, by name; paths from the root.

    An engine's extension is compiled by the same command wherever it is built.

    Args:
        folders: SHIPPED or IN_PLACE.
    """
    files = [path for folder in folders for path in (_ROOT / folder).rglob("*.*")]
    headers = sorted(path.relative_to(_ROOT) for path in files if path.suffix == ".h")
    shipped = (header for header in headers if header.parts[0] in SHIPPED)
    includes = sorted({os.fspath(header.parent) for header in shipped})
    sources = sorted(path.relative_to(_ROOT) for path in files if path.suffix == ".pyx")
    shared = Path(*SHARED.split(".")).with_suffix(".c")  # Cython writes it
    return [_extension(source, headers, includes) for source in [shared, *sources]]


def _extension(source: Path, headers: list[Path], includes: list[str]) -> Extension:
    text = (_ROOT / source).read_text() if source.suffix == ".pyx" else ""
    said = _BUILT_WITH.match(text)
    kernels = [source.parent / said[1]] if said else []
    depends = [header for header in headers if kernels and header.parent == source.parent]
    return Extension(
        ".".join(source.with_suffix("").parts),
        [os.fspath(each) for each in (source, *kernels)],
        depends=[os.fspath(each) for each in (_HERE, *depends)],
        include_dirs=includes,
        extra_compile_args=[*(FAST_MATH if said and said[2] else FLAGS)],
        extra_link_args=["-s"],
    )


class BuildExt(build_ext):  # type: ignore[misc]  # setuptools makes up its base
    """Writes all C sources before any is compiled.

    By default, setuptools writes each extension's source in the thread that compiles it. Cython is
    not safe in threads: sometimes the shared module lacked names that the others import from it.
    """

    def finalize_options(self) -> None:
        """Build all extensions, of which pyproject.toml names one so that there are some.

        Those of training are left out of a wheel, and built for an editable installation.
        """
        is_in_place = self.editable_mode or self.inplace
        self.distribution.ext_modules = extensions(IN_PLACE if is_in_place else SHIPPED)
        super().finalize_options()

    def build_extensions(self) -> None:
        """Write the sources, and compile them."""
        cythonize(  # type: ignore[no-untyped-call]
            [*self.extensions],
            nthreads=os.cpu_count() or 1,
            quiet=True,
            force=self.force,
            shared_utility_qualified_name=SHARED,
        )
        for extension in self.extensions:
            extension.sources = [_to_c(source) for source in extension.sources]
        super().build_extensions()


def _to_c(source: str) -> str:
    return os.fspath(Path(source).with_suffix(".c")) if source.endswith(".pyx") else source
