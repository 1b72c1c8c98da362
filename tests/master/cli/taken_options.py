"""What a command would get from its command line."""

from typing import Any

import click
from click.testing import CliRunner

from master.cli.arguments import Decorator


def taken(options: Decorator, *arguments: str) -> dict[str, Any]:
    """Return the values of options by the names of their parameters; UsageError if refused."""
    values: dict[str, Any] = {}

    @click.command()
    @options
    def command(**given: Any) -> None:
        values.update(given)

    result = CliRunner().invoke(command, arguments)
    if result.exit_code:
        raise click.UsageError(result.output)
    return values
