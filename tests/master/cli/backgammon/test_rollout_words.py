"""How a rollout reads while it runs."""

from dataclasses import replace

import pytest

from master.cli.backgammon.rollout_words import WORDS, ranked
from tests.master.cli.shown import TWO_MOVES, alternative, job_view


def test_alternatives_that_are_equal_are_ranked_by_cubeless_equity() -> None:
    worse, better = (
        replace(alternative(-1.0), means=(0.1, 0.0, 0.0, 0.0, 0.0, cubeless, -1.0))
        for cubeless in (-0.9, -0.7)
    )
    names = ("6/1 6/2", "5/off 4/off")
    assert ranked(job_view(alternative_names=names, alternatives=(worse, better))) == [1, 0]


def test_best_play_has_its_equity_and_error() -> None:
    assert WORDS.best(job_view(**TWO_MOVES)) == "8/5 6/5 +0.3500 [0.0400]"


@pytest.mark.parametrize("width", range(60, 141, 10))
def test_rows_fit_and_stand_below_their_headings(width: int) -> None:
    heading, *rows = WORDS.rows(job_view(**TWO_MOVES), width)
    assert [row.split()[:2] for row in rows] == [["1.", "8/5"], ["2.", "13/10"]]
    assert max(map(len, (heading, *rows))) <= width
    assert ("W bg" in heading) == (width >= 100)
