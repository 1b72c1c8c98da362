"""Drawings that commands write to files: the option, and the file.

A file that cannot be written is named while the command line is read, before anything is computed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click

from master.cli.arguments import Decorator
from master.cli.errors import CommandError, ExitCode
from master.cli.output import echo_written
from master.reports.png import PngUnavailableError, check_png, png_bytes
from protocol.guards.file_errors import file_error_text


def record_option(help_text: str) -> Decorator:
    """Return the decorator of an option that takes the file of a record."""
    return _file_option("--record", help_text, _checked)


PRINTED = Path("-")
"""The name of standard output, for what can be printed."""


def text_option() -> Decorator:
    """Return the decorator of an option that takes the file of a plain text."""
    said = "Write all moves with boards as plain text; - is standard output."
    return _file_option("--text", said, _checked_text)


def check_outputs(files: Sequence[Path], outputs: Mapping[str, Path | None]) -> None:
    """Refuse to write over a file that is read, or to one file twice.

    Args:
        files: that are read.
        outputs: by option, such as `--html`; None is not asked for.

    Raises:
        CommandError: one line that names the file or the options.
    """
    sources, options = {file.resolve() for file in files}, dict[Path, str]()
    for option, path in outputs.items():
        if path is None:
            continue
        if path != PRINTED and path.resolve() in sources:
            raise CommandError(f"cannot write {path}: it is the file that is analysed")
        if other := options.get(path.resolve()):
            raise CommandError(f"{other} and {option} name the same file: give each its own")
        options[path.resolve()] = option


def check_place(path: Path) -> None:
    """Refuse the name of a file that could not be written, by its folder and permissions alone.

    Raises:
        CommandError: one line that names the file.
    """
    folder = path.absolute().parent
    if not folder.is_dir():
        raise CommandError(f"cannot write {path}: there is no such directory")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise CommandError(f"cannot write {path}: it may not be written", ExitCode.STORAGE)
    if path.is_dir():
        raise CommandError(f"cannot write {path}: it is a directory")


def drawing_option(name: str, help_text: str) -> Decorator:
    """Return the decorator of an option that takes the file of a drawing."""
    return _file_option(name, help_text, _checked)


def png_option(help_text: str) -> Decorator:
    """Return the decorator of an option that takes the file of a drawing in PNG."""
    return _file_option("--png", help_text, _checked_png)


def _file_option(name: str, help_text: str, callback: Callable[..., Path | None]) -> Decorator:
    return click.option(
        name, type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", callback=callback,
        help=help_text,
    )  # fmt: skip


def _checked(ctx: click.Context, param: click.Parameter, path: Path | None) -> Path | None:
    if path is not None and not ctx.resilient_parsing:
        check_writable(path)
    return path


def _checked_text(ctx: click.Context, param: click.Parameter, path: Path | None) -> Path | None:
    return path if path == PRINTED else _checked(ctx, param, path)


def _checked_png(ctx: click.Context, param: click.Parameter, path: Path | None) -> Path | None:
    if path is not None and not ctx.resilient_parsing:
        try:
            check_png()
        except PngUnavailableError as error:
            raise CommandError(str(error)) from error
    return _checked(ctx, param, path)


def check_writable(path: Path) -> None:
    """Raise a CommandError unless a file can be written; its contents stay, if there is one."""
    is_new = not path.exists()
    try:
        path.open("ab").close()
        if is_new:
            path.unlink()
    except OSError as error:
        raise refusal_of(path, error) from error


def write_drawing(path: Path, text: str) -> None:
    """Write a drawing; raises CommandError."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise refusal_of(path, error) from error
    echo_written(path)


def write_png(path: Path, svg: str) -> None:
    """Write an SVG document as PNG; raises CommandError."""
    try:
        path.write_bytes(png_bytes(svg))
    except OSError as error:
        raise refusal_of(path, error) from error
    except PngUnavailableError as error:
        raise CommandError(str(error)) from error
    echo_written(path)


def refusal_of(path: Path, error: OSError) -> CommandError:
    """Return the error of a file that cannot be written."""
    return CommandError(f"cannot write {path}: {file_error_text(error)}", ExitCode.STORAGE)
