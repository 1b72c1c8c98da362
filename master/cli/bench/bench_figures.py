"""Measured figures, as a table or an object."""

from __future__ import annotations

from master.cli.output import echo_error, echo_json, echo_table


def echo_figures(title: str, figures: dict[str, object], *, is_json: bool) -> None:
    """Print figures, one a line, or as one object."""
    if is_json:
        echo_json(figures)
        return
    rows = [(name, _figure(value)) for name, value in figures.items()]
    echo_table(title, ("", ""), rows)


def _figure(value: object) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"
    return str(value)


def announce(seconds: int, *, is_json: bool) -> None:
    """Print the expected time on standard error."""
    if not is_json:
        echo_error(f"measuring for about {seconds} s ...")
