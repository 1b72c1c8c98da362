"""The options for lending a machine, collected in one value."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import click

from analyser.agent import DRAIN_S
from analyser.lending import Hours, LendingError, parse_hours, parse_size
from protocol.guards.number_ranges import NumberRange, WholeRange

DRAIN_S_MAX = 3_600.0
"""A longer drain is no drain."""

WAIT_S_MAX = 366 * 86_400.0
"""A year."""

WAIT = NumberRange(0, WAIT_S_MAX, min_open=True)
DRAIN = NumberRange(0, DRAIN_S_MAX)


@dataclass(frozen=True)
class Lending:
    """How a machine is lent; each field holds the option of its name, or its default.

    Args:
        give_up_after: Infinite: never.
        memory: Bytes.
    """

    cores: int | None = None
    nice: int | None = None
    memory: int | None = None
    hours: tuple[Hours, ...] = ()
    battery: str = "go"
    idle_exit: float | None = None
    give_up_after: float = math.inf
    drain_s: float = DRAIN_S
    with_parent: bool = False


def _read_hours(
    ctx: click.Context, param: click.Parameter, value: tuple[str, ...]
) -> tuple[Hours, ...]:
    try:
        return tuple(map(parse_hours, value))
    except LendingError as error:
        raise click.BadParameter(str(error)) from error


def _read_size(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    try:
        return None if value is None else parse_size(value)
    except LendingError as error:
        raise click.BadParameter(str(error)) from error


def _read_wait(ctx: click.Context, param: click.Parameter, value: float | None) -> float:
    return math.inf if value is None else value


OPTIONS = (
    click.option(
        "--cores", type=WholeRange(1, 4096), metavar="N",
        help="Use N processors at most: the last ones.  [default: all]",
    ),
    click.option(
        "--nice", type=WholeRange(0, 19), metavar="N",
        help="Scheduling priority: 19 always lets other programs go first, 0 is the usual one.",
    ),
    click.option(
        "--memory", callback=_read_size, metavar="SIZE",
        help="Take no more memory than this, such as 500M or 2G. Only parts that need more fail.",
    ),
    click.option(
        "--hours", callback=_read_hours, multiple=True, metavar="HH:MM-HH:MM",
        help="Serve masters in these hours only, by this machine's clock; across midnight too; "
        "repeat for more. At their end unfinished parts are completed, as at SIGTERM.",
    ),
    click.option(
        "--battery", type=click.Choice(["stop", "go"]), default="go", show_default=True,
        help="stop: serve no master while on battery.",
    ),
    click.option(
        "--idle-exit", type=WAIT, metavar="SECONDS",
        help="Exit after this long without a connected master.",
    ),
    click.option(
        "--give-up-after", type=WAIT, callback=_read_wait, metavar="SECONDS",
        help="Exit after --connect has reached no master for this long.  [default: dial for ever]",
    ),
    click.option(
        "--drain-s", type=DRAIN, default=DRAIN_S, show_default=True,
        metavar="SECONDS", help="At the end, wait this long for unfinished parts.",
    ),
    click.option(
        "--with-parent", is_flag=True, help="Exit when the program that started this one ends.",
    ),
)  # fmt: skip
"""In the order of the help, which is that of the fields."""


def lending_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options to a command, which gets them as its argument `lending`."""
    return some_lending_options(*(field.name for field in fields(Lending)))(command)


def some_lending_options(
    *names: str,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Return a decorator that adds the options of some fields; others have their defaults."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(command)
        def with_lending(*args: Any, **options: Any) -> None:
            lending = Lending(**{name: options.pop(name) for name in names})
            command(*args, lending=lending, **options)

        decorated: Callable[..., None] = with_lending
        for field, option in reversed(list(zip(fields(Lending), OPTIONS, strict=True))):
            if field.name in names:
                decorated = option(decorated)
        return decorated

    return decorate
