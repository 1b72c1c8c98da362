"""`manyply web`: the page of the master that runs here or of one of its own, and a browser."""

from __future__ import annotations

import asyncio
import html
import math
import os
import socket
import sys
import webbrowser
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import click
from click.core import ParameterSource

from master.api.client import MasterClient, MasterGoneError
from master.api.rules import read_token
from master.api.server import MasterServer, PageServer, PortTakenError
from master.cli.errors import CommandError, ExitCode
from master.cli.jobs.progress import ProgressDisplay
from master.cli.jobs.watching import run_async, signals_of
from master.cli.master_access import open_service
from master.cli.output import echo_exactly, echo_notice
from master.cli.place import Place, place_options
from master.cli.terminal import is_terminal
from master.config.paths import control_socket_path, default_state_dir, is_served
from master.contract.job_words import JobState
from master.games.table import GAMES
from master.reports.texts import counted
from master.service.service import MasterService
from master.service.showing import LivingTimeline
from protocol.address import PORT_MAX, Address
from protocol.guards.home_paths import home_path
from protocol.guards.number_ranges import WholeRange

PORT = 8642

PORTS_TRIED = 20
"""Ports from the usual one on: for several pages on one machine, and still easy to guess."""

HOST = "localhost"

OnOpen = Callable[[str, Path], None]
"""Called with the URL of the page and the master's state directory."""


async def serve_page(place: Place, port: int | None, on_open: OnOpen) -> None:
    """Serve a page of a master in this process until SIGINT or SIGTERM; then halt its jobs.

    Args:
        place: the analysers.
        port: port of the page; None: the usual port, or the first free one after it.
        on_open: called once the page can be opened.

    Raises:
        MasterError: the port, the control socket or the store cannot be used.
        CommandError: no analyser can be used.
    """
    state_dir = default_state_dir()
    name = socket.gethostname() or "master"
    with ProgressDisplay(is_quiet=True) as progress, signals_of(progress) as interruption:
        timeline = LivingTimeline(asyncio.get_running_loop().time)
        async with open_service(
            place,
            progress.show_notice,
            tuple(GAMES),
            progress.show_text,
            timeline,
            interruption.requested.set,
            math.inf if place.wait_s is None else place.wait_s,
        ) as service:
            server = MasterServer(service, service.keeper, name, state_dir, timeline.shown())
            try:
                await server.open_socket(control_socket_path(state_dir))
                await open_page(server, port)
                on_open(server.site.page, state_dir)
                interruption.starting = None
                await interruption.requested.wait()
                await _halt(service)
            finally:
                await service.drain()
                await server.aclose()


async def open_page(server: PageServer, port: int | None) -> None:
    """Open the page on this machine.

    Raises:
        PortTakenError: another program has the port, or all that are tried.
    """
    last = PORT + PORTS_TRIED - 1
    for tried in range(PORT, last + 1) if port is None else (port,):
        try:
            await server.open_page(Address(HOST, tried))
        except PortTakenError:
            if port is not None:
                raise
            continue
        return
    raise PortTakenError(f"cannot serve the page: ports {PORT} to {last} are taken: give --port")


async def _halt(service: MasterService) -> None:
    """Halt the running jobs and wait until they are stored; say how to go on with them."""
    count = service.running_count
    if count:
        jobs = counted(count, "job")
        echo_notice(f"halting {jobs}; press Ctrl-C again to quit at once (nothing stored is lost)")
    before = [view.job for view in await service.jobs() if view.state is JobState.RUNNING]
    await service.drain()
    states = {view.job: view.state for view in await service.jobs()}
    halted = [job for job in before if states.get(job) is JobState.HALTED]
    if halted:
        commands = ", ".join(f"manyply resume {job}" for job in halted)
        echo_notice(f"go on with: {commands}; or with Resume on the page of `manyply web`")


HOW_TO_START = "manyply-master --web localhost:8642"

OF_A_START = {
    "port": "--port", "local": "--workers", "analysers": "--analyser", "fleet": "--fleet",
    "fleet_file": "--fleet-file", "listen": "--listen",
}  # fmt: skip
"""Options for a master that the command starts, by their parameters."""

OPENING_FILE = "web-open.html"
"""Leads a browser to the link: all users of the machine can read the arguments of a browser's
process, but only the owner this file in the state directory."""


