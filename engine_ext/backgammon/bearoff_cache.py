"""The cache file of generated bear-off tables: its path and its checksum.

The cache is optional: if the file is missing or damaged, the tables are generated again.
The caller notices only the time.
"""

import hashlib
import logging
from collections.abc import Callable
from pathlib import Path

from engine_ext.cached_file import cached_file, read_cached, write_cached

TABLES_DIGEST = "d113502dbd4a4098c0a4ba443f288fbf92a268a06c0387178a157d8b2293a68e"
"""Sha256 of the tables: they are the same bytes on every machine, so that any other content is a
damaged file or another version's.  Change it with the generator."""

CACHE_BYTES_MAX = 1 << 24
"""At most this many bytes of the cache file are read; the tables are 14.9 MB."""

_log = logging.getLogger(__name__)


def cache_path() -> Path:
    """Return the file's place for this user; XDG_CACHE_HOME is honoured."""
    return cached_file(f"bearoff-{TABLES_DIGEST[:16]}.bin")


def load_tables(generate: Callable[[], bytes], path: Path | None = None) -> bytes:
    """Return the tables from the cache, or generate them and try to keep them.

    Args:
        generate: makes the tables; called only if the cache has no sound copy.
        path: the cache file, if not the user's own.
    """
    path = cache_path() if path is None else path
    tables = _read(path)
    if tables is not None:
        return tables
    tables = generate()
    _write(path, tables)
    return tables


def _read(path: Path) -> bytes | None:
    try:
        tables = read_cached(path, CACHE_BYTES_MAX)
    except OSError as error:
        _log.warning("bear-off cache not readable, generating the tables: %s", error)
        return None
    if tables is None or hashlib.sha256(tables).hexdigest() == TABLES_DIGEST:
        return tables
    _log.warning("bear-off cache %s is damaged, generating the tables anew", path)
    return None


def _write(path: Path, tables: bytes) -> None:
    try:
        write_cached(path, tables)
    except OSError as error:
        _log.warning("bear-off tables not cached, kept in memory only: %s", error)
