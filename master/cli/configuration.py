"""The configuration file: options that a user would type every day.

A TOML file whose keys are long options without their dashes.  Keys at the top go to every command
that has the option, those of a table to the command of that name; the command line wins over both.
Knows files and click's options; must not know what a command does with them.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from platformdirs import user_config_path

from master.cli.errors import CommandError
from master.config.paths import APPLICATION
from protocol.guards.bounded_file import read_bounded

GENERAL_KEYS = ("analyser", "local", "secret", "tls", "plies", "filter", "met")
"""Options that mean the same wherever they are; others belong into a command's table."""

COLOUR_KEY = "colour"
COLOUR_VARIABLES = {"auto": None, "always": "FORCE_COLOR", "never": "NO_COLOR"}
"""What a choice of colours sets, as programs agree (no-color.org); the environment wins."""

BYTES_MAX = 65_536
"""Far more than options need; a larger file is another one by mistake."""

ConfigurationTable = Mapping[str, Any]


@dataclass(frozen=True)
class Configuration:
    """What a configuration file says; nothing if there is none."""

    path: Path
    general: ConfigurationTable = field(default_factory=dict)
    commands: ConfigurationTable = field(default_factory=dict)
    colour: str = "auto"


def configuration_path() -> Path:
    """Return the user's configuration file; XDG_CONFIG_HOME is honoured."""
    return Path(user_config_path(APPLICATION, appauthor=False)) / "config.toml"


def read_settings(path: Path, commands: Collection[str]) -> Configuration:
    """Return what a file says.

    Args:
        path: the file; one that is not there says nothing.
        commands: names that a table may have.

    Raises:
        CommandError: it cannot be read, is no TOML, or has a key that nobody knows.
    """
    try:
        text, _ = read_bounded(path, BYTES_MAX)
    except (FileNotFoundError, NotADirectoryError):
        return Configuration(path)
    except OSError as error:
        raise CommandError(f"{path}: cannot be read: {error.strerror}") from error
    if len(text) > BYTES_MAX:
        raise CommandError(f"{path}: has more than {BYTES_MAX:,} bytes: expected a few options")
    try:
        content = tomllib.loads(text.decode())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CommandError(f"{path}: is no TOML: {error}") from error
    return _to_settings(path, content, commands)


def _to_settings(
    path: Path, content: ConfigurationTable, commands: Collection[str]
) -> Configuration:
    tables = {key: value for key, value in content.items() if isinstance(value, dict)}
    general = {key: value for key, value in content.items() if key not in tables}
    colour = general.pop(COLOUR_KEY, "auto")
    if colour not in COLOUR_VARIABLES:
        expected = ", ".join(COLOUR_VARIABLES)
        raise CommandError(f"{path}: {COLOUR_KEY} = {colour!r}: expected one of {expected}")
    for key in general:
        _check_known(path, key, (*GENERAL_KEYS, COLOUR_KEY), "for all commands")
    for key in tables:
        _check_known(path, f"[{key}]", [f"[{command}]" for command in commands], "of a command")
    return Configuration(path, general, tables, colour)


def _check_known(path: Path, key: str, known: Collection[str], where: str) -> None:
    if key in known:
        return
    nearest = difflib.get_close_matches(key, known, n=1)
    hint = f"did you mean {nearest[0]}?" if nearest else f"expected one of {', '.join(known)}"
    raise CommandError(f"{path}: {key} is no key {where}: {hint}")


def apply_colour(settings: Configuration) -> None:
    """Have this process print as the user wants it; what the environment says stays."""
    variable = COLOUR_VARIABLES[settings.colour]
    is_said = "NO_COLOR" in os.environ or "FORCE_COLOR" in os.environ
    if variable is not None and not is_said:
        os.environ[variable] = "1"


def defaults_of(name: str, command: click.Command, settings: Configuration) -> dict[str, Any]:
    """Return what click takes for options that the command line leaves out.

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
        for name in param.opts
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
    """Return `FILE: ` if a value that was refused comes from the configuration, else nothing."""
    context, param = getattr(error, "ctx", None), getattr(error, "param", None)
    if context is None or param is None or param.name is None:
        return ""
    is_blamed = context.get_parameter_source(param.name) is ParameterSource.DEFAULT_MAP
    return f"{configuration_path()}: " if is_blamed else ""
