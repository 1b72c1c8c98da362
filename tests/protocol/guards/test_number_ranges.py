"""Numbers in a range: which are taken, and how helps and errors name the range."""

from __future__ import annotations

from typing import Any

import click
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from protocol.guards.number_ranges import SHOWN_MAX, NumberRange, WholeRange


def ran(kind: Any, *words: str) -> Result:
    @click.command()
    @click.option("--number", type=kind, help="Some number.", metavar="N")
    def command(number: float | None) -> None:
        click.echo(repr(number))

    return CliRunner().invoke(command, words)


@given(st.integers(-50, 50), st.integers(-20, 20), st.integers(0, 20), st.booleans(), st.booleans())
def test_only_numbers_between_the_ends_are_taken(
    number: int, least: int, width: int, is_above: bool, is_below: bool
) -> None:
    most = least + width
    is_within = least + is_above <= number <= most - is_below
    for kind in (WholeRange, NumberRange):
        bounds = kind(least, most, min_open=is_above, max_open=is_below)
        if is_within:
            assert bounds.convert(str(number), None, None) == number
        else:
            with pytest.raises(click.BadParameter, match=f"^{number} is not in the range"):
                bounds.convert(str(number), None, None)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (WholeRange(0, 3), "0 to 3"),
        (WholeRange(1, SHOWN_MAX), f"1 to {SHOWN_MAX}"),
        (NumberRange(0, 3600.0), "0 to 3600"),
        (NumberRange(0.001, 1e6), "0.001 to 1000000"),
        (NumberRange(0, 60.0, min_open=True), "more than 0, at most 60"),
        (WholeRange(1), "at least 1"),
        (NumberRange(max=2, max_open=True), "less than 2"),
    ],
)
def test_helps_and_errors_name_the_range_alike(kind: Any, text: str) -> None:
    assert f"Some number.  [{text}]" in ran(kind, "--help").output
    far = "5000000000" if kind.max is not None else "0"
    assert f"is not in the range {text}." in ran(kind, "--number", far).output


def test_help_does_not_name_an_astronomic_end_but_an_error_does() -> None:
    seed = WholeRange(0, 2**63 - 1)
    assert "[" not in ran(seed, "--help").output.split("Some number.")[1]
    assert f"-1 is not in the range 0 to {2**63 - 1}." in ran(seed, "--number", "-1").output


@pytest.mark.parametrize("text", ["nan", "NaN", "x", ""])
def test_texts_that_are_no_number_are_refused(text: str) -> None:
    for kind in (NumberRange(0, 3), WholeRange(0, 3)):
        result = ran(kind, "--number", text)
        assert (result.exit_code, "Error: Invalid value for '--number'" in result.output) == (
            2,
            True,
        )
