"""gnubg's `show statistics match`, read back, and matches that it analysed itself."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.master.games.backgammon.matches.gnubg_program import run_gnubg

VALUE_COLUMNS = ((41, 65), (65, 200))
"""Where gnubg prints the two players' values, in characters."""

ANALYSE_AT_0_PLY = (
    "set analysis chequerplay evaluation plies 0",
    "set analysis cubedecision evaluation plies 0",
)


@dataclass(frozen=True)
class Statistics:
    """What gnubg prints, by section and line; a value is its numbers, or its words."""

    lines: dict[tuple[str, str], tuple[str, str]]

    def text(self, section: str, label: str, player: int) -> str:
        """The value's text."""
        return self.lines[section, label][player]

    def numbers(self, section: str, label: str, player: int) -> list[str]:
        """The value's numbers, as printed."""
        return re.findall(r"[-+]?\d+(?:\.\d+)?", self.text(section, label, player))


def noisy_players(*, seed: int) -> Sequence[str]:
    """Commands that make gnubg's two players err in every way, in the same way each time."""
    settings = [
        "gnubg",
        *(
            f"{kind} evaluation {setting}"
            for kind, noise in (("chequer", 0.05), ("cube", 0.35))
            for setting in ("plies 0", f"noise {noise}", "deterministic on")
        ),
    ]
    players = [f"set player {player} {setting}" for player in (0, 1) for setting in settings]
    automatic = [f"set automatic {what} on" for what in ("roll", "move", "bearoff")]
    confirm = ["set confirm new off", "set confirm save off"]
    return ["set rng mersenne", f"set seed {seed}", *players, *automatic, *confirm]


def read_statistics(output: str) -> Statistics:
    """Read what gnubg printed last."""
    section, lines = "", {}
    for line in output.splitlines():
        if line.rstrip().endswith(" statistics") and not line.startswith(" "):
            section = line.split()[0]
        elif section and len(line) > VALUE_COLUMNS[0][0]:
            label = re.sub(r" *\(?(EMG|mEMG).*", "", line[: VALUE_COLUMNS[0][0]]).strip()
            first, second = (line[start:end].strip() for start, end in VALUE_COLUMNS)
            lines[section, label] = (first, second)
    return Statistics(lines)


def statistics_of(folder: Path, name: str) -> Statistics:
    """Let gnubg load an SGF file and say its statistics: from the digits that the file has."""
    return read_statistics(run_gnubg(folder, [f"load match {name}", "show statistics match"]))
