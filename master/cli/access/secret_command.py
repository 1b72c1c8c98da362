"""`manyply secret`: makes the secret that the machines of one fleet share."""

from __future__ import annotations

from pathlib import Path

import click

from master.cli.errors import CommandError
from master.cli.output import echo_exactly
from protocol.guards.secret_files import SecretError, default_secret_path, make_secret


@click.command(
    "secret",
    epilog="""\b
On one machine, and then for each other one:
  manyply secret
  scp ~/.config/manyply/secret attic:.config/manyply/secret
""",
)
@click.argument("path", metavar="[FILE]", required=False, type=click.Path(path_type=Path))
def secret_command(path: Path | None) -> None:
    """Make a secret for the machines of a fleet, in FILE or ~/.config/manyply/secret.

    Copy the file to every machine. Masters and analysers that have it there use it unasked, and
    then work with nobody else over a network: each proves to the other that it knows the secret,
    which never travels. A file that is there already stays as it is.
    """
    path = path or default_secret_path()
    try:
        make_secret(path)
    except SecretError as error:
        raise CommandError(str(error)) from error
    echo_exactly(f"{path}: a new secret; copy it to the other machines")
