"""`manyply web`: the link to the page of the master that runs here, and a browser for it.

Knows the control socket's greeting, the token's file and browsers.  Must not know the page.
"""

from __future__ import annotations

import html
import os
import sys
import webbrowser
from collections.abc import Mapping
from pathlib import Path

import click

from master.cli.errors import CommandError, ExitCode
from master.cli.jobs.job_commands import master_option
from master.cli.jobs.watching import run_async
from master.cli.output import echo, echo_notice
from master.cli.terminal import is_terminal
from master.config.paths import control_socket_path, default_state_dir
from master.control.client import MasterClient, MasterGoneError
from master.web.token_file import read_token

HOW_TO_START = "manyply-master --web localhost:8642"

OPENING_FILE = "web-open.html"
"""Leads a browser to the link: the arguments of a browser's process can be read by everybody on the
machine, this file in the state directory by its owner alone."""


@click.command("web")
@click.option("--no-browser", is_flag=True, help="Print the link, and open no browser.")
@master_option
def web_command(no_browser: bool, master: str | None) -> None:
    """Open the page of the master that runs here: its jobs and analysers, live.

    The link is printed, and opened in a browser if this is a terminal of a desktop.  Whoever has
    the link can change jobs: it holds the master's token, which the browser keeps for that window.

    The page is there if the master was started with `manyply-master --web localhost:8642`.  From
    another machine, `ssh -L 8642:localhost:8642 HOST` brings it to localhost there.
    """
    path = Path(master).expanduser() if master else control_socket_path(default_state_dir())
    link, state_dir = run_async(_found(path))
    echo(link)
    if not no_browser and is_terminal(sys.stdout) and has_desktop():
        _open(link, state_dir)


async def _found(path: Path) -> tuple[str, Path]:
    """Return the link to the page of a master, and its state directory."""
    try:
        async with MasterClient(path) as client:
            url, state_dir = client.web, client.state_dir
    except MasterGoneError as error:
        raise CommandError(f"{error}; start one: {HOW_TO_START}", ExitCode.UNREACHABLE) from None
    if not url:
        raise CommandError(f"the master that runs serves no page: start it with {HOW_TO_START}")
    return url + read_token(state_dir).fragment, state_dir


def has_desktop(environ: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Whether a browser has a screen to open on; one in the terminal runs no scripts."""
    return platform == "darwin" or any(
        environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )


def _open(link: str, state_dir: Path) -> None:
    """Open the link in a browser, or say that there is none."""
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
