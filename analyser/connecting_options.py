"""The options for connecting to masters, collected in one value."""

from __future__ import annotations

import functools
import socket
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click
from pydantic import ValidationError

from protocol.address import PORT_MAX, Address
from protocol.guards.address_option import read_address
from protocol.guards.number_ranges import WholeRange
from protocol.messages import NAME_CHARACTERS_MAX, AnalyserHello, to_text


@dataclass(frozen=True)
class Connecting:
    """How an analyser connects to masters; each field holds the option of its name.

    Args:
        prefix: Of the names of `--listen` and `--local-port`.
    """

    name: str
    listen: Address | None = None
    connect: Address | None = None
    stdio: bool = False
    local_port: int | None = None
    verbose: int = 0
    prefix: str = ""

    def check(self) -> None:
        """Raise click.UsageError for options that contradict each other."""
        listen, local_port = f"--{self.prefix}listen", f"--{self.prefix}local-port"
        if sum((self.listen is not None, self.connect is not None, self.stdio)) > 1:
            raise click.UsageError(f"{listen}, --connect and --stdio exclude one another")
        if self.local_port is not None and self.connect is None:
            raise click.UsageError(f"{local_port} belongs to --connect")

    @property
    def is_handed_over(self) -> bool:
        """Whether to serve the socket or pipes inherited from the parent process."""
        return self.listen is None and self.connect is None


def _read_name(ctx: click.Context, param: click.Parameter, value: str | None) -> str:
    name = to_text(socket.gethostname(), NAME_CHARACTERS_MAX) if value is None else value
    try:
        AnalyserHello(name=name or "analyser", cores=1)
    except ValidationError as error:
        limit = f"1 to {NAME_CHARACTERS_MAX} printable characters"
        raise click.BadParameter(f"a name has {limit}") from error
    return name or "analyser"


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def _options(prefix: str) -> list[Decorator]:
    """Return them in the order of the help, but for the last two."""
    return [
        click.option(
            f"--{prefix}listen", "listen", callback=read_address, metavar="HOST:PORT",
            help="Listen for a master on this address. Beyond this machine that takes"
            f" --{prefix}secret, --{prefix}libwrap or --{prefix}open.",
        ),
        click.option(
            "--connect", callback=read_address, metavar="HOST:PORT",
            help="Connect to a master that listens on this address.",
        ),
        click.option(
            "--stdio", is_flag=True, help="Serve stdin/stdout: inetd, ssh, systemd Accept=yes."
        ),
        click.option(
            f"--{prefix}local-port", "local_port", type=WholeRange(1, PORT_MAX),
            metavar="PORT", help="Source port for --connect.",
        ),
    ]  # fmt: skip


name_option = click.option(
    "--name", callback=_read_name, metavar="NAME",
    help="Name of this analyser.  [default: the host's name]",
)  # fmt: skip
verbose_option = click.option(
    "-v", "--verbose", count=True, help="Log more to stderr; twice for everything."
)


def connecting_options(prefix: str = "") -> Decorator:
    """Return a decorator that adds the options to a command, as its argument `connecting`.

    It also collects `name` and `verbose`, which are listed elsewhere in the help.

    Args:
        prefix: Of option names, where a command has two sets of these options.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(command)
        def with_connecting(
            *args: Any, listen: Address | None, connect: Address | None, stdio: bool,
            local_port: int | None, name: str, verbose: int, **rest: Any,
        ) -> Any:  # fmt: skip
            connecting = Connecting(name, listen, connect, stdio, local_port, verbose, prefix)
            return command(*args, connecting=connecting, **rest)

        decorated: Callable[..., Any] = with_connecting
        for option in reversed(_options(prefix)):
            decorated = option(decorated)
        return decorated

    return decorate
