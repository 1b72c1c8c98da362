"""What our parent handed us: a listening socket, a connected one, or pipes.

Serves inetd (`nowait` and `wait`), systemd (`Accept=yes` and `no`) and ssh with one detector:
LISTEN_PID and LISTEN_FDS if they name us, else fd 0; then S_ISSOCK, then SO_ACCEPTCONN.
"""

import os
import socket
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

LISTEN_FDS_START = 3  # sd_listen_fds(3)


class InheritedKind(Enum):
    """What the inherited descriptor is."""

    LISTENER = "listener"
    CONNECTION = "connection"
    PIPES = "pipes"


@dataclass(frozen=True, slots=True)
class Inherited:
    """The inherited descriptor; `sock` is None for pipes, which are fd 0 and 1."""

    kind: InheritedKind
    sock: socket.socket | None = None


def inherited(environ: Mapping[str, str] = os.environ) -> Inherited:
    """Detect what the parent handed over.

    Args:
        environ: the environment; LISTEN_PID must name this process for LISTEN_FDS to count.

    Returns:
        The first inherited descriptor, as what it is.
    """
    fd = LISTEN_FDS_START if _is_handed_sockets(environ) else 0
    if not stat.S_ISSOCK(os.fstat(fd).st_mode):
        return Inherited(InheritedKind.PIPES)
    sock = socket.socket(fileno=os.dup(fd))
    is_listening = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    return Inherited(InheritedKind.LISTENER if is_listening else InheritedKind.CONNECTION, sock)


def _is_handed_sockets(environ: Mapping[str, str]) -> bool:
    count = environ.get("LISTEN_FDS", "")
    return environ.get("LISTEN_PID") == str(os.getpid()) and count.isdigit() and int(count) > 0
