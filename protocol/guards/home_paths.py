"""Paths as people type them: `~` is the user's home, `~name` that of another user."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import click


def home_path(text: str | os.PathLike[str]) -> Path:
    """Return the path of a text; without such a home, `~` stays, and names no file.

    Path.expanduser() would raise RuntimeError then.  A container's user may have no home.
    """
    return Path(os.path.expanduser(text))


def user_folder(find: Callable[[], Path]) -> Path:
    """Return a folder that platformdirs finds for the user.

    Raises:
        UsageError: the user has no home, as in a container, and no variable names the folder.
    """
    try:
        return find()
    except RuntimeError:
        raise click.UsageError("this user has no home folder: expected one in HOME") from None
