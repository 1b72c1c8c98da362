"""The program runs, counts and finds no error."""

import pytest

from tests.benchmarks import search_trees


def test_every_answer_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    search_trees.main(count=40, first_seed=7)
    bounds_tree, scheduler = capsys.readouterr().out.splitlines()
    assert bounds_tree == "bounds tree: 20 trees, 0 errors"
    assert scheduler.startswith("scheduler: 20 trees, 0 errors; {'handed_out': ")
