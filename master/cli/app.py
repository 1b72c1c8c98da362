"""The `manyply` command: its group, and how it ends.

Commands are imported when they are called, so that `manyply --help` needs no engine.
"""

from __future__ import annotations

import difflib
import os
import sys

import click
from click.shell_completion import CompletionItem

from master.cli.errors import EXIT_CODES_HELP, CommandError, ExitCode, usage_line
from master.cli.games import VERBS
from master.cli.terminal import adopt_locale
from master.games.front import CommandGroup, ListedCommand
from master.games.table import fronts, load

_JOBS = "master.cli.jobs.job_commands"
_GAMES = "master.cli.games"
_ACCESS = "master.cli.access"

_COMMON = {
    **{
        verb: ListedCommand(f"{_GAMES}:{verb}_command", text, group)
        for verb, (text, group) in VERBS.items()
    },
    "resume": ListedCommand(
        f"{_JOBS}:resume_command", "Go on with an interrupted job.", CommandGroup.JOBS
    ),
    "again": ListedCommand(
        f"{_JOBS}:again_command", "Begin a job anew under today's engine.", CommandGroup.JOBS
    ),
    "extend": ListedCommand(f"{_JOBS}:extend_command", "Add trials to a job.", CommandGroup.JOBS),
    "jobs": ListedCommand(f"{_JOBS}:jobs_command", "List all jobs.", CommandGroup.JOBS),
    "show": ListedCommand(
        "master.cli.jobs.show_command:show_command", "Draw a position, or print how a job stands.",
        CommandGroup.JOBS,
    ),
    "attach": ListedCommand(
        f"{_JOBS}:attach_command", "Watch a job that a master runs.", CommandGroup.JOBS
    ),
    "halt": ListedCommand(
        f"{_JOBS}:halt_command", "Stop a job that a master runs.", CommandGroup.JOBS
    ),
    "priority": ListedCommand(
        f"{_JOBS}:priority_command", "Put a job behind all others, or back.", CommandGroup.JOBS
    ),
    "web": ListedCommand(
        "master.cli.web.web_command:web_command", "Open a master's page; start one if none runs.",
        CommandGroup.JOBS,
    ),
    "forget": ListedCommand(
        "master.cli.jobs.forget_command:forget_command", "Delete jobs with all their trials.",
        CommandGroup.JOBS,
    ),
    "salvage": ListedCommand(
        "master.cli.jobs.salvage_command:salvage_command", "Recover jobs of a damaged database.",
        CommandGroup.JOBS,
    ),
    "fleet": ListedCommand(
        "master.cli.fleets.fleet_command:fleet_command", "Start analysers that stay.",
        CommandGroup.FLEETS,
    ),
    "secret": ListedCommand(
        f"{_ACCESS}.secret_command:secret_command", "Make the secret of a fleet.",
        CommandGroup.FLEETS,
    ),
    "cert": ListedCommand(
        f"{_ACCESS}.cert_command:cert_command", "Make certificates, for links over TLS.",
        CommandGroup.FLEETS,
    ),
    "replay": ListedCommand(
        "master.cli.jobs.replay_command:replay_command", "Take a master's decisions again.",
        CommandGroup.MEASURE,
    ),
    "completion": ListedCommand(
        "master.cli.completion_command:completion_command",
        "Have the shell complete our commands.", CommandGroup.SHELL,
    ),
}  # fmt: skip


def commands() -> dict[str, ListedCommand]:
    """Return all commands by their names, in the order of their headings."""
    found = dict(_COMMON)
    for _, front in fronts():
        found |= front.commands
    order = list(CommandGroup)
    return dict(sorted(found.items(), key=lambda item: order.index(item[1].group)))


HELP_OPTIONS = {"-h", "--help"}
"""A broken configuration must not keep a user from reading how it is mended."""


