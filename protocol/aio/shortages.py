"""Shortages that stop a program, as texts for people: descriptors, memory, threads."""

import errno
import resource

from protocol.aio import descriptors

SHORTAGES = (OSError, MemoryError, RuntimeError, ImportError)
"""Exceptions raised for a shortage; each is also raised for other reasons."""

_THREAD = "can't start new thread"
_LIBRARY = ("failed to map segment", "cannot allocate memory", "cannot map zero-fill pages")
"""Parts of the loader's messages for a library that does not fit (glibc's dl-load.c)."""


ADDRESS_BYTES_MIN = 128 << 20
"""Of address space (ulimit -v): with less, uvloop ends the process if it cannot start a thread.
Measured on x86-64: a master with a page runs in 108 MiB."""


def check_address_space(bytes_min: int = ADDRESS_BYTES_MIN) -> None:
    """Raise OSError (ENOMEM), in words, if less address space is allowed."""
    soft, _ = resource.getrlimit(resource.RLIMIT_AS)
    if soft != resource.RLIM_INFINITY and soft < bytes_min:
        raise OSError(errno.ENOMEM, f"expected {bytes_min >> 10:,} KiB or more")


def shortage(error: BaseException) -> str:
    """Return a text if an error means a lack of descriptors, memory or threads; else empty."""
    if isinstance(error, OSError):
        if error.errno != errno.ENOMEM:
            return descriptors.shortage(error)
        is_ours = (error.strerror or "").startswith("expected ")
        return f"{_no_memory()}; {error.strerror}" if is_ours else _no_memory()
    if isinstance(error, MemoryError):
        return _no_memory()
    text = str(error)
    if isinstance(error, ImportError):
        is_shortage = any(words in text.lower() for words in _LIBRARY)
        is_shortage = is_shortage or isinstance(error.__cause__, MemoryError)
        return _no_memory() if is_shortage else ""
    if text == _THREAD:
        return f"{_no_memory()}, or too few threads are allowed (ulimit -u)"
    return ""


def _no_memory() -> str:
    limits = (("-v", resource.RLIMIT_AS), ("-d", resource.RLIMIT_DATA))
    allowed = [
        f"{soft >> 10:,} KiB are allowed (ulimit {option})"
        for option, kind in limits
        if (soft := resource.getrlimit(kind)[0]) != resource.RLIM_INFINITY
    ]
    return ": ".join(["too little memory", *allowed[:1]])
