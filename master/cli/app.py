"""The `manyply` command: its group, and how it ends.

Commands are imported when they are called, so that `manyply --help` needs no engine.
"""

from __future__ import annotations

import os
import re
import sys
from typing import TYPE_CHECKING

import click

from master.cli.commands import CommandGroup, ListedCommand
from master.cli.errors import (
    EXIT_CODES_HELP,
    CommandError,
    ExitCode,
    did_you_mean,
    usage_line,
)
from master.cli.games import GAMES, VERBS
from master.cli.terminal import adopt_locale

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


def _resume() -> click.Command:
    from master.cli.jobs.job_commands import resume_command

    return resume_command


def _again() -> click.Command:
    from master.cli.jobs.job_commands import again_command

    return again_command


def _extend() -> click.Command:
    from master.cli.jobs.job_commands import extend_command

    return extend_command


def _jobs() -> click.Command:
    from master.cli.jobs.job_commands import jobs_command

    return jobs_command


def _show() -> click.Command:
    from master.cli.jobs.show_command import show_command

    return show_command


def _attach() -> click.Command:
    from master.cli.jobs.job_commands import attach_command

    return attach_command


def _halt() -> click.Command:
    from master.cli.jobs.job_commands import halt_command

    return halt_command


def _priority() -> click.Command:
    from master.cli.jobs.job_commands import priority_command

    return priority_command


def _web() -> click.Command:
    from master.cli.web.web_command import web_command

    return web_command


def _forget() -> click.Command:
    from master.cli.jobs.forget_command import forget_command

    return forget_command


def _backup() -> click.Command:
    from master.cli.jobs.backup_command import backup_command

    return backup_command


def _salvage() -> click.Command:
    from master.cli.jobs.salvage_command import salvage_command

    return salvage_command


def _fleet() -> click.Command:
    from master.cli.fleets.fleet_command import fleet_command

    return fleet_command


def _service() -> click.Command:
    from master.cli.service.service_command import service_command

    return service_command


def _secret() -> click.Command:
    from master.cli.access.secret_command import secret_command

    return secret_command


def _cert() -> click.Command:
    from master.cli.access.cert_command import cert_command

    return cert_command


def _replay() -> click.Command:
    from master.cli.jobs.replay_command import replay_command

    return replay_command


def _completion() -> click.Command:
    from master.cli.completion_command import completion_command

    return completion_command


_COMMON = {
    **VERBS,
    "resume": ListedCommand(_resume, "Continue an interrupted job.", CommandGroup.JOBS),
    "again": ListedCommand(_again, "Start a job again under today's engine.", CommandGroup.JOBS),
    "extend": ListedCommand(_extend, "Add trials to a job.", CommandGroup.JOBS),
    "jobs": ListedCommand(_jobs, "List all jobs.", CommandGroup.JOBS),
    "show": ListedCommand(
        _show, "Draw a position, or print the state of a job.", CommandGroup.JOBS
    ),
    "attach": ListedCommand(_attach, "Watch a job that a master runs.", CommandGroup.JOBS),
    "halt": ListedCommand(_halt, "Stop a job that a master runs.", CommandGroup.JOBS),
    "priority": ListedCommand(
        _priority, "Run a job behind all others, or as before.", CommandGroup.JOBS
    ),
    "web": ListedCommand(_web, "Open a master's page; start one if none runs.", CommandGroup.JOBS),
    "forget": ListedCommand(_forget, "Delete jobs with all their trials.", CommandGroup.JOBS),
    "backup": ListedCommand(_backup, "Copy all jobs to one file.", CommandGroup.JOBS),
    "salvage": ListedCommand(_salvage, "Recover jobs of a damaged database.", CommandGroup.JOBS),
    "fleet": ListedCommand(
        _fleet, "Start and stop analysers that outlive one command.", CommandGroup.FLEETS
    ),
    "service": ListedCommand(
        _service, "Run manyply under systemd, at every start.", CommandGroup.FLEETS
    ),
    "secret": ListedCommand(_secret, "Make the secret of a fleet.", CommandGroup.FLEETS),
    "cert": ListedCommand(_cert, "Make certificates, for links over TLS.", CommandGroup.FLEETS),
    "replay": ListedCommand(
        _replay,
        "Replay a recorded master and check that it decides the same.",
        CommandGroup.MEASURE,
    ),
    "completion": ListedCommand(
        _completion, "Print a shell completion script.", CommandGroup.SHELL
    ),
}


