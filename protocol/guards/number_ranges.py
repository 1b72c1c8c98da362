"""Numbers in a range as values of options: helps and errors say `0 to 3`."""

from __future__ import annotations

import math
from typing import Any

import click

SHOWN_MAX = 10_000_000
"""Helps say nothing of a range that goes further, such as a seed's: no user meets its end."""


class _Whole(click.types.IntParamType):
    name = "whole number"


class _Number(click.types.FloatParamType):
    name = "number"


class WholeRange(click.IntRange):
    """A whole number in a range, called so in messages."""

    name = _Whole.name

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of a text."""
        number: int = _Whole().convert(value, param, ctx)
        if not _is_within(self, number):
            self.fail(f"{number} is not in the range {range_text(self)}.", param, ctx)
        return number

    def _describe_range(self) -> str:
        return help_text(self)


class NumberRange(click.FloatRange):
    """A number in a range; `nan` is in none."""

    name = _Number.name

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the number of a text."""
        number: float = _Number().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number", param, ctx)
        if not _is_within(self, number):
            self.fail(f"{number:g} is not in the range {range_text(self)}.", param, ctx)
        return number

    def _describe_range(self) -> str:
        return help_text(self)


def _is_within(kind: click.IntRange | click.FloatRange, number: float) -> bool:
    is_least = kind.min is None or (kind.min < number if kind.min_open else kind.min <= number)
    return is_least and (
        kind.max is None or (number < kind.max if kind.max_open else number <= kind.max)
    )


def range_text(kind: click.IntRange | click.FloatRange) -> str:
    """Return the ends of a range: `0 to 3`, or `more than 0, at most 3` without its end."""
    if kind.min is None or kind.max is None or kind.min_open or kind.max_open:
        least = "" if kind.min is None else f"{'more than' if kind.min_open else 'at least'} "
        most = "" if kind.max is None else f"{'less than' if kind.max_open else 'at most'} "
        ends = ((least, kind.min), (most, kind.max))
        return ", ".join(f"{word}{_shown(end)}" for word, end in ends if end is not None)
    return f"{_shown(kind.min)} to {_shown(kind.max)}"


def help_text(kind: click.IntRange | click.FloatRange) -> str:
    """Return the ends of a range for a help; nothing where an end is further than SHOWN_MAX."""
    ends = [abs(end) for end in (kind.min, kind.max) if end is not None]
    return "" if max(ends, default=0) > SHOWN_MAX else range_text(kind)


def _shown(number: float) -> str:
    return str(int(number)) if number == int(number) else str(number)
