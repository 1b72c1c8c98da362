"""How many descriptors a process may have, and how many of them strangers may not take.

Knows limits. A new descriptor is always the lowest number that is free (POSIX), so its number says
how many are taken, and nothing has to be counted. Must not know who is a stranger.
"""

import errno
import os
import resource
from contextlib import suppress

DESCRIPTORS_MIN = 32
"""No program of ours begins with fewer allowed: engines, a store, a socket or two."""

FILES_KEPT_MAX = 8
"""Kept from all peers: the store's files, the locks of jobs, what an engine reads."""

OWNER_KEPT_MAX = 16
"""Kept from strangers besides: for clients of the control socket and analysers that are dialled."""

BURST_MAX = 1_024
"""Connections that a listener may find waiting, and takes all before it looks at the first: a whole
fleet that comes back at once."""

KEPT_SHARE = 8
"""Of few descriptors an eighth is kept for each."""

UNLIMITED = 1 << 20


DESCRIPTORS_WANTED = 1 << 16
"""A fleet's largest list (4,096) and as many strangers are far below; more is no use to anybody."""


def allow_descriptors() -> None:
    """Have as many descriptors as this process may ask for: a thousand analysers need more than the
    1,024 that a shell gives."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = DESCRIPTORS_WANTED if hard == resource.RLIM_INFINITY else min(hard, DESCRIPTORS_WANTED)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        # Some systems have a lower limit that they do not tell: what there is must do then.
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
    """Whether a connection of the owner's may keep this descriptor."""
    limit = descriptor_limit()
    return descriptor < limit - min(FILES_KEPT_MAX, limit // KEPT_SHARE)


def is_for_strangers(descriptor: int) -> bool:
    """Whether anybody may keep this descriptor."""
    owner = min(OWNER_KEPT_MAX, descriptor_limit() // KEPT_SHARE)
    return is_for_owner(descriptor + owner + burst_max())


def burst_max() -> int:
    """Return how many connections may wait at a listener: as many as are kept for that."""
    return min(BURST_MAX, descriptor_limit() // KEPT_SHARE)


def shortage(error: OSError) -> str:
    """Return what an error says if it is a want of descriptors, else nothing."""
    if error.errno not in (errno.EMFILE, errno.ENFILE):
        return ""
    assert error.errno is not None
    return error.strerror or os.strerror(error.errno)
