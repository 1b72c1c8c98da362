"""The configuration file: options that a user would type every day.

A TOML file whose keys are long options without their dashes. Keys at the top go to every command
that has the option, those of a table to the command of that name; the command line wins over both.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from master.cli.errors import CommandError
from master.config.paths import configuration_dir
from protocol.guards.bounded_file import read_bounded
from protocol.guards.renamed_option import all_names

GENERAL_KEYS = ("analyser", "workers", "local", "secret", "tls", "filter", "met")
"""Options that mean the same wherever they are; others belong into a command's table.  `--plies`
does not: two of them are a tenth of a second to `cube`, and hours to `rollout`."""

COLOUR_KEY = "colour"
COLOUR_VARIABLES = {"auto": None, "always": "FORCE_COLOR", "never": "NO_COLOR"}
"""The variable for each choice of colours (see no-color.org); the environment wins."""

BYTES_MAX = 65_536
"""Far more than options need; a larger file is another one by mistake."""

ConfigurationTable = Mapping[str, Any]

FindCommands = Callable[[str], Collection[str]]
"""Given a long option without its dashes: the names of the commands that have it."""


@dataclass(frozen=True)
class Configuration:
    """The settings of a configuration file; none without a file."""

    path: Path
    general: ConfigurationTable = field(default_factory=dict)
    commands: ConfigurationTable = field(default_factory=dict)
    colour: str = "auto"


def configuration_path() -> Path:
    """Return the user's configuration file; XDG_CONFIG_HOME is honoured."""
    return configuration_dir() / "config.toml"


