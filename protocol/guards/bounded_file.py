"""Reading a file that a user names, with a limit of bytes and of time.

A path may name a directory, a device, or a pipe without a writer. A shell's `<(COMMAND)` is a pipe
as well, and is read like a file.
"""

import errno
import os
import select
import stat
import time
from pathlib import Path

PIPE_S = 30.0
"""Time for a pipe's writer: a program started with a pipe gets its content soon."""

_PIECE_BYTES = 1 << 16


def read_bounded(
    path: Path, bytes_max: int, within_s: float = PIPE_S
) -> tuple[bytes, os.stat_result]:
    """Return a file's content and its status.

    Args:
        path: of a file, or of a pipe.
        bytes_max: the useful length; of a longer file one byte more is returned, as a sign.
        within_s: time for a pipe or a terminal.

    Raises:
        OSError: it cannot be read, or not in time; its `strerror` gives the reason.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except ValueError as error:  # a name that no file can have
        raise OSError(errno.EINVAL, str(error)) from None
    try:
        status = os.fstat(descriptor)
        content = _read(descriptor, bytes_max + 1, time.monotonic() + within_s)
    finally:
        os.close(descriptor)
    if not content and stat.S_ISFIFO(status.st_mode):
        raise OSError(errno.ENODATA, "it is a pipe into which nobody writes")
    return content, status


def _read(descriptor: int, bytes_max: int, deadline: float) -> bytes:
    content = bytearray()
    while len(content) < bytes_max:
        try:
            piece = os.read(descriptor, min(_PIECE_BYTES, bytes_max - len(content)))
        except BlockingIOError:
            left_s = deadline - time.monotonic()
            if left_s <= 0 or not select.select([descriptor], [], [], left_s)[0]:
                text = "it is a pipe or a terminal, and its content did not come in time"
                raise OSError(errno.ETIMEDOUT, text) from None
            continue
        if not piece:
            break
        content += piece
    return bytes(content)
