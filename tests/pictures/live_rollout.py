"""Draw the README's picture: the live display of a rollout, as a terminal shows it.

    python -m tests.pictures.live_rollout deploy/pictures/rollout.svg

Runs the real program in a terminal of tmux (Debian's `tmux`), with a worker here and an analyser
process beside it, and draws what stands on the screen when two thirds of the trials are done.
"""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

COLUMNS = 100
LINES = 34
SHARE = 2 / 3
DEADLINE_S = 120.0
POLL_S = 0.1

COMMAND = (
    "manyply rollout 4HPwATDgc/ABMA --dice 31 --local 1 "
    '--analyser "exec:manyply-analyser --stdio --workers 1 --name attic"'
)

_ADVANCE = re.compile(r"(\d+)/(\d+) trials")


def main() -> None:
    """Write the picture to the path that is given."""
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m tests.pictures.live_rollout FILE.svg")
    if shutil.which("tmux") is None:
        raise SystemExit("tmux is not installed")
    screen = screen_of_rollout()
    Path(sys.argv[1]).write_text(picture(screen))
    click.echo(f"{sys.argv[1]}: {len(screen.splitlines())} lines of a terminal")


def screen_of_rollout() -> str:
    """Return the terminal's lines, colours included, with the rollout under way."""
    session = f"picture-{uuid.uuid4().hex[:8]}"
    scripts = Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as state:
        shell = f"env PATH={scripts}:$PATH XDG_STATE_HOME={state} {COMMAND}"
        size = ("-x", str(COLUMNS), "-y", str(LINES))
        tmux("new-session", "-d", "-s", session, *size, shell)
        try:
            return wait_for_share(session)
        finally:
            tmux("kill-session", "-t", session)


def wait_for_share(session: str) -> str:
    """Return the screen as soon as enough trials are done."""
    deadline = time.monotonic() + DEADLINE_S
    while time.monotonic() < deadline:
        screen = tmux("capture-pane", "-p", "-e", "-t", session)
        found = _ADVANCE.search(Text.from_ansi(screen).plain)
        if found is not None and int(found[1]) >= SHARE * int(found[2]):
            return screen.rstrip()
        time.sleep(POLL_S)
    raise SystemExit(f"the rollout was not two thirds done after {DEADLINE_S:.0f} s")


def tmux(*words: str) -> str:
    """Return what a call of tmux prints."""
    return subprocess.run(["tmux", *words], check=True, capture_output=True, text=True).stdout


def picture(screen: str) -> str:
    """Return a terminal's lines as SVG."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi("$ " + COMMAND), style="bold")
    console.print(Text.from_ansi(screen))
    return console.export_svg(title="manyply", unique_id="rollout")


if __name__ == "__main__":
    main()
