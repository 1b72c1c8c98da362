"""What is said of a running job whose game has no words: the value that ranks."""

from dataclasses import replace

import pytest

from master.games.job_words import PLAIN
from tests.master.cli.shown import TWO_MOVES, job_view

VIEW = job_view(**TWO_MOVES)


def test_best_comes_first_with_its_error() -> None:
    heading, *rows = PLAIN.rows(VIEW, 60)
    assert heading.split() == [VIEW.value_names[-1]]
    assert [row.split() for row in rows] == [
        ["1.", "8/5", "6/5", "0.3500", "[0.0400]"],
        ["2.", "13/10", "6/5", "0.1000", "[0.0100]"],
    ]
    assert PLAIN.best(VIEW) == "8/5 6/5 0.3500 [0.0400]"


def test_single_round_has_no_error() -> None:
    first = replace(VIEW.alternatives[0], std_errors=(None,) * 7)
    view = job_view(alternative_names=("only",), alternatives=(first,))
    assert PLAIN.best(view) == "only 0.1000"


@pytest.mark.parametrize("width", [30, 40, 80])
def test_rows_fit(width: int) -> None:
    assert max(map(len, PLAIN.rows(VIEW, width))) <= width
