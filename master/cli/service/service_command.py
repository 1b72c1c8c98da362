"""`manyply service`: units of systemd for this installation, written, shown and taken away."""

from __future__ import annotations

import grp
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
from platformdirs import user_cache_path

from master.cli.errors import CommandError, ExitCode
from master.cli.output import echo, echo_exactly, echo_notice
from master.cli.service import systemd
from master.cli.service.units import (
    INETD,
    MARK,
    PLAIN_WORD,
    PROGRAM_UNITS,
    Installation,
    all_options,
    inetd_text,
    options_text,
    unit_text,
)
from master.config.paths import APPLICATION, configuration_dir, default_state_dir
from protocol.guards.file_errors import file_error_text
from protocol.guards.whole_file import write_whole_file

GROUP = "manyply"
"""Its members use the control socket of the system's master."""

HIDDEN_FROM_SYSTEM = ("/home", "/root", "/run/user", "/tmp", "/var/tmp")
"""Folders that a unit of the system does not see (ProtectHome, PrivateTmp)."""

VARIABLES = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME")
"""Where a user's files are, if not in the usual places: the user manager need not know it."""

CHECK_S_MAX = 60.0

ENDING_OPTIONS = ("-h", "-V", "--version")
"""Options that print something, like --help; a unit with one would do nothing."""

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def _scope_options(function: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option(
            "--root", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
            help="Work below DIR, as for an image, and start or stop nothing.",
        ),
        click.option("--system", "is_user", flag_value=False, type=bool, help="Of the system."),
        click.option(
            "--user", "is_user", flag_value=True, type=bool, default=None,
            help="Of your own user manager.  [default: of the system for root, else yours]",
        ),
    ):  # fmt: skip
        function = option(function)
    return function


