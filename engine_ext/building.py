"""How the extensions are built: all of Cython first, by processes, then all of C, by compilers.

Knows setuptools and Cython; nothing imports it but an installation.
"""

from __future__ import annotations

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools.command.build_ext import build_ext  # type: ignore[import-untyped]

SHARED = "engine_ext._cyutility"
"""The module that has what others need of memoryviews: a quarter less to compile."""


class BuildExt(build_ext):  # type: ignore[misc]  # setuptools makes up its base
    """Writes all C sources before any is compiled.

    setuptools would have each extension's written by the thread that compiles it. Cython is not
    made for threads: the shared module lacked, now and then, what the others import from it.
    """

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