@click.command("web")
@click.option("--no-browser", is_flag=True, help="Print the link only.")
@click.option(
    "--port",
    type=WholeRange(1, PORT_MAX),
    metavar="PORT",
    help=f"Port of the page on localhost, of a master that this command starts.  [default: {PORT},"
    " or the next free one]",
)
@place_options
def web_command(no_browser: bool, port: int | None, place: Place) -> None:
    """Open the page of the master that runs here: its jobs and analysers, live.

    Where no master runs, this command starts one: it computes with all cores, or as the
    options say, until Ctrl-C. Other commands use it meanwhile. Ctrl-C halts and stores running
    jobs; `manyply resume` goes on. The exit code is 130 then, as of every command that Ctrl-C ends.

    The link is printed, and opened in a browser if this is a terminal of a desktop.  Anybody with
    the link can change jobs: it holds the master's token, which the browser keeps for that window.

    The page of a master that runs already is there if it was started with `manyply-master --web
    localhost:8642`.  From another machine, `ssh -L 8642:localhost:8642 HOST` brings the page to
    localhost there.
    """
    path = control_socket_path(default_state_dir())
    running = place.master or (str(path) if is_served(path) else None)
    if running is None:
        run_async(serve_page(place, port, partial(_show_started, place, no_browser)))
        raise SystemExit(ExitCode.INTERRUPTED)
    _refuse_settings()
    link, state_dir = run_async(_found(home_path(running)))
    _show(link, state_dir, no_browser)


def _refuse_settings() -> None:
    """Refuse options that only affect a master that this command starts."""
    source = click.get_current_context().get_parameter_source
    asked = [
        option for name, option in OF_A_START.items() if source(name) is ParameterSource.COMMANDLINE
    ]
    if asked:
        text = f"a master runs here already: leave out {', '.join(asked)} to open its page"
        raise CommandError(text)


def _show_started(place: Place, no_browser: bool, url: str, state_dir: Path) -> None:
    """Show the link to the page of the master just started, and its workers and analysers."""
    _show(url + read_token(state_dir).fragment, state_dir, no_browser)
    echo_notice(f"a master runs in this terminal until Ctrl-C, {_computing(place)}")


def _computing(place: Place) -> str:
    """Return a phrase that counts the workers, analysers and fleets."""
    cores = len(os.sched_getaffinity(0)) if place.local is None else place.local
    count = len(place.analysers)
    found = [counted(cores, "worker")] if cores else []
    found += [counted(count, "analyser")] if count else []
    found += [counted(len(place.fleets), "fleet")] if place.fleets else []
    return f"with {' and '.join(found)}; other commands of yours use it, such as `manyply rollout`"


def _show(link: str, state_dir: Path, no_browser: bool) -> None:
    echo_exactly(link)
    if not no_browser and is_terminal(sys.stdout) and has_desktop():
        _open(link, state_dir)


async def _found(path: Path) -> tuple[str, Path]:
    """Return the link to the page of a master, and its state directory."""
    try:
        async with MasterClient(path) as client:
            about = await client.about()
    except MasterGoneError as error:
        raise CommandError(f"{error}; start one: {HOW_TO_START}", ExitCode.UNREACHABLE) from None
    if about.page is None or about.state_dir is None:
        raise CommandError(f"the master that runs serves no page: start it with {HOW_TO_START}")
    state_dir = Path(about.state_dir)
    return about.page + read_token(state_dir).fragment, state_dir


def has_desktop(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Whether a browser has a screen to open on; one in the terminal runs no scripts."""
    return platform == "darwin" or any(
        environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )


def _open(link: str, state_dir: Path) -> None:
    """Open the link in a browser, or print that there is none."""
    try:
        opened = webbrowser.open(write_opening(link, state_dir).as_uri())
    except (OSError, webbrowser.Error) as error:
        echo_notice(f"no browser was opened: {error}")
        return
    if not opened:
        echo_notice("no browser was found: open the link in one")


def write_opening(link: str, state_dir: Path) -> Path:
    """Write the file that leads to the link, for its owner alone, and return its path."""
    path = state_dir.absolute() / OPENING_FILE
    path.unlink(missing_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    quoted = html.escape(link)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(
            '<!DOCTYPE html><meta charset="utf-8"><title>manyply</title>'
            f'<meta http-equiv="refresh" content="0; url={quoted}">'
            f'<p><a href="{quoted}">manyply</a></p>\n'
        )
    return path
