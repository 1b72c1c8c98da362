"""The manual pages, made from the help texts.

    python -m master.cli.manual deploy/man

writes a page for each program, `manyply` with all its commands.
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import click
from click.formatting import join_options

from analyser.command import main as analyser_main
from master.cli.app import manyply
from master.cli.place import show_fleet_options
from master.cli.relay.command import main as relay_main
from master.command import main as master_main

PROGRAMS: dict[str, click.Command] = {
    "manyply": manyply,
    "manyply-master": master_main,
    "manyply-analyser": analyser_main,
    "manyply-relay": relay_main,
}

HELP_TEXT = "Show this message and exit."

WIDTH = 10_000
"""Of help records: roff breaks lines, not we."""


def main() -> None:
    """Write the pages into the folder that is given."""
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m master.cli.manual FOLDER")
    for name in PROGRAMS:
        path = Path(sys.argv[1]) / f"{name}.1"
        path.write_text(page(name))
        click.echo(path)


def page(name: str) -> str:
    """Return a program's manual page."""
    command = PROGRAMS[name]
    context = click.Context(
        command, info_name=name, max_content_width=WIDTH,
        help_option_names=command.context_settings["help_option_names"],
    )  # fmt: skip
    show_fleet_options(context)
    summary = _paragraphs(command.help)[0].rstrip(".")
    others = ", ".join(rf"\fB{_roff(other)}\fP(1)" for other in PROGRAMS if other != name)
    lines = [
        f".TH {_roff(name.upper())} 1",
        ".SH NAME",
        rf"{_roff(name)} \- {_roff(summary[0].lower() + summary[1:])}",
        ".SH SYNOPSIS",
        _usage(context),
        ".SH DESCRIPTION",
        *_text(_paragraphs(command.help)[1:]),
        ".SH OPTIONS",
        *_options(context),
        *_commands(context),
        *_epilog(command, ".SH"),
        ".SH SEE ALSO",
        others,
    ]
    return "\n".join(lines) + "\n"


def _commands(context: click.Context) -> Iterator[str]:
    """Yield a section of a group with a part for each command, those of inner groups included."""
    if isinstance(context.command, click.Group):
        yield ".SH COMMANDS"
        yield from _subcommands(context)


def _subcommands(context: click.Context) -> Iterator[str]:
    assert isinstance(context.command, click.Group)
    for name in context.command.list_commands(context):
        command = context.command.get_command(context, name)
        assert command is not None
        inner = click.Context(command, context, name, max_content_width=WIDTH)
        yield f".SS {_roff(inner.command_path)}"
        if isinstance(command, click.Group):
            yield from _text(_paragraphs(command.help))
            yield from _subcommands(inner)
            continue
        yield _usage(inner)
        yield ".PP"
        yield from _text(_paragraphs(command.help))
        yield from _options(inner)
        if command.epilog:
            yield ".PP"
            yield from _text(_paragraphs(command.epilog))


def _usage(context: click.Context) -> str:
    words = " ".join(context.command.collect_usage_pieces(context))
    return rf"\fB{_roff(context.command_path)}\fP {_roff(words)}"


def _options(context: click.Context) -> Iterator[str]:
    options = [param for param in context.command.params if isinstance(param, click.Option)]
    for record in (*(each.get_help_record(context) for each in options), _help_record(context)):
        if record is not None:
            yield ".TP"
            yield rf"\fB{_roff(record[0])}\fP"
            yield _roff(" ".join(record[1].split()))


def _help_record(context: click.Context) -> tuple[str, str] | None:
    """Return the line for click's own option.

    Click makes it once, by the context that asks first: a command that was called without its
    program before has no -h in it.
    """
    names = context.command.get_help_option_names(context)
    return (join_options(names)[0], HELP_TEXT) if names else None


def _epilog(command: click.Command, heading: str) -> Iterator[str]:
    """Yield the text after the options; its first line is its heading."""
    for paragraph in _paragraphs(command.epilog):
        first, _, rest = paragraph.removeprefix("\b\n").partition("\n")
        yield f"{heading} {_roff(first.rstrip(':').upper())}"
        yield from _text(["\b\n" + rest])


def _paragraphs(text: str | None) -> list[str]:
    return inspect.cleandoc(text or "").split("\n\n") if text else []


def _text(paragraphs: list[str]) -> Iterator[str]:
    """Yield paragraphs; one that begins with click's mark keeps its lines."""
    for number, paragraph in enumerate(paragraphs):
        if number:
            yield ".PP"
        if paragraph.startswith("\b"):
            yield ".nf"
            yield from (_roff(line) for line in textwrap.dedent(paragraph[2:]).splitlines())
            yield ".fi"
        else:
            yield _roff(" ".join(paragraph.split()))


def _roff(text: str) -> str:
    """Return a line that roff prints as it is."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{escaped}" if escaped.startswith((".", "'")) else escaped


if __name__ == "__main__":
    main()
