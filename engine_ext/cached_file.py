"""Files of the user's cache: read whole up to a bound, replaced at once.

Callers must work without the file: it can be absent or damaged.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from platformdirs import user_cache_path


def cached_file(name: str) -> Path:
    """Return a file's place for this user; XDG_CACHE_HOME is honoured.

    A user without a home, as in a container, has no cache: the place cannot be read or written.
    """
    try:
        return user_cache_path("manyply") / name
    except RuntimeError:
        return Path(os.devnull) / name


def read_cached(path: Path, bytes_max: int) -> bytes | None:
    """Return the first bytes of a file, no more than asked for; None: there is none.

    Raises:
        OSError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return file.read(bytes_max)
    except FileNotFoundError:
        return None


def write_cached(path: Path, content: bytes) -> None:
    """Replace the file, so that no reader ever sees half of it.

    Raises:
        OSError: it cannot be written; the old file is unchanged.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.{os.getpid()}-{os.urandom(4).hex()}")
    try:
        with temporary.open("xb") as file:
            file.write(content)
        os.replace(temporary, path)
    except OSError:
        with contextlib.suppress(OSError):  # a leftover file is harmless
            temporary.unlink()
        raise
