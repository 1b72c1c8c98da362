"""Why a file could not be read or written, in the same words everywhere: a full disk is full.

Knows the system's error numbers.  A quota that is used up, and a limit to the size of a file, are
named beside: what helps is another thing.
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
"""What is written to find out: more than what is left of a disk that refused some pages."""

SPARE_BYTES = 1 << 16
"""A file so near its limit is one that could not grow: writes are of a few pages."""


def file_error_text(error: OSError) -> str:
    """Return what went wrong with a file, without its name."""
    known = _FULL_WORDS.get(error.errno or 0)
    return known or error.strerror or str(error)


def is_full(error: OSError) -> bool:
    """Whether an error says that a disk, a quota or a file is full."""
    return error.errno in _FULL_WORDS


def named_file_error(error: OSError) -> str:
    """Return what went wrong with a file that the error may name."""
    text = file_error_text(error)
    return f"cannot write {error.filename}: {text}" if error.filename else text


def shortage_text(path: Path, *beside: Path) -> str:
    """Return what keeps a file, or one beside it, from growing; empty: nothing that can be seen.

    For libraries that do not say why a write failed.  It writes a file without a name there.
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
