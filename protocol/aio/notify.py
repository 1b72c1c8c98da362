"""sd_notify(3): reports a daemon's state to systemd. Does nothing unless systemd asks for it."""

import asyncio
import os
import socket
from collections.abc import Mapping

OWN_VARIABLES = ("NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC")
"""Meant for one process, not for those that it starts: systemd would refuse their states."""


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
            return  # The socket has no reader; the daemon runs on.


async def keep_watchdog(environ: Mapping[str, str] = os.environ) -> None:
    """Notify systemd twice in each WatchdogSec; return if no watchdog is set."""
    interval_us = environ.get("WATCHDOG_USEC", "")
    is_ours = environ.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    if not (is_ours and interval_us.isdigit() and int(interval_us) > 0):
        return
    while True:
        notify_parent("WATCHDOG=1", environ)
        await asyncio.sleep(int(interval_us) / 2e6)