def read_settings(
    path: Path, commands: Collection[str], find: FindCommands = lambda key: ()
) -> Configuration:
    """Return the settings of a file.

    Args:
        path: the file; a missing one has no settings.
        commands: names that a table may have.
        find: asked about a key at the top that is not for all commands.

    Raises:
        CommandError: it cannot be read, is no TOML, or has a key that is unknown or misplaced.
    """
    try:
        text, _ = read_bounded(path, BYTES_MAX)
    except (FileNotFoundError, NotADirectoryError):
        return Configuration(path)
    except OSError as error:
        raise CommandError(f"{path}: cannot be read: {error.strerror}") from error
    if len(text) > BYTES_MAX:
        raise CommandError(f"{path}: has more than {BYTES_MAX:,} bytes: expected a few options")
    import tomllib  # noqa: PLC0415  # most users have no such file

    try:
        content = tomllib.loads(text.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CommandError(f"{path}: is no TOML: {error}") from error
    return _to_settings(path, content, commands, find)


def _to_settings(
    path: Path, content: ConfigurationTable, commands: Collection[str], find: FindCommands
) -> Configuration:
    tables = {key: value for key, value in content.items() if isinstance(value, dict)}
    general = {key: value for key, value in content.items() if key not in tables}
    colour = general.pop(COLOUR_KEY, "auto")
    if colour not in COLOUR_VARIABLES:
        expected = ", ".join(COLOUR_VARIABLES)
        raise CommandError(f"{path}: {COLOUR_KEY} = {colour!r}: expected one of {expected}")
    for key in general:
        where = "for all commands"
        _check_place(path, key, (*GENERAL_KEYS, COLOUR_KEY), where, find)
        _check_known(path, key, (*GENERAL_KEYS, COLOUR_KEY), where)
    for key in tables:
        _check_known(path, f"[{key}]", [f"[{command}]" for command in commands], "of a command")
    return Configuration(path, general, tables, colour)


def _check_place(
    path: Path, key: str, known: Collection[str], where: str, find: FindCommands
) -> None:
    """Refuse a key that is valid elsewhere; the text names the place."""
    if key in known:
        return
    if key in (*GENERAL_KEYS, COLOUR_KEY):
        raise CommandError(f"{path}: {key} is no key {where}: put it above the first [command]")
    if commands := sorted(find(key)):
        places = " or ".join(filter(None, (", ".join(commands[:-1]), commands[-1])))
        raise CommandError(f"{path}: {key} is no key {where}: put it below {places}")


def commands_with(group: click.Group) -> FindCommands:
    """Return a function that finds the tables of a program's commands that may have a key."""

    def find(key: str) -> Collection[str]:
        return [
            f"[{name}]"
            for name, command in _subcommands(group)
            if any(key in _options(leaf) for leaf in _leaves(command))
        ]

    return find


def _check_known(path: Path, key: str, known: Collection[str], where: str) -> None:
    if key in known:
        return
    import difflib  # noqa: PLC0415  # only to say this

    nearest = difflib.get_close_matches(key, known, n=1)
    hint = f"did you mean {nearest[0]}?" if nearest else f"expected one of {', '.join(known)}"
    raise CommandError(f"{path}: {key} is no key {where}: {hint}")


def apply_colour(settings: Configuration) -> None:
    """Have this process print as the user wants it; the environment's variables win."""
    variable = COLOUR_VARIABLES[settings.colour]
    is_said = "NO_COLOR" in os.environ or "FORCE_COLOR" in os.environ
    if variable is not None and not is_said:
        os.environ[variable] = "1"


def defaults_of(
    name: str,
    command: click.Command,
    settings: Configuration,
    find: FindCommands = lambda key: (),
) -> dict[str, Any]:
    """Return default values for click, for options that the command line leaves out.

    Args:
        name: of the command, and of its table.
        command: the command with these options.
        settings: the file's.
        find: asked about a key of the table that the command does not have.

    Raises:
        CommandError: the command's table has a key that is none of its options.
    """
    table = settings.commands.get(name, {})
    if not settings.general and not table:
        return {}  # else every game's command is loaded to see which options it has
    used: set[str] = set()
    defaults = _defaults(command, settings, table, used)
    for key, value in table.items():
        if key not in used and not isinstance(value, dict):
            options = sorted({key for each in _leaves(command) for key in _options(each)})
            _check_place(settings.path, key, options, f"of [{name}]", find)
            _check_known(settings.path, key, options, f"of [{name}]")
    return defaults


def _defaults(
    command: click.Command, settings: Configuration, table: ConfigurationTable, used: set[str]
) -> dict[str, Any]:
    if isinstance(command, click.Group):
        return {
            name: _defaults(each, settings, {**table, **_subtable(table, name)}, used)
            for name, each in _subcommands(command)
        }
    options = _options(command)
    values = {**settings.general, **table}
    used.update(key for key in values if key in options)
    return {
        str(options[key].name): _to_default(settings.path, key, value, options[key])
        for key, value in values.items()
        if key in options
    }


def _subtable(table: ConfigurationTable, name: str) -> ConfigurationTable:
    inner = table.get(name, {})
    return inner if isinstance(inner, dict) else {}


def _subcommands(group: click.Group) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if command is not None:
            yield name, command


def _leaves(command: click.Command) -> Iterator[click.Command]:
    if isinstance(command, click.Group):
        for _, each in _subcommands(command):
            yield from _leaves(each)
    else:
        yield command


def _options(command: click.Command) -> dict[str, click.Option]:
    """Return a command's options by their long names without dashes."""
    return {
        name.removeprefix("--"): param
        for param in command.params
        if isinstance(param, click.Option)
        for name in all_names(param)
        if name.startswith("--")
    }


def _to_default(path: Path, key: str, value: object, option: click.Option) -> object:
    """Return a value as the command line would give it."""
    if option.is_flag:
        if not isinstance(value, bool):
            raise CommandError(f"{path}: {key} = {value!r}: expected true or false")
        return value
    values = value if isinstance(value, list) else [value]
    is_fit = option.multiple or not isinstance(value, list)
    if not is_fit or any(isinstance(each, bool | dict | list) for each in values):
        expected = "a text, a number or a list of them" if option.multiple else "a text or a number"
        raise CommandError(f"{path}: {key} = {value!r}: expected {expected}")
    texts = [str(each) for each in values]
    return texts if option.multiple else texts[0]


def is_configured(name: str) -> bool:
    """Return whether a parameter of the running command has its value from the file."""
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.DEFAULT_MAP


def blamed_file(error: click.ClickException) -> str:
    """Return `FILE: ` if a value that was refused comes from the configuration, else nothing.

    A complaint about several options names them: each that it names may be the file's.
    """
    context, param = getattr(error, "ctx", None), getattr(error, "param", None)
    if context is None:
        return ""
    named = set(re.findall(r"--[a-z][a-z-]*", error.format_message()))
    refused = [param] if param else [x for x in context.command.params if named & set(x.opts)]
    is_blamed = any(
        context.get_parameter_source(each.name) is ParameterSource.DEFAULT_MAP
        for each in refused
        if each.name is not None
    )
    return f"{configuration_path()}: " if is_blamed else ""
