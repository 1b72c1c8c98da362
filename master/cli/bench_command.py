"""`manyply bench`: measured figures of this machine."""

from __future__ import annotations

import click

from master.cli.arguments import json_option
from master.cli.output import echo_json, echo_table


@click.group("bench")
def bench_command() -> None:
    """Measure this machine."""


def _echo_figures(title: str, figures: dict[str, object], is_json: bool) -> None:
    if is_json:
        echo_json(figures)
        return
    rows = [(name, _figure(value)) for name, value in figures.items()]
    echo_table(title, ("", ""), rows)


def _figure(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"
    return str(value)


@bench_command.command("backgammon")
@json_option
def bench_backgammon_command(is_json: bool) -> None:
    """The engine on one core: evaluations, positions, rollout trials a second."""
    from master.cli.bench_backgammon import bench_backgammon  # noqa: PLC0415  # loads the engine

    if not is_json:
        click.echo("measuring for about 8 s ...", err=True)
    _echo_figures("backgammon, one core", bench_backgammon(), is_json)