def commands() -> dict[str, ListedCommand]:
    """Return all commands by their names, in the order of their headings."""
    found = dict(_COMMON)
    for game in GAMES.values():
        found |= game.own
    order = list(CommandGroup)
    return dict(sorted(found.items(), key=lambda item: order.index(item[1].group)))


HELP_OPTIONS = {"-h", "--help"}
"""A broken configuration must not keep a user from reading how it is mended."""


WORDS_OF_OPTIONS = ("help", "version")
"""Words that users type for `--help`, before a command, and for `--version`."""

OTHER_NAMES = {"analyze": "analyse"}
"""Commands as they are spelled elsewhere."""

_BARE_XGID = re.compile(r"-[-A-Oa-o]{25}:")


def _marked_id(word: str) -> str:
    """Return a word; an XGID without `XGID=` gets it, as it is no option though it has a `-`."""
    return f"XGID={word}" if word[:1] == "-" and _BARE_XGID.match(word) else word


class LazyGroup(click.Group):
    """A group that imports the modules of its commands on use."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Understand words that users type for an option or a command of ours."""
        if args[:1] == ["help"]:
            args = [*args[1:], "--help"]
        if args[:1] == ["version"]:
            args = ["--version", *args[1:]]
        elif args:
            args = [OTHER_NAMES.get(args[0], args[0]), *args[1:]]
        return super().parse_args(ctx, list(map(_marked_id, args)))

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of the table."""
        return list(commands())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command."""
        listed = commands().get(cmd_name)
        return None if listed is None else listed.load()

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command named; a name that is not known gets the nearest one that is."""
        if args[0] not in commands() and not args[0].startswith("-"):
            hint = did_you_mean(args[0], [*commands(), *WORDS_OF_OPTIONS])
            raise click.UsageError(f"No such command {args[0]!r}{hint}", ctx=ctx)
        name, command, rest = super().resolve_command(ctx, args)
        is_run = not (ctx.resilient_parsing or HELP_OPTIONS & set(rest))  # else completed
        if name is not None and command is not None and is_run:
            self._configure(ctx, name, command)
        return name, command, rest

    def _configure(self, ctx: click.Context, name: str, command: click.Command) -> None:
        """Give a command the defaults of the user's configuration file."""
        from master.cli import configuration  # keeps `--help` quick

        path, find = configuration.configuration_path(), configuration.commands_with(self)
        settings = configuration.read_settings(path, commands(), find)
        configuration.apply_colour(settings)
        ctx.default_map = {name: configuration.defaults_of(name, command, settings, find)}

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Complete commands from the table, without importing them."""
        from click.shell_completion import CompletionItem  # click has loaded it by now

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
    from importlib.metadata import version

    from engine_ext import services

    click.echo(f"manyply, version {version('manyply')}")
    for game in services.games():
        if services.is_played(game):
            click.echo(f"{game} engine {services.engine_digest(game)}")
    ctx.exit()


@click.group(
    cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXIT_CODES_HELP
)
@click.option(
    "-V", "--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version,
    help="Show the version and the engines' digests, and exit.",
)  # fmt: skip
def manyply() -> None:
    """Game analysis on every machine you own.

    `manyply help COMMAND` explains a command.

    ID is a position ID, a GNUBG ID (position:match) or an XGID, alone or within a pasted text; `-`
    reads it from standard input, and `start` is the start position. A bare position ID is money
    play with a centred cube.

    Options that you type every day can be set in a file, config.toml in
    ~/.config/manyply: `analyser = ["attic:4321"]`, `workers = 2`, `colour = "never"` for all
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
        from master.cli.configuration import blamed_file  # only to say this

        _complain(f"{blamed_file(error)}{usage_line(error)}")
        sys.exit(ExitCode.BAD_INPUT)
    except CommandError as error:
        _complain(str(error))
        sys.exit(error.exit_code)
    except (OSError, MemoryError, RuntimeError, ImportError) as error:
        from protocol.aio.shortages import shortage  # only to say this
        from protocol.guards.file_errors import is_full, named_file_error

        if isinstance(error, OSError) and is_full(error):
            _complain(named_file_error(error))
            sys.exit(ExitCode.STORAGE)
        if not (text := shortage(error)):
            raise
        _complain(text)
        sys.exit(ExitCode.JOB_FAILED)


def _complain(text: str) -> None:
    from master.cli.output import echo_notice  # keeps `--help` quick

    echo_notice(text)


def _open_missing_streams() -> None:
    """Open missing standard streams, so that no database or socket gets their numbers."""
    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        continue
    os.close(descriptor)
