"""Options whose text is an address.

Knows click.  Must not know what listens there, nor what guards it: a client that only dials loads
neither.
"""

from __future__ import annotations

import click

from protocol.address import Address, AddressError, parse_address


def read_address(ctx: click.Context, param: click.Parameter, text: str | None) -> Address | None:
    """Return the address of an option's text, as its callback."""
    try:
        return None if text is None else parse_address(text)
    except AddressError as error:
        raise click.BadParameter(str(error), ctx=ctx, param=param) from error
