"""Options whose text is an address.

Little else is imported, so that a client that only dials loads neither listeners nor TLS.
"""

from __future__ import annotations

import click

from protocol.address import Address, AddressError, parse_address


def read_address(ctx: click.Context, param: click.Parameter, text: str | None) -> Address | None:
    """Return the address of an option's text; a click callback."""
    try:
        return None if text is None else parse_address(text)
    except AddressError as error:
        raise click.BadParameter(str(error), ctx=ctx, param=param) from error
