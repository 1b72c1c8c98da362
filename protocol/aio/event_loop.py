"""The event loop that daemons and commands run on."""

from __future__ import annotations

import asyncio

from protocol.aio.descriptors import allow_descriptors, check_descriptors
from protocol.aio.shortages import check_address_space


def new_runner() -> asyncio.Runner:
    """Return a runner of the fastest available loop.

    Raises:
        OSError: too few descriptors or too little memory is allowed, in words.
    """
    allow_descriptors()
    check_descriptors()
    check_address_space()
    try:
        import uvloop  # noqa: PLC0415  # absent on some systems; asyncio's own loop will do
    except ImportError:
        return asyncio.Runner()
    return asyncio.Runner(loop_factory=uvloop.new_event_loop)
