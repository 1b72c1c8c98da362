import math

import click
import pytest
from click.testing import CliRunner

from analyser.lending import Hours
from analyser.lending_options import Lending, lending_options

found: list[Lending] = []


@click.command
@lending_options
@click.option("--other", default=1)
def lend(lending: Lending, other: int) -> None:
    """Take what a command is given."""
    assert other == 1
    found.append(lending)


def lent(*arguments: str) -> Lending:
    found.clear()
    result = CliRunner().invoke(lend, arguments)
    assert result.exit_code == 0, result.output
    return found[0]


def test_nothing_is_limited_unless_asked() -> None:
    assert lent() == Lending()
    assert lent().give_up_after == math.inf
    assert lent().drain_s == 25


def test_options_are_collected() -> None:
    everything = lent(
        *("--cores", "2", "--nice", "19", "--memory", "2G", "--hours", "22:00-07:00"),
        *("--hours", "12:00-13:00", "--battery", "stop", "--idle-exit", "600"),
        *("--give-up-after", "0.5", "--drain-s", "10", "--with-parent"),
    )
    hours = (Hours(1320, 420), Hours(720, 780))
    assert everything == Lending(2, 19, 2 << 30, hours, "stop", 600.0, 0.5, 10.0, with_parent=True)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--hours", "25:00-3"], "'25:00-3' is no part of a day: expected HH:MM-HH:MM"),
        (["--memory", "1X"], "'1X' is no size: expected a number and a unit"),
        (["--cores", "0"], "0 is not in the range"),
        (["--nice", "20"], "20 is not in the range"),
        (["--nice", "-5"], "-5 is not in the range"),
        (["--battery", "maybe"], "'maybe' is not one of"),
        (["--idle-exit", "0"], "0.0 is not in the range"),
        (["--give-up-after", "soon"], "'soon' is not a valid float"),
        (["--give-up-after", "nan"], "'nan' is no number of seconds"),
        (["--drain-s", "-1"], "-1.0 is not in the range"),
    ],
)
def test_bad_option_is_named_in_one_sentence(arguments: list[str], text: str) -> None:
    result = CliRunner().invoke(lend, arguments)
    assert result.exit_code == 2
    assert text in result.output.splitlines()[-1]
