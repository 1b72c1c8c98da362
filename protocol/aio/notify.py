"""sd_notify(3): tells systemd how a daemon is. Does nothing where no systemd asked.

Knows the environment variables and the datagram. Must not know what is told.
"""

import asyncio
import os
import socket
from collections.abc import Mapping


def notify_parent(state: str, environ: Mapping[str, str] = os.environ) -> None:
    """Send one state, such as `READY=1`, to the socket that NOTIFY_SOCKET names."""
    path = environ.get("NOTIFY_SOCKET", "")
    if not path.startswith(("/", "@")):
        return
    address = "\0" + path[1:] if path.startswith("@") else path
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sock:
        try:
            sock.sendto(state.encode(), address)
        except OSError:
            return  # Nobody listens: the daemon runs on all the same.


async def keep_watchdog(environ: Mapping[str, str] = os.environ) -> None:
    """Tell systemd, twice in each WatchdogSec, that the loop turns; return if it does not ask."""
    interval_us = environ.get("WATCHDOG_USEC", "")
    is_ours = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    if not (is_ours and interval_us.isdigit() and int(interval_us) > 0):
        return
    while True:
        notify_parent("WATCHDOG=1", environ)
        await asyncio.sleep(int(interval_us) / 2e6)
