"""The terms of the evaluation: their groups, and the values of data/terms.txt.

A line of the file is a group's name and its terms, each `early/late` in centipawns.  Loads no
engine.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

GROUPS = {
    "squares_pawn": 32,
    "squares_knight": 32,
    "squares_bishop": 32,
    "squares_rook": 32,
    "squares_queen": 32,
    "squares_king": 32,
    "mobility_knight": 9,
    "mobility_bishop": 14,
    "mobility_rook": 15,
    "mobility_queen": 28,
    "passed": 8,
    "passed_free": 8,
    "passed_own_king": 8,
    "passed_their_king": 8,
    "protected": 8,
    "phalanx": 8,
    "doubled": 1,
    "isolated": 1,
    "backward": 1,
    "bishops": 1,
    "bad_bishop": 1,
    "outpost": 2,
    "open_file": 2,
    "shelter": 8,
    "storm": 8,
    "danger": 64,
    "threat_by_pawn": 8,
    "threat_by_minor": 8,
    "threat_by_rook": 8,
    "hanging": 8,
    "tempo": 1,
}
"""The groups in their order, and how many terms each has."""

TERMS_FILE = Path(__file__).parent / "data" / "terms.txt"

Term = tuple[int, int]


def group_starts() -> dict[str, int]:
    """Return the number of each group's first term."""
    starts, start = {}, 0
    for name, count in GROUPS.items():
        starts[name] = start
        start += count
    return starts


def read_terms(text: str) -> list[Term]:
    """Return all terms in order.

    Raises:
        ValueError: a group is missing, has another number of terms, or is none.
    """
    rows = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    if [row[0].rstrip(":") for row in rows] != list(GROUPS):
        raise ValueError(f"the groups of terms are {', '.join(GROUPS)}, in this order")
    terms = []
    for name, *words in rows:
        if len(words) != GROUPS[name.rstrip(":")]:
            raise ValueError(f"{name} {GROUPS[name.rstrip(':')]} terms were expected")
        for word in words:
            early, late = word.split("/")
            terms.append((int(early), int(late)))
    return terms


def write_terms(terms: Iterable[Term], head: str) -> str:
    """Return the text of terms: a line of comment, then the form that `read_terms` reads."""
    rest = list(terms)
    lines = [f"# {head}"]
    for name, count in GROUPS.items():
        words = " ".join(f"{early}/{late}" for early, late in rest[:count])
        lines.append(f"{name}: {words}")
        rest = rest[count:]
    return "\n".join(lines) + "\n"
