"""Files that are replaced whole: a reader finds the old content, or all of the new one."""

import os
import secrets
from pathlib import Path


def write_whole_file(path: Path, content: bytes) -> None:
    """Replace a file, all of it or nothing, durably.

    A symbolic link stays one, and the new file has the rights of the old one.

    Raises:
        OSError: it cannot be written; the old file is unchanged.
    """
    # Path.resolve() would raise a RuntimeError where links form a loop.
    place = Path(os.path.realpath(path))
    beside = place.parent / f".manyply-{secrets.token_hex(8)}"
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            if place.exists():
                os.fchmod(file.fileno(), place.stat().st_mode & 0o777)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, place)
    except BaseException:
        os.unlink(beside)
        raise
