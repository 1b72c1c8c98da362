"""Limits of descriptors: how many a process may have, and how many are reserved.

A new descriptor always has the lowest free number (POSIX). So its number shows how many are in use,
and nothing has to be counted.
"""

import errno
import os
import resource
from contextlib import suppress

DESCRIPTORS_MIN = 32
"""No program of ours begins with fewer allowed: engines, a store, a socket or two."""

FILES_KEPT_MAX = 8
"""Reserved from all peers: for the store's files, the locks of jobs, the files of engines."""

OWNER_KEPT_MAX = 16
"""Also reserved from strangers: for clients of the control socket and for analysers dialled."""

BURST_MAX = 1_024
"""Connections that may wait at a listener. It accepts them all before it handles the first: a whole
fleet may come back at once."""

KEPT_SHARE = 8
"""Each of these three is at most an eighth of the limit."""

UNLIMITED = 1 << 20


DESCRIPTORS_WANTED = 1 << 16
"""The largest fleet list (4,096) and as many strangers need far less; more is of no use."""


def allow_descriptors() -> None:
    """Raise the limit as far as the system allows: a thousand analysers need more than the 1,024
    that a shell gives."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS_WANTED if hard == resource.RLIM_INFINITY else min(hard, DESCRIPTORS_WANTED)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        # Some systems have a lower hidden limit: then the present limit stays.
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def descriptor_limit() -> int:
    """Return how many descriptors this process may have at a time."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return UNLIMITED if soft == resource.RLIM_INFINITY else soft


def check_descriptors() -> None:
    """Raise OSError (EMFILE), in words, if too few descriptors are allowed to begin."""
    if (limit := descriptor_limit()) < DESCRIPTORS_MIN:
        text = f"{limit} open files are allowed: expected {DESCRIPTORS_MIN} or more (ulimit -n)"
        raise OSError(errno.EMFILE, text)


def is_for_owner(descriptor: int) -> bool:
    """Whether a connection of the owner may keep this descriptor."""
    limit = descriptor_limit()
    return descriptor < limit - min(FILES_KEPT_MAX, limit // KEPT_SHARE)


def is_for_strangers(descriptor: int) -> bool:
    """Whether a connection of any peer may keep this descriptor."""
    owner = min(OWNER_KEPT_MAX, descriptor_limit() // KEPT_SHARE)
    return is_for_owner(descriptor + owner + burst_max())


def burst_max() -> int:
    """Return how many connections may wait at a listener: as many as are reserved for them."""
    return min(BURST_MAX, descriptor_limit() // KEPT_SHARE)


def shortage(error: OSError) -> str:
    """Return the text of an error that means a lack of descriptors; empty for any other."""
    if error.errno not in (errno.EMFILE, errno.ENFILE):
        return ""
    assert error.errno is not None
    return error.strerror or os.strerror(error.errno)
