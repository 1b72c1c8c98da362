"""The options that say who is let in from above, beside those for who comes from below.

Knows click.  Must not know what guards a door: that is what `door_options` says, under other names.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click

from protocol.access.rules import Access
from protocol.guards.options import door_options

PREFIX = "up-"
"""Begins the names of what concerns the master above, where one below has the name without."""


def upper_door_options(daemon: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return what adds the options of the upper door; the command is given them as `up_access`.

    Args:
        daemon: its name in hosts.allow and hosts.deny.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @door_options(daemon, has_ticket=True)
        def read(access: Access) -> Access:
            return access

        options: list[click.Option] = getattr(read, "__click_params__", [])
        names = [option.name for option in options if option.name]

        @functools.wraps(command)
        def with_door(*args: Any, **rest: Any) -> Any:
            up_access = read(**{name: rest.pop(f"up_{name}") for name in names})
            return command(*args, up_access=up_access, **rest)

        with_door.__dict__["__click_params__"] = [
            *getattr(command, "__click_params__", []),
            *map(_renamed, options),
        ]
        return with_door

    return decorate


def _renamed(option: click.Option) -> click.Option:
    """Return an option under the name that it has for the upper door."""
    option.name = f"up_{option.name}"
    option.opts = [f"--{PREFIX}{name.removeprefix('--')}" for name in option.opts]
    return option
