"""The options of access control for the master above, beside those for the analysers below."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import click

from protocol.access.rules import Access
from protocol.guards.options import endpoint_options

PREFIX = "up-"
"""Prefix of options for the master above; those for analysers below have none."""


def upper_endpoint_options(daemon: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds the options above; the command gets them as `up_access`.

    Args:
        daemon: its name in hosts.allow and hosts.deny.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @endpoint_options(daemon, has_ticket=True)
        def read(access: Access) -> Access:
            return access

        options: list[click.Option] = getattr(read, "__click_params__", [])
        names = [option.name for option in options if option.name]

        @functools.wraps(command)
        def with_endpoint(*args: Any, **rest: Any) -> Any:
            up_access = read(**{name: rest.pop(f"up_{name}") for name in names})
            return command(*args, up_access=up_access, **rest)

        with_endpoint.__dict__["__click_params__"] = [
            *getattr(command, "__click_params__", []),
            *map(_renamed, options),
        ]
        return with_endpoint

    return decorate


def _renamed(option: click.Option) -> click.Option:
    """Return an option under its name for the master above."""
    option.name = f"up_{option.name}"
    option.opts = [f"--{PREFIX}{name.removeprefix('--')}" for name in option.opts]
    return option
