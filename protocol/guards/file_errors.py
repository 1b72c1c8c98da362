"""Texts for file errors, the same everywhere: a full disk, a used quota, a limit of file size.

A quota and a limit have texts of their own, since the remedy differs.
"""

import errno
import os
import resource
import tempfile
from pathlib import Path

FULL = "the disk is full"

_FULL_WORDS = {
    errno.ENOSPC: FULL,
    errno.EDQUOT: f"{FULL} for you: your quota is used up",
    errno.EFBIG: "the file is as large as files may be here (ulimit -f)",
}

PROBE_BYTES = 1 << 16
"""Bytes of a test write: more than the free space of a disk that has refused some pages."""

SPARE_BYTES = 1 << 16
"""A file this near its limit counts as full: writes are of a few pages."""


def file_error_text(error: OSError) -> str:
    """Return the text of a file's error, without its name."""
    known = _FULL_WORDS.get(error.errno or 0)
    return known or error.strerror or str(error)


def is_full(error: OSError) -> bool:
    """Whether an error means that a disk, a quota or a file is full."""
    return error.errno in _FULL_WORDS


def named_file_error(error: OSError) -> str:
    """Return the text of a file's error, with the name if the error has it."""
    text = file_error_text(error)
    return f"cannot write {error.filename}: {text}" if error.filename else text


def shortage_text(path: Path, *beside: Path) -> str:
    """Return the reason why a file, or one of `beside`, cannot grow; empty: none was found.

    For libraries that give no reason when a write fails. It writes a file without a name there.
    """
    limit, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    for file in (path, *beside) if limit != resource.RLIM_INFINITY else ():
        if file.exists() and file.stat().st_size + SPARE_BYTES > limit:
            return _FULL_WORDS[errno.EFBIG]
    try:
        with tempfile.TemporaryFile(dir=path.parent) as probe:
            probe.write(bytes(PROBE_BYTES))
            probe.flush()
            os.fsync(probe.fileno())
    except OSError as error:
        return _FULL_WORDS.get(error.errno or 0, "")
    return ""