def _completed(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    others = INETD if ctx.info_name == "show" else ()
    return [name for name in (*PROGRAM_UNITS, *others) if name.startswith(incomplete)]


@click.group("service")
def service_command() -> None:
    """Run manyply under systemd: install, show, uninstall.

    PROGRAM is master (the default), analyser, relay, or analyser-activated: there systemd listens,
    and starts the analyser for the first master.
    """


@service_command.command(
    "install",
    context_settings={"ignore_unknown_options": True},
    short_help="Write, check and start a unit.",
    epilog="""\b
A master with a page and two workers, and a machine that is lent at night:
  manyply service install --user master --web localhost:8642 --workers 2
  manyply service install --system analyser --connect attic:4322 --hours 22:00-07:00
""",
)
@_scope_options
@click.option("--no-start", is_flag=True, help="Write and check the units, and start nothing.")
@click.argument(
    "words", nargs=-1, type=click.UNPROCESSED, metavar="[PROGRAM] [OPTION]...",
    shell_complete=_completed,
)  # fmt: skip
def install_command(
    is_user: bool | None, root: Path | None, no_start: bool, words: tuple[str, ...]
) -> None:
    """Write, check and start a unit for a program of this installation, now and at every start.

    OPTIONs are those of the program (`manyply-master --help`). They are kept in a file that the
    unit reads, which is named; without any, a file that is there stays as it is.

    \b
    --user    the units are yours: they use your jobs, your secret and your own control socket
    --system  the units run as users without rights; the control socket is
              /run/manyply/master.sock, for root and the members of the group manyply
    """
    program, options = _split(words)
    installation = _installation(_is_user(is_user), root)
    is_started = not no_start and root is None
    if not installation.is_user and root is None:
        _check_seen_by_system(installation.bin_folder)
    _check_options(installation.bin_folder, program, options)
    if is_started and not systemd.is_running(is_user=installation.is_user):
        name = program.partition("-")[0]
        command = " ".join((f"manyply-{name}", *all_options(name, options)))
        raise CommandError(
            f"no systemd runs here for {'you' if installation.is_user else 'the system'}, and"
            f" nothing was written: run `{command}` by hand, or write the units with --no-start",
            ExitCode.JOB_FAILED,
        )
    texts = {name: unit_text(name, installation) for name in PROGRAM_UNITS[program]}
    _check_units(texts, installation)
    _write_units(texts, installation)
    _write_options(program, options, installation)
    if is_started:
        _start(program, installation)
    _print_hints(program, installation, is_started=is_started)


@service_command.command("show", short_help="Print units, and write nothing.")
@_scope_options
@click.argument("programs", nargs=-1, metavar="[PROGRAM]...", shell_complete=_completed)
def show_command(is_user: bool | None, root: Path | None, programs: tuple[str, ...]) -> None:
    """Print the units that `install` would write, and write nothing.

    Without PROGRAM all are printed. inetd and xinetd are lines for these programs, which take the
    place of systemd: append them to /etc/inetd.conf, or write them to /etc/xinetd.d/manyply.
    """
    installation = _installation(_is_user(is_user), root)
    for program in programs or PROGRAM_UNITS:
        if program in INETD:
            echo_exactly(inetd_text(program, installation).rstrip())
            continue
        for name in PROGRAM_UNITS[_known(program, (*PROGRAM_UNITS, *INETD))]:
            echo_exactly(f"# {installation.units / name}")
            echo_exactly(unit_text(name, installation))


def _uninstall(is_user: bool | None, root: Path | None, programs: tuple[str, ...]) -> None:
    """Stop the units that `install` wrote, and delete them; of all programs, or of PROGRAMs.

    Jobs, secrets and the files with options stay.
    """
    installation = _installation(_is_user(is_user), root)
    for program in programs:
        _known(program, PROGRAM_UNITS)
    wanted = [name for program in programs or PROGRAM_UNITS for name in PROGRAM_UNITS[program]]
    present = [name for name in wanted if (installation.units / name).exists()]
    foreign = [name for name in present if not _is_ours(installation.units / name)]
    ours = [name for name in present if name not in foreign]
    for name in foreign if programs else ():
        echo_notice(f"{installation.units / name} stays: `manyply service` did not write it")
    if not ours:
        raise CommandError(f"there is no unit of `manyply service` in {installation.units}")
    is_managed = root is None and systemd.is_running(is_user=installation.is_user)
    if is_managed:
        systemd.call(*installation.systemctl, "disable", "--now", *ours)
    for name in ours:
        _deleted(installation.units / name)
        echo(f"deleted {installation.units / name}")
    if is_managed:
        systemd.call(*installation.systemctl, "daemon-reload")


for _name in ("uninstall", "remove"):
    _programs = click.argument(
        "programs", nargs=-1, metavar="[PROGRAM]...", shell_complete=_completed
    )
    _command = click.command(_name, hidden=_name == "remove", short_help="Stop and delete units.")
    service_command.add_command(_command(_scope_options(_programs(_uninstall))))


def _is_user(is_user: bool | None) -> bool:
    return os.geteuid() != 0 if is_user is None else is_user


def _known(program: str, programs: Sequence[str] | Mapping[str, object]) -> str:
    if program not in programs:
        raise CommandError(f"{program!r} is no program: expected {', '.join(programs)}")
    return program


def _split(words: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the program, and the options for it."""
    if not words or words[0].startswith("-"):
        return "master", tuple(words)
    return _known(words[0], PROGRAM_UNITS), tuple(words[1:])


def _installation(is_user: bool, root: Path | None) -> Installation:
    """Return where this installation is, and where its units belong.

    Raises:
        CommandError: units cannot name it.
    """
    base = root or Path("/")
    config = configuration_dir().parent.absolute()
    bin_folder = _bin_folder()
    if not is_user:
        return Installation(bin_folder, base / "etc/systemd/system", base / "etc/default", False)
    config = base / config.relative_to("/")
    folders = (default_state_dir(), Path(user_cache_path(APPLICATION, appauthor=False)))
    environ = {
        name: os.environ[name] for name in VARIABLES if os.path.isabs(os.environ.get(name, ""))
    }
    for text in (*map(str, (*folders, config)), *environ.values()):
        _check_plain(text)
    return Installation(
        bin_folder, config / "systemd/user", config / APPLICATION, True, folders, environ, base
    )


def _bin_folder() -> Path:
    """Return the folder of our programs: that of this Python, or of the program that was called."""
    for folder in (Path(sys.executable).parent, Path(sys.argv[0]).absolute().parent):
        if all((folder / f"manyply-{name}").exists() for name in ("master", "analyser", "relay")):
            _check_plain(str(folder))
            return folder
    raise CommandError("the programs are not installed: `pip install .` in a virtual environment")


def _check_plain(path: str) -> None:
    if not PLAIN_WORD.fullmatch(path):
        raise CommandError(
            f"{path!r} cannot be named in a unit: expected a path of letters, digits and . _ - /"
        )


def _check_seen_by_system(bin_folder: Path) -> None:
    used = (bin_folder, Path(sys.prefix), Path(sys.base_prefix), Path(__file__))
    for path in (each for folder in used for each in (folder, folder.resolve())):
        if any(path.is_relative_to(hidden) for hidden in HIDDEN_FROM_SYSTEM):
            raise CommandError(
                f"a unit of the system cannot use {path}: it sees no home and no /tmp: install in"
                " /opt/manyply (python3 -m venv /opt/manyply), or use --user"
            )


def _check_options(bin_folder: Path, program: str, options: Sequence[str]) -> None:
    """Have the program read its options.

    Raises:
        CommandError: it does not know one, or systemd would take one apart.
    """
    for word in options:
        if word.startswith("--help") or word in ENDING_OPTIONS:
            raise CommandError(f"{word} cannot be an option of a unit: the program would end")
        if not PLAIN_WORD.fullmatch(word):
            raise CommandError(
                f"{word!r} cannot be an option of a unit: expected letters, digits and"
                " @ + = : , . / [ ] ~ ^ - _"
            )
    if not options:
        return
    # Last, --version could be the value of an option, and the program would run.
    argv = (str(bin_folder / f"manyply-{program.partition('-')[0]}"), "--version", *options)
    done = systemd.run(argv, timeout_s=CHECK_S_MAX)
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
        raise CommandError(f"{Path(argv[0]).name}: {said[-1].removeprefix('Error: ')}")


def _check_units(texts: Mapping[str, str], installation: Installation) -> None:
    found = systemd.faults(texts, is_user=installation.is_user)
    if found is None:
        echo_notice("the units are not checked: there is no systemd-analyze")
    elif found:
        raise CommandError(f"this systemd refuses the units: {found[0]}", ExitCode.JOB_FAILED)


def _is_ours(path: Path) -> bool:
    return path.is_file() and _read(path).startswith(MARK)


def _read(path: Path) -> str:
    """Return a file's text; bytes that are no UTF-8 stay as they are when it is written again."""
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError as error:
        raise CommandError(
            f"cannot read {path}: {file_error_text(error)}", ExitCode.STORAGE
        ) from None


def _write_units(texts: Mapping[str, str], installation: Installation) -> None:
    for name in texts:
        path = installation.units / name
        if path.exists() and not _is_ours(path):
            raise CommandError(f"{path} is there, and `manyply service` did not write it")
    for name, text in texts.items():
        _written(installation.units / name, text)
        echo(f"wrote {installation.units / name}")


def _write_options(program: str, options: Sequence[str], installation: Installation) -> None:
    path = installation.options_path(program)
    if path.exists() and not options:
        echo(f"options: {path}, as it is")
        return
    before = _read(path) if path.exists() else ""
    _written(path, options_text(program, all_options(program, options), before))
    echo(f"options: {path}")


def _written(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole_file(path, text.encode(errors="surrogateescape"))
    except OSError as error:
        raise CommandError(
            f"cannot write {path}: {file_error_text(error)}", ExitCode.STORAGE
        ) from None


def _deleted(path: Path) -> None:
    try:
        path.unlink()
    except OSError as error:
        raise CommandError(
            f"cannot delete {path}: {file_error_text(error)}", ExitCode.STORAGE
        ) from None


def _start(program: str, installation: Installation) -> None:
    """Have the manager read the units, and start the first one, now and with the machine."""
    for folder in installation.writable:
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise CommandError(
                f"cannot make {folder}: {file_error_text(error)}", ExitCode.STORAGE
            ) from None
    if program == "master" and not installation.is_user:
        _make_group()
    first, *others = PROGRAM_UNITS[program]
    systemctl = installation.systemctl
    systemd.call(*systemctl, "daemon-reload")
    if others:
        systemd.call(*systemctl, "stop", *others)
    systemd.call(*systemctl, "enable", first)
    try:
        systemd.call(*systemctl, "restart", first)
    except CommandError as error:
        said = systemd.last_words(first, is_user=installation.is_user)
        systemd.call(*systemctl, "disable", "--now", first)
        raise CommandError(
            f"{first} does not start, and is disabled: {said or error}", ExitCode.JOB_FAILED
        ) from None
    echo(f"started {first}, now and at every start")


def _make_group() -> None:
    try:
        grp.getgrnam(GROUP)
    except KeyError:
        systemd.call("groupadd", "--system", GROUP)
        echo(f"made the group {GROUP}")


def _print_hints(program: str, installation: Installation, *, is_started: bool) -> None:
    for line in _hints(program, installation, is_started=is_started):
        echo(line)


def _hints(program: str, installation: Installation, *, is_started: bool) -> Iterator[str]:
    first = PROGRAM_UNITS[program][0]
    systemctl = " ".join(installation.systemctl)
    if not is_started:
        yield f"start: {systemctl} daemon-reload && {systemctl} enable --now {first}"
    if program == "master" and not installation.is_user:
        if not is_started:
            yield f"before: groupadd --system {GROUP}"
        yield f"use: manyply jobs --master /run/manyply/master.sock (root, and the group {GROUP})"
    options = _read(installation.options_path(program))
    if program == "master" and not any(word in options for word in ("--workers", "--local")):
        yield "it has no workers until analysers dial in; --workers N gives it some of its own"
    logs = "journalctl --user" if installation.is_user else "journalctl"
    yield f"log: {logs} --unit {first.partition('.')[0]}"
    if installation.is_user:
        yield "to keep it running while you are logged out: loginctl enable-linger"
