"""Measured figures as a table or an object, and the speed of an engine on one core.

Seconds are of this thread's processor time. Each rate is the best of a few short runs, since other
load only makes a run slower.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import click

from master.cli.arguments import json_option
from master.cli.interruptible import interruptible
from master.cli.output import echo_error, echo_json, echo_table


@dataclass(frozen=True)
class Figures:
    """Measured figures.

    Args:
        values: by the keys of the JSON object.
        words: the meaning of each key, for people.
    """

    values: dict[str, object]
    words: Mapping[str, str]


def echo_figures(title: str, figures: Figures, *, is_json: bool) -> None:
    """Print figures, one a line in words, or as one object."""
    if is_json:
        echo_json(figures.values)
        return
    rows = [(figures.words[name], _figure(value)) for name, value in figures.values.items()]
    echo_table(title, ("", ""), rows)


def _figure(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"
    return str(value)


def announce(seconds: int, *, is_json: bool) -> None:
    """Print the expected time on standard error."""
    if not is_json:
        echo_error(f"measuring for about {seconds} s ...")


RUN_S_MIN = 0.5
RUNS = 3


def best_rate(work: Callable[[], int]) -> float:
    """Return units a second, `work` returning units: the best of RUNS runs of RUN_S_MIN or more."""
    work()
    return max(_rate(work) for _ in range(RUNS))


def _rate(work: Callable[[], int]) -> float:
    started = time.thread_time()
    units = work()
    while (elapsed := time.thread_time() - started) < RUN_S_MIN:
        units += work()
    return units / elapsed


def cpu_description() -> str:
    """Return the processor's name, from the system."""
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        for line in cpuinfo.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


@dataclass(frozen=True)
class EngineBench:
    """The words of a command that measures the engine of a game.

    Args:
        game: the command's name.
        title: of the figures.
        seconds: that it takes.
        short_help: for the list of commands.
        text: its help.
    """

    game: str
    title: str
    seconds: int
    short_help: str
    text: str


def engine_bench(bench: EngineBench, measure: Callable[[], Figures]) -> click.Command:
    """Return a command that prints what `measure` returns; only that call loads the engine."""

    @click.command(bench.game, short_help=bench.short_help, help=bench.text)
    @json_option
    def command(is_json: bool) -> None:
        announce(bench.seconds, is_json=is_json)
        echo_figures(bench.title, interruptible(measure), is_json=is_json)

    return command
