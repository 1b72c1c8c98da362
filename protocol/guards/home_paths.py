"""Paths as people type them: `~` is the user's home, `~name` that of another user."""

from __future__ import annotations

import os
from pathlib import Path


def home_path(text: str | os.PathLike[str]) -> Path:
    """Return the path of a text; without such a home, `~` stays, and names no file.

    Path.expanduser() would raise RuntimeError then.  A container's user may have no home.
    """
    return Path(os.path.expanduser(text))