class LazyGroup(click.Group):
    """A group that imports the modules of its commands on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of the table."""
        return list(commands())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        if cmd_name not in commands():
            return None
        command: click.Command = load(commands()[cmd_name].place)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command named; a name that is not known gets the nearest one that is."""
        if args[0] not in commands() and not args[0].startswith("-"):
            nearest = difflib.get_close_matches(args[0], commands(), n=1)
            hint = f": did you mean {nearest[0]!r}?" if nearest else ""
            raise click.UsageError(f"No such command {args[0]!r}{hint}", ctx=ctx)
        name, command, rest = super().resolve_command(ctx, args)
        if name is not None and command is not None and not HELP_OPTIONS & set(rest):
            self._configure(ctx, name, command)
        return name, command, rest

    def _configure(self, ctx: click.Context, name: str, command: click.Command) -> None:
        """Give a command the defaults of the user's configuration file."""
        from master.cli import configuration  # noqa: PLC0415  # keeps `--help` quick

        path, find = configuration.configuration_path(), configuration.commands_with(self)
        settings = configuration.read_settings(path, commands(), find)
        configuration.apply_colour(settings)
        ctx.default_map = {name: configuration.defaults_of(name, command, settings, find)}

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete commands from the table, without importing them."""
        if not incomplete.startswith("-"):
            return [
                CompletionItem(name, help=command.help)
                for name, command in commands().items()
                if name.startswith(incomplete)
            ]
        return super().shell_complete(ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands below their headings, without importing them."""
        table = commands()
        width = max(map(len, table))
        for group in CommandGroup:
            rows = [(name, each.help) for name, each in table.items() if each.group is group]
            with formatter.section(group):
                formatter.write_dl([(name.ljust(width), text) for name, text in rows])


def _print_version(ctx: click.Context, param: click.Parameter, is_asked: bool) -> None:
    """Print the version, and the digests that tell results of one engine from another's."""
    if not is_asked or ctx.resilient_parsing:
        return
    # Both take a moment to load, which no other command has to wait for.
    from importlib.metadata import version  # noqa: PLC0415

    from engine_ext import services  # noqa: PLC0415

    click.echo(f"manyply, version {version('manyply')}")
    for game in services.games():
        if services.is_played(game):
            click.echo(f"{game} engine {services.engine_digest(game)}")
    ctx.exit()


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXIT_CODES_HELP
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
    help="Show the version and the engines' digests, and exit.",
)  # fmt: skip
def manyply() -> None:
    """Game analysis on every machine you own.

    ID is a position ID, a GNUBG ID (position:match) or an XGID; a bare position ID is money
    play with a centred cube.  Options that you type every day can stand in a file, config.toml in
    ~/.config/manyply: `analyser = ["attic:4321"]`, `local = 2`, `colour = "never"` for all
    commands, `plies = 3` under `[cube]` or `trials = 5184` under `[rollout]` for one.
    """


def run() -> None:
    """Run the command line; every user's mistake is one line on standard error."""
    _open_missing_streams()
    adopt_locale()
    output = sys.stdout
    try:
        manyply.main(prog_name="manyply", standalone_mode=False)
    except SystemExit:
        # click replaces an output whose reader has gone, and ends with a code of its own.
        if sys.stdout is not output:
            sys.exit(ExitCode.OUTPUT_CLOSED)
        raise
    except click.exceptions.Abort:
        sys.exit(ExitCode.INTERRUPTED)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        sys.exit(ExitCode.BAD_INPUT)
    except click.ClickException as error:
        from master.cli.configuration import blamed_file  # noqa: PLC0415  # only to say this

        _complain(f"{blamed_file(error)}{usage_line(error)}")
        sys.exit(ExitCode.BAD_INPUT)
    except CommandError as error:
        _complain(str(error))
        sys.exit(error.exit_code)
    except (OSError, MemoryError, RuntimeError, ImportError) as error:
        from protocol.aio.shortages import shortage  # noqa: PLC0415  # only to say this
        from protocol.guards.file_errors import is_full, named_file_error  # noqa: PLC0415

        if isinstance(error, OSError) and is_full(error):
            _complain(named_file_error(error))
            sys.exit(ExitCode.STORAGE)
        if not (text := shortage(error)):
            raise
        _complain(text)
        sys.exit(ExitCode.JOB_FAILED)


def _complain(text: str) -> None:
    from master.cli.output import echo_notice  # noqa: PLC0415  # keeps `--help` quick

    echo_notice(text)


def _open_missing_streams() -> None:
    """Open missing standard streams, so that no database or socket gets their numbers."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        continue
    os.close(descriptor)
