"""Options of all simulations."""

import pytest

from master.cli.simulating.options import chosen, read_processors
from master.search.strategies import OURS


def test_processors_are_read() -> None:
    assert read_processors("1,2,4,...,32,48") == (1, 2, 4, 8, 16, 32, 48)
    assert read_processors("7") == (7,)
    for wrong in ("", "0", "1,1", "4,2", "1,...", "...,4", "one", "2000", "1,,2"):
        with pytest.raises(ValueError, match=r"expected counts|does not ascend"):
            read_processors(wrong)


def test_strategies_are_chosen_once_each() -> None:
    assert chosen((), None, None) == (OURS,)
    assert [each.name for each in chosen(("par", "par", "manyply"), None, None)] == [
        "par",
        "manyply",
    ]
    assert chosen((), None, 500)[0].rank_max == 500
    assert chosen((), None, None, 4)[0].idle_min == 4
