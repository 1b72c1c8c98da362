"""sd_notify(3): tells systemd how a service is.  Does nothing where no systemd asked."""

from __future__ import annotations

import os
import socket


def notify_parent(state: str) -> None:
    """Send one state, such as `READY=1`, to the socket that NOTIFY_SOCKET names."""
    path = os.environ.get("NOTIFY_SOCKET", "")
    if not path.startswith(("/", "@")):
        return
    address = "\0" + path[1:] if path.startswith("@") else path
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sock:
        try:
            sock.sendto(state.encode(), address)
        except OSError:
            return  # nobody listens: the service runs on all the same
