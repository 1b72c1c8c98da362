"""sd_notify(3): tells systemd how the master is. Does nothing where no systemd asked.

Knows the environment variable and the datagram. Must not know what is told.
"""

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
            return  # Nobody listens: the master runs on all the same.
