"""Programs that speak UCI, well or badly: Stockfish where it is, and small ones of our own."""

import shutil
import sys
from pathlib import Path

import pytest

from engine_ext.chess.uci_engine.engine_spec import GAMES_PATH, EngineSpec

STOCKFISH = shutil.which("stockfish", path=GAMES_PATH) or ""

needs_stockfish = pytest.mark.skipif(not STOCKFISH, reason="stockfish is not installed")

POLITE = """\
import os, pathlib, sys, time
here = pathlib.Path(sys.argv[0]).parent
def once(name):
    try:
        (here / name).touch(exist_ok=False)
    except FileExistsError:
        return False
    return True
print("id name Polite", "1" if not (here / "second").exists() else "2")
for line in sys.stdin:
    words = line.split()
    if words == ["uci"]:
        print("option name Hash type spin default 16 min 1 max 64")
        print("option name Style type combo default Calm var Calm var Very Wild")
        print("option name SyzygyPath type string default <empty>")
        print("uciok")
    elif words == ["isready"]:
        print("readyok")
    elif words == ["quit"]:
        break
    elif words[:1] == ["go"] and words[-1] in ("1", "10000"):
        TRIAL
    elif words[:1] == ["go"]:
        GO
    sys.stdout.flush()
"""
"""Answers the trials of what it minds and remembers by `TRIAL`, and every question by `GO`."""

ANSWER = 'print("info depth 3 nodes 70 score cp 31 pv e2e4 e7e5"); print("bestmove e2e4")'


def program(folder: Path, go: str = ANSWER, trial: str = ANSWER) -> EngineSpec:
    """Return a polite program that does this when it is to search, and when that is tried."""
    path = folder / "polite.py"
    path.write_text(POLITE.replace("GO", go).replace("TRIAL", trial))
    return EngineSpec((sys.executable, str(path)))
