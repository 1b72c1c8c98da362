"""Reads the lines that a program writes by the UCI protocol.

Source: S. Meyer-Kahlen, "Description of the universal chess interface", April 2006.  Unknown words
are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine_ext.chess.probes.probe_text import ProbeValue

CENTIPAWNS_MAX = 99_999
"""Largest value of a look; programs write up to about 30,000."""

EMPTY = "<empty>"
"""How programs write the default of a string that has no characters."""

_OPTION = re.compile(r"option name (.+?) type (check|spin|combo|button|string)\b *(.*)")
_KEYS = ("default", "min", "max", "var")


class EngineOptionError(ValueError):
    """An option that a program lacks, or an invalid value; one line that names the error."""


@dataclass(frozen=True, slots=True)
class EngineOption:
    """An option of a program.

    Args:
        name: as the program writes it.
        kind: check, spin, combo, button or string.
        least: of a spin.
        most: of a spin.
        choices: of a combo.
        default: None: the program sends none.
    """

    name: str
    kind: str
    least: int | None = None
    most: int | None = None
    choices: tuple[str, ...] = ()
    default: str | None = None

    def check(self, value: str) -> None:
        """Raise EngineOptionError for a value that it cannot have."""
        expected = ""
        if self.kind == "button":
            raise EngineOptionError(f"{self.name} is a button, and has no value")
        if self.kind == "check" and value not in ("true", "false"):
            expected = "true or false"
        elif self.kind == "spin" and not self._is_in_range(value):
            expected = f"a number from {self.least} to {self.most}"
        elif self.kind == "combo" and value not in self.choices:
            expected = f"one of {', '.join(self.choices)}"
        if expected:
            raise EngineOptionError(f"expected {expected} for {self.name}, not {value!r}")

    def _is_in_range(self, value: str) -> bool:
        if not re.fullmatch("-?[0-9]{1,18}", value):
            return False
        least = self.least if self.least is not None else int(value)
        most = self.most if self.most is not None else int(value)
        return least <= int(value) <= most


def read_option(line: str) -> EngineOption | None:
    """Return the option of a line; None: the line has none."""
    found = _OPTION.fullmatch(line)
    if found is None:
        return None
    name, kind, rest = found.groups()
    facts: dict[str, list[str]] = {}
    key = ""
    for word in rest.split():
        if word in _KEYS:
            key = word
            facts.setdefault(key, []).append("")
        elif key:
            facts[key][-1] = f"{facts[key][-1]} {word}".strip()
    defaults = facts.get("default")
    return EngineOption(
        name, kind, _number(facts.get("min")), _number(facts.get("max")),
        tuple(facts.get("var", ())), None if defaults is None else _default(kind, defaults[-1]),
    )  # fmt: skip


def _default(kind: str, text: str) -> str:
    return "" if kind == "string" and text == EMPTY else text


def _number(words: list[str] | None) -> int | None:
    if not words or not re.fullmatch("-?[0-9]{1,18}", words[-1]):
        return None
    return int(words[-1])


@dataclass(frozen=True, slots=True)
class EngineLine:
    """The latest best line of a rank.

    Args:
        depth: of the iteration.
        value: for the side to move; None: the line has none.
        is_bound: the value is a bound only.
        moves: in the program's words.
    """

    depth: int
    value: ProbeValue | None
    is_bound: bool
    moves: tuple[str, ...]


@dataclass(slots=True)
class EngineReport:
    """The output of a search so far.

    The report depends only on the lines and their order, not on their time: lines after
    `nodes_max` nodes are ignored, so the moment of the stop does not matter.

    Args:
        nodes_max: limit of nodes.
        nodes: visited.
        lines: by rank, 1 being the best.
        best: the move that ended the search; empty: none has.
        value: the last one without a line of play.
        line_nodes: nodes visited at the last line.
    """

    nodes_max: int
    nodes: int = 0
    lines: dict[int, EngineLine] = field(default_factory=dict)
    best: str = ""
    value: ProbeValue | None = None
    line_nodes: int = 0

    @property
    def is_enough(self) -> bool:
        """Whether the program has visited more nodes than allowed, and has sent a result."""
        return self.nodes > self.nodes_max and bool(self.lines)

    @property
    def counted_nodes(self) -> int:
        """The nodes behind the lines that count."""
        return self.nodes if self.nodes <= self.nodes_max else self.line_nodes

    def hear(self, line: str) -> None:
        """Read a line that begins with `info` or `bestmove`; a malformed line is ignored."""
        words = line.split()
        if words[:1] == ["bestmove"]:
            self.best = words[1] if len(words) > 1 else ""
            return
        if "string" in words:
            words = words[: words.index("string")]
        nodes = _after(words, "nodes")
        self.nodes = max(self.nodes, nodes or 0)
        at = self.nodes if nodes is None else nodes
        rank = _after(words, "multipv") or 1
        found = _read_line(words)
        is_less = found is None or found.is_bound or found.value is None or at > self.nodes_max
        if found is None or (is_less and rank in self.lines):
            return
        if not found.moves:
            self.value = found.value
            return
        self.lines[rank] = found
        self.line_nodes = max(self.line_nodes, at)


def _after(words: Sequence[str], key: str) -> int | None:
    """Return the number behind a word."""
    place = words.index(key) + 1 if key in words else len(words)
    return int(words[place]) if place < len(words) and re.fullmatch(
        "[0-9]{1,18}", words[place]
    ) else None  # fmt: skip


def _read_line(words: Sequence[str]) -> EngineLine | None:
    """Return the value and the moves of a line; None if it has neither."""
    moves = tuple(words[words.index("pv") + 1 :]) if "pv" in words else ()
    place = words.index("score") if "score" in words else len(words)
    value = _read_value(*(*words[place + 1 : place + 3], "", "")[:2])
    if value is None and not moves:
        return None
    is_bound = "lowerbound" in words or "upperbound" in words
    return EngineLine(_after(words, "depth") or 0, value, is_bound, moves)


def _read_value(kind: str, number: str) -> ProbeValue | None:
    if kind not in ("cp", "mate") or not re.fullmatch("-?[0-9]{1,9}", number):
        return None
    value = min(max(int(number), -CENTIPAWNS_MAX), CENTIPAWNS_MAX)
    return ProbeValue(value, kind == "mate")
