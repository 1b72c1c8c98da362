"""Descriptors inherited from the parent: a listening socket, a connected one, or pipes.

One detector serves inetd (`nowait` and `wait`), systemd (`Accept=yes` and `no`) and ssh: LISTEN_PID
and LISTEN_FDS if they name this process, else fd 0; then S_ISSOCK, then SO_ACCEPTCONN.
"""

import os
import socket
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

LISTEN_FDS_START = 3
"""Sd_listen_fds(3)."""


class InheritedKind(Enum):
    """The kind of an inherited descriptor."""

    LISTENER = "listener"
    CONNECTION = "connection"
    PIPES = "pipes"


@dataclass(frozen=True, slots=True)
class Inherited:
    """The inherited descriptor; `sock` is None for pipes, which are fd 0 and 1."""

    kind: InheritedKind
    sock: socket.socket | None = None


def inherited(environ: Mapping[str, str] = os.environ) -> Inherited:
    """Take the descriptor inherited from the parent.

    A socket at fd 0 is moved to another descriptor, and `shield_stdio` keeps stray prints off it.

    Args:
        environ: the environment; LISTEN_PID must name this process for LISTEN_FDS to count.

    Returns:
        The first inherited descriptor and its kind.

    Raises:
        OSError: LISTEN_FDS names a descriptor that is not open.
        ValueError: it is a socket, but no stream socket.
    """
    if _is_handed_sockets(environ):
        os.set_inheritable(LISTEN_FDS_START, False)
        sock = socket.socket(fileno=LISTEN_FDS_START)
        return Inherited(_kind(sock), sock)
    if not is_one_socket():
        return Inherited(InheritedKind.PIPES)
    sock = socket.socket(fileno=os.dup(0))
    shield_stdio()
    return Inherited(_kind(sock), sock)


def _is_handed_sockets(environ: Mapping[str, str]) -> bool:
    count = environ.get("LISTEN_FDS", "")
    return environ.get("LISTEN_PID") == str(os.getpid()) and count.isdigit() and int(count) > 0


def _kind(sock: socket.socket) -> InheritedKind:
    if sock.type != socket.SOCK_STREAM:
        raise ValueError("the inherited socket is no stream")
    is_listening = sock.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    return InheritedKind.LISTENER if is_listening else InheritedKind.CONNECTION


def _identity(fd: int) -> tuple[int, int] | None:
    try:
        status = os.fstat(fd)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def is_one_socket() -> bool:
    """Whether fd 0 carries both directions: any socket, except a Unix one that differs from fd 1.

    Some parents give two Unix socket pairs instead of two pipes. A TCP socket at fd 0 carries both
    directions even if fd 1 is a log.
    """
    if not stat.S_ISSOCK(os.fstat(0).st_mode):
        return False
    with socket.socket(fileno=os.dup(0)) as probe:
        is_unix = probe.family == socket.AF_UNIX
        is_listening = probe.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    return not is_unix or bool(is_listening) or _identity(0) == _identity(1)


def shield_stdio() -> None:
    """Point fd 0 at /dev/null and fd 1 at stderr, so that a stray print does not reach the peer.

    inetd makes stderr the peer's socket as well; then stderr points at /dev/null, too.
    """
    null_fd = os.open(os.devnull, os.O_RDWR)
    if _identity(2) in (_identity(0), _identity(1), None):
        is_peer = _identity(2) is None or stat.S_ISSOCK(os.fstat(2).st_mode)
        if is_peer:
            os.dup2(null_fd, 2)
    os.dup2(null_fd, 0)
    os.dup2(2, 1)
    if null_fd > 2:
        os.close(null_fd)
