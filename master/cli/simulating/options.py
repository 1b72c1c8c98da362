"""Options of `manyply simulate` that all games have: fleets, strategies, costs, drawings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from itertools import pairwise
from pathlib import Path
from typing import Any

import click

from engine_ext.search.bounds_tree import SPECULATION_MAX
from master.cli.arguments import CountType, json_option, reads
from master.cli.drawings import drawing_option, record_option
from master.laboratory.speedup import ablations
from master.search.limits import NEWS_S, Costs
from master.search.strategies import STRATEGIES, Strategy
from protocol.guards.number_ranges import NumberRange

PROCESSORS_MAX = 1024
"""Each has some megabytes of tables."""

LATENCY_US, MESSAGE_US, ENTRY_US = 100.0, 20.0, 0.2
"""The costs of these on a network of today."""

POLL_NODES = 1024
"""Searches check for messages after so many nodes..."""

PROBES = 4
"""... and check so many times at least before a part may be shot down."""

HOT_NODES_MAX = 10**9
"""Of a part: it is never shot down."""

BEGIN_NODES = 4096
"""Nodes of a part before it may be shot down; with a quarter, 256 analysers take a third longer."""


@dataclass(frozen=True, slots=True)
class SimulateOptions:
    """The options of one command.

    Args:
        processors: of the fleets, ascending.
        strategies: to compare.
        costs: in nodes.
        node_ns: time of a node.
        workers: of each analyser.
        svg_speedup: file for a plot of speed-ups.
        svg_timeline: file for a plot of which processor searched when.
        is_json: whether an object is printed.
        record: file for a record of which processor got which part when.
    """

    processors: tuple[int, ...]
    strategies: tuple[Strategy, ...]
    costs: Costs
    node_ns: float
    workers: int
    svg_speedup: Path | None
    svg_timeline: Path | None
    is_json: bool
    record: Path | None = None


def read_processors(text: str) -> tuple[int, ...]:
    """Return ascending counts, written 1,2,4 and `...` where doubling goes on; ValueError else."""
    words = [word.strip() for word in text.split(",")]
    counts: list[int] = []
    for word, following in pairwise([*words, ""]):
        if word == "..." and counts and following.isdecimal():
            while counts[-1] * 2 < int(following):
                counts.append(counts[-1] * 2)
        elif word.isdecimal() and 1 <= int(word[:5]) <= PROCESSORS_MAX:
            counts.append(int(word))
        else:
            raise ValueError(f"expected counts of 1 to {PROCESSORS_MAX}, such as 1,2,4,...,64")
    if counts != sorted(set(counts)):
        raise ValueError(f"{text!r} does not ascend")
    return tuple(counts)


def simulate_options(
    node_ns: float, hot_nodes: int = BEGIN_NODES
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command these options, as one argument `options`.

    Args:
        node_ns: default time of a node of the game.
        hot_nodes: default number of nodes of a part before it can be shot down.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def with_options(
            processors: tuple[int, ...], names: tuple[str, ...], ablate: str | None,
            latency_us: float, message_us: float, entry_us: float, node_ns: float,
            rank_max: int | None, idle_min: int, hot_nodes: int, workers: int,
            svg_speedup: Path | None, svg_timeline: Path | None, record: Path | None,
            is_json: bool, **rest: Any,
        ) -> Any:  # fmt: skip
            costs = costs_in_nodes(node_ns, hot_nodes, latency_us, message_us, entry_us)
            strategies = chosen(names, ablate, rank_max, idle_min)
            options = SimulateOptions(
                processors, strategies, costs, node_ns, workers, svg_speedup,
                svg_timeline, is_json, record,
            )  # fmt: skip
            return function(options=options, **rest)

        for option in reversed(_options(node_ns, hot_nodes)):
            with_options = option(with_options)
        return with_options

    return decorate


def _options(node_ns: float, hot_nodes: int) -> list[Callable[..., Any]]:
    return [
        click.option(
            "--processors", default="1,4,16,64", show_default=True,
            callback=reads(read_processors), metavar="LIST",
            help="Sizes of fleets, such as 1,2,4,...,256.",
        ),
        click.option("--workers", type=CountType(1, PROCESSORS_MAX), default=1, show_default=True,
                     metavar="N", help="Workers of each analyser; they share its table."),
        click.option(
            "--strategy", "names", multiple=True, type=click.Choice(list(STRATEGIES)),
            help="Strategy to simulate; repeat to compare.  [default: manyply]",
        ),
        click.option(
            "--ablate", is_flag=False, flag_value="", metavar="[WHICH]",
            help="Simulate it also without each of its features, or without those whose names "
            "contain WHICH, such as replication.",
        ),
        click.option("--latency-us", type=NumberRange(0, 1e6), default=LATENCY_US,
                     show_default=True, help="Time of a message from end to end."),
        click.option("--message-us", type=NumberRange(0.001, 1e6), default=MESSAGE_US,
                     show_default=True, help="The master's time for a message."),
        click.option("--entry-us", type=NumberRange(0, 1e6), default=ENTRY_US,
                     show_default=True, help="The master's time for a table entry."),
        click.option("--node-ns", type=NumberRange(1, 1e6), default=node_ns,
                     show_default=True, help="A processor's time for a node."),
        click.option("--rank-max", type=CountType(0, SPECULATION_MAX), metavar="N",
                     help="Do not start speculative work whose chance of being wasted exceeds "
                     "N/1000."),
        click.option("--idle-min", type=CountType(1, PROCESSORS_MAX), default=1, show_default=True,
                     metavar="N", help="Only cancel work when at least N workers are idle."),
        click.option("--hot-nodes", type=CountType(1, HOT_NODES_MAX), default=hot_nodes,
                     show_default=True, metavar="N",
                     help="Only cancel work that has been searched for at least N nodes."),
        drawing_option("--svg-speedup", "Draw the speed-ups."),
        drawing_option(
            "--svg-timeline", "Draw a timeline of the processors: largest fleet, last position."
        ),
        record_option(
            "Record the parts of each processor for `manyply replay FILE --web`: largest fleet, "
            "last position."
        ),
        json_option,
    ]  # fmt: skip


def costs_in_nodes(
    node_ns: float,
    hot_nodes: int = BEGIN_NODES,
    latency_us: float = LATENCY_US,
    message_us: float = MESSAGE_US,
    entry_us: float = ENTRY_US,
) -> Costs:
    """Return costs in nodes from times in microseconds and the time of a node.

    A search looks up some times before its part can be shot down.
    """
    nodes_per_us = 1000 / node_ns
    return Costs(
        latency=latency_us * nodes_per_us,
        message=message_us * nodes_per_us,
        entry=entry_us * nodes_per_us,
        entry_out=entry_us * nodes_per_us,
        poll=max(min(POLL_NODES, hot_nodes // PROBES), 1),
        begin=hot_nodes,
        news=NEWS_S * 1e6 * nodes_per_us,
    )


def chosen(
    names: Sequence[str], ablate: str | None, rank_max: int | None, idle_min: int = 1
) -> tuple[Strategy, ...]:
    """Return the strategies named, each with those of its ablations whose names hold a text.

    Raises:
        click.BadParameter: no ablation's does.
    """
    found = [
        replace(STRATEGIES[name], idle_min=max(idle_min, STRATEGIES[name].idle_min))
        for name in dict.fromkeys(names or ("manyply",))
    ]
    if rank_max is not None:
        found = [replace(strategy, rank_max=rank_max) for strategy in found]
    if ablate is None:
        return tuple(found)
    with_variants = []
    for strategy in found:
        itself, *variants = ablations(strategy)
        with_variants.append(itself)
        with_variants += [
            replace(variant, name=f"{strategy.name}, {variant.name}")
            for variant in variants
            if ablate in variant.name
        ]
    if len(with_variants) == len(found):
        known = ", ".join(f"'{each.name}'" for each in ablations(found[0])[1:])
        raise click.BadParameter(f"{ablate!r} is in none of {known}", param_hint="'--ablate'")
    return tuple(with_variants)
