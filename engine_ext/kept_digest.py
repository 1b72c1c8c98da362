"""A game's engine digest from a cache, without a self-test each time.

The cache entry depends on the engine's files, the Python that runs them and the processor.  Only
readers of stored answers may use it.  A process that computes uses `engine_digest`, which runs the
self-test in that process, and refuses work for another digest.
"""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from engine_ext.cached_file import cached_file, read_cached, write_cached
from engine_ext.contexts import DIGEST_CHARS

KEPT_BYTES_MAX = 1024
"""Several times the size of the cache file."""

CPU_INFO = Path("/proc/cpuinfo")
CPU_INFO_BYTES_MAX = 8192
"""More than the first processor's entry on Linux; the other processors are alike."""

_CPU_WORDS = ("model name", "flags", "features", "cpu implementer", "cpu part", "isa")
_ENDINGS = frozenset({".py", ".so", ".pyd"})
"""Of files that are loaded; an engine also has its folder `data`."""

_COMMON = ("search",)
"""Folders that belong to the engines of several games."""


@cache
def kept_engine_digest(game: str, compute: Callable[[str], str]) -> str:
    """Return the digest of a game's engine, from the user's cache if the same engine wrote it.

    Use it only to find stored answers: a wrong digest finds none.

    Args:
        game: no other engine may have been chosen for it in this process.
        compute: computes the digest if the cache has no valid copy.
    """
    place = cached_file(f"engine-{game}.txt")
    try:
        made_of = fingerprint(game)
        kept = read_cached(place, KEPT_BYTES_MAX)
    except OSError:
        return compute(game)
    digest = None if kept is None else _digest_of(kept, made_of)
    if digest is None:
        digest = compute(game)
        with suppress(OSError):  # where nothing can be kept it is found out each time
            write_cached(place, _line(made_of, digest))
    return digest


def fingerprint(game: str) -> str:
    """Return one hash of all that a game's engine and the bits of its answers depend on.

    Raises:
        OSError: a file of it cannot be read.
    """
    folder, total = _folder(game), hashlib.sha256()
    for file in _parts(folder):
        content = file.read_bytes()
        total.update(f"{file.relative_to(folder.parent)} {len(content)}\n".encode())
        total.update(content)
    total.update("\n".join((sys.version, platform.machine(), *_processor())).encode())
    return total.hexdigest()


def _folder(game: str) -> Path:
    return Path(__file__).parent / game


def _parts(folder: Path) -> list[Path]:
    """Return the files of a game's engine, always in one order."""
    common = folder.parent
    below = [folder, *(common / name for name in _COMMON)]
    files = [*common.iterdir(), *(file for each in below for file in each.rglob("*"))]
    return sorted(
        file for file in files
        if file.suffix in _ENDINGS or (file.parent.name == "data" and file.is_file())
    )  # fmt: skip


def _processor() -> Iterator[str]:
    """Return the first processor's model and features, but not its current speed."""
    try:
        with CPU_INFO.open("rb") as file:
            reported = file.read(CPU_INFO_BYTES_MAX).decode(errors="replace")
    except OSError:
        reported = ""
    for line in reported.split("\n\n", maxsplit=1)[0].splitlines():
        if line.lower().startswith(_CPU_WORDS):
            yield line


def _line(made_of: str, digest: str) -> bytes:
    checked = f"{made_of} {digest}"
    return f"{checked} {hashlib.sha256(checked.encode()).hexdigest()}\n".encode()


def _digest_of(kept: bytes, made_of: str) -> str | None:
    """Return the digest of a line that is whole and of the same engine; None otherwise."""
    words = kept.decode(errors="replace").split()
    is_whole = len(words) == 3 and len(words[1]) == DIGEST_CHARS
    return words[1] if is_whole and _line(made_of, words[1]) == kept else None
