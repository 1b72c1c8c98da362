"""The options of access control, the same for both daemons."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from protocol.access.addresses import Network, parse_network
from protocol.access.lock import TICKET_PATTERN
from protocol.access.rules import Access
from protocol.guards.home_paths import home_path
from protocol.guards.libwrap import LibwrapError, load_libwrap
from protocol.guards.secret_files import (
    FROM_STDIN,
    TLS_CREDENTIAL,
    SecretError,
    find_credential,
    find_secret,
)
from protocol.guards.tls import TlsError, TlsIdentity


def _read_networks(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> tuple[Network, ...]:
    try:
        return tuple(map(parse_network, texts))
    except ValueError as error:
        raise click.BadParameter(str(error), ctx=ctx, param=param) from error


def _read_ticket(ctx: click.Context, param: click.Parameter, text: str | None) -> str:
    if text is not None and not re.fullmatch(TICKET_PATTERN, text):
        raise click.BadParameter(
            f"{text!r} is no ticket: expected the word that the master gave out", ctx, param
        )
    return text or ""


_secret_option = click.option(
    "--secret", metavar="FILE",
    help="File of the secret that both ends of a link know, `-` for a line of stdin, or `none`."
    "  [default: the systemd credential manyply-secret, else ~/.config/manyply/secret, if there is"
    " one]",
)  # fmt: skip

_ticket_option = click.option(
    "--ticket", metavar="NAME", callback=_read_ticket,
    help="Name of the secret that the master gave this fleet.",
)  # fmt: skip


def endpoint_options(
    daemon: str, *, has_ticket: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds the options to a command; it gets them as `access`.

    Args:
        daemon: its name in hosts.allow and hosts.deny.
        has_ticket: whether it may belong to a fleet.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def guarded(
            *args: Any, secret: str | None, tls: Path | None, allow: tuple[Network, ...],
            libwrap: bool, open_: bool, ticket: str = "", **rest: Any,
        ) -> Any:  # fmt: skip
            # Other decorators may have taken some options, so this reads them from the context.
            if secret == FROM_STDIN and click.get_current_context().params.get("stdio"):
                raise click.UsageError("--stdio speaks with a master there: give --secret FILE")
            access = _access(secret, tls, allow, daemon if libwrap else "", is_open=open_)
            if ticket and access.secret is None:
                raise click.UsageError("--ticket names a secret: give --secret FILE too")
            return function(*args, access=replace(access, ticket=ticket), **rest)

        decorated: Callable[..., Any] = guarded
        for option in reversed(_endpoint_options(daemon, has_ticket=has_ticket)):
            decorated = option(decorated)
        return decorated

    return decorate


def _endpoint_options(
    daemon: str, *, has_ticket: bool
) -> list[Callable[[Callable[..., Any]], Callable[..., Any]]]:
    return [
        _secret_option,
        *([_ticket_option] if has_ticket else []),
        click.option(
            "--tls", metavar="FILE", type=click.Path(path_type=Path),
            help="Use TLS with machines that have certificates of the same CA; `manyply cert`"
            " makes the file."
            "  [default: the systemd credential manyply-tls, if there is one]",
        ),
        click.option(
            "--allow", multiple=True, metavar="NETWORK", callback=_read_networks,
            help="Accept connections from this network only, such as 192.168.1.0/24;"
            " repeat for more.",
        ),
        click.option(
            "--libwrap", is_flag=True,
            help=f"Apply hosts.allow and hosts.deny, by the name {daemon}.",
        ),
        click.option(
            "--open", "open_", is_flag=True,
            help="Accept connections without a secret from any machine that reaches the address.",
        ),
    ]  # fmt: skip


def _access(
    secret: str | None,
    tls: Path | None,
    allowed: tuple[Network, ...],
    libwrap_name: str,
    *,
    is_open: bool,
) -> Access:
    """Return the access control of the options; click.UsageError if one cannot be used."""
    try:
        known = find_secret(secret)
        file = tls or find_credential(TLS_CREDENTIAL)
        identity = None if file is None else TlsIdentity(home_path(file))
        is_let_in = load_libwrap(libwrap_name) if libwrap_name else None
    except (SecretError, TlsError, LibwrapError) as error:
        raise click.UsageError(str(error)) from error
    return Access(known, identity, allowed, is_let_in, is_open)
