"""gnubg's own 0-ply answers to cube questions, as an oracle."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from tests.benchmarks import gnubg_program

_SETUP = (
    "set automatic game off",
    "set automatic roll off",
    "set confirm new off",
    "set output digits 6",
    "set evaluation cubedecision eval plies 0",
    "set evaluation cubedecision eval noise 0",
    "set evaluation cubedecision eval cubeful on",
    "set player 0 human",
)
_END = "end of hint"
_NUMBER = r"[+-]?\d+\.\d+"
_PROBS = re.compile(rf"^ *({_NUMBER}) ({_NUMBER}) ({_NUMBER}) - {_NUMBER} ({_NUMBER}) ({_NUMBER})",
                    re.MULTILINE)  # fmt: skip
_EQUITY = re.compile(rf"^\d\. (\w[\w, ]*?) +({_NUMBER})", re.MULTILINE)
_WORDS = re.compile(r"^Proper cube action: (\w[\w, ]*\w)", re.MULTILINE)
_ABSENT = {"No double", "No redouble"}


@dataclass(frozen=True)
class Hint:
    """What gnubg says: rounded to six decimals, equities of the player on roll."""

    probs: tuple[float, ...]
    no_double: float
    double_take: float
    double_pass: float
    words: str


def hints(gnubg_ids: Sequence[str], *settings: str) -> list[Hint | None]:
    """Return gnubg's answers, one an ID; None where it finds no cube question.

    Skips the test where gnubg is not installed.  Args: settings: commands to give first.
    """
    gnubg = gnubg_program.find_gnubg()
    if gnubg is None:
        pytest.skip("gnubg is not installed")
    commands = [*_SETUP, *settings, "new session"]
    for gnubg_id in gnubg_ids:
        commands += [f"set gnubgid {gnubg_id}", "hint", f'> print("{_END}")']
    pages = gnubg_program.run_commands(gnubg, commands).split(_END)
    assert len(pages) == len(gnubg_ids) + 1
    return [_hint(page) for page in pages[:-1]]


def _hint(page: str) -> Hint | None:
    probs, words = _PROBS.search(page), _WORDS.search(page)
    if probs is None or words is None:
        return None
    equities = {name.lower().replace("redouble", "double"): float(number)
                for name, number in _EQUITY.findall(page)}  # fmt: skip
    return Hint(
        tuple(map(float, probs.groups())),
        equities["no double"],
        equities["double, take"],
        equities["double, pass"],
        words[1].lower(),
    )
