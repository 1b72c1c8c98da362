"""Drawings that commands write to files: the option, and the file.

A file that cannot be written is named while the command line is read, before anything is computed.
"""

from __future__ import annotations

from pathlib import Path

import click

from master.cli.arguments import Decorator
from master.cli.errors import CommandError, ExitCode


def drawing_option(name: str, help_text: str) -> Decorator:
    """Return the decorator of an option that takes the file of a drawing."""
    return click.option(
        name, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", callback=_checked,
        help=help_text,
    )  # fmt: skip


def _checked(ctx: click.Context, param: click.Parameter, path: Path | None) -> Path | None:
    if path is not None and not ctx.resilient_parsing:
        check_writable(path)
    return path


def check_writable(path: Path) -> None:
    """Raise a CommandError unless a file can be written; what it holds stays, if there is one."""
    is_new = not path.exists()
    try:
        path.open("ab").close()
        if is_new:
            path.unlink()
    except OSError as error:
        raise _refusal(path, error) from error


def write_drawing(path: Path, text: str) -> None:
    """Write a drawing; raises CommandError."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise _refusal(path, error) from error


def _refusal(path: Path, error: OSError) -> CommandError:
    return CommandError(f"cannot write {path}: {error.strerror}", ExitCode.STORAGE)
