"""GNU Backgammon as an oracle for files: it imports, exports and plays, headless."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

TIMEOUT_S = 25.0

_PATH = f"{os.environ.get('PATH', os.defpath)}:/usr/games"  # Debian's place for it
PROGRAM = shutil.which("gnubg", path=_PATH)

needs_gnubg = pytest.mark.skipif(
    PROGRAM is None, reason="gnubg is not installed (Debian's package gnubg)"
)


def run_gnubg(folder: Path, commands: Sequence[str]) -> str:
    """Give gnubg commands in a folder, which is also its home; return what it printed."""
    assert PROGRAM is not None
    typed = "\n".join([*commands, "quit", "y", ""])
    done = subprocess.run(
        [PROGRAM, "-t", "-q"],
        input=typed,
        cwd=folder,
        env={**os.environ, "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    return done.stdout


def self_play_commands(length: int, seed: int) -> list[str]:
    """Let gnubg play a match with itself at 0-ply, the dice by a seed; 0 = one money game."""
    players = [
        f"set player {player} {setting}"
        for player in (0, 1)
        for setting in (
            "gnubg",
            "chequer evaluation plies 0",
            "cubedecision evaluation plies 0",
        )
    ]
    automatic = [f"set automatic {what} on" for what in ("roll", "move", "bearoff", "game")]
    start = f"new match {length}" if length else "new session"
    if not length:
        automatic[-1] = "set automatic game off"
    return ["set rng mersenne", f"set seed {seed}", *players, *automatic, start]
