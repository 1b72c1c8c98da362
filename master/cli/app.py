"""The `manyply` command: its group, and how it ends.

Commands are imported when they are called, so that `manyply --help` needs no engine.
"""

from __future__ import annotations

import difflib
import os
import sys
from importlib import import_module

import click

from master.cli.errors import EXIT_CODES_HELP, CommandError, ExitCode, usage_line

_COMMANDS = {
    "rollout": ("job_commands", "Roll a position out over all cores and analysers."),
    "resume": ("job_commands", "Go on with an interrupted job."),
    "extend": ("job_commands", "Add trials to a job."),
    "attach": ("job_commands", "Watch a job that a master runs."),
    "halt": ("job_commands", "Stop a job that a master runs."),
    "jobs": ("job_commands", "List all jobs."),
    "show": ("job_commands", "Print how a job stands."),
    "analyse": ("analyse_command", "Analyse a recorded match."),
    "eval": ("position_commands", "Evaluate a position."),
    "move": ("position_commands", "Rank the moves of a roll."),
    "cube": ("position_commands", "Answer the cube question."),
    "play": ("play_command", "Play a match of backgammon, or a game of Othello."),
    "search": ("search_command", "Search a position deeply."),
    "nboard": ("nboard_command", "Be the engine of an Othello board."),
    "simulate": ("simulate_command", "Simulate searches by hundreds of processors."),
    "perft": ("perft_command", "Count positions."),
    "bench": ("bench_command", "Measure this machine."),
}


class LazyGroup(click.Group):
    """A group whose commands' modules are imported on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of the table."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"master.cli.{_COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, f"{cmd_name}_command")
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command named; a name that is not known gets the nearest one that is."""
        if args[0] not in _COMMANDS and not args[0].startswith("-"):
            nearest = difflib.get_close_matches(args[0], _COMMANDS, n=1)
            hint = f": did you mean {nearest[0]!r}?" if nearest else ""
            raise click.UsageError(f"No such command {args[0]!r}{hint}", ctx=ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXIT_CODES_HELP
)
@click.version_option(package_name="manyply")
def manyply() -> None:
    """Game analysis on every machine you own.

    ID is a position ID, a GNUBG ID (position:match) or an XGID; a bare position ID is money
    play with a centred cube.
    """


def run() -> None:
    """Run the command line; every user's mistake is one line on standard error."""
    _open_missing_streams()
    try:
        manyply.main(prog_name="manyply", standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(ExitCode.INTERRUPTED)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        sys.exit(ExitCode.BAD_INPUT)
    except click.ClickException as error:
        click.echo(f"manyply: {usage_line(error)}", err=True)
        sys.exit(ExitCode.BAD_INPUT)
    except CommandError as error:
        click.echo(f"manyply: {error}", err=True)
        sys.exit(error.exit_code)


def _open_missing_streams() -> None:
    """Give standard streams that the caller closed a place, lest a database or socket takes it."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        continue
    os.close(descriptor)
