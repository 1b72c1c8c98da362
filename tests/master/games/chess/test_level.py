"""How well chess is played: master.games.chess.level."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.fast.search import DEPTH_MAX
from master.games.chess.level import SECONDS_DEFAULT, Level, read_level


@given(st.integers(1, DEPTH_MAX))
def test_a_depth_is_read_as_it_is_told(depth: int) -> None:
    level = Level(depth, None)
    assert read_level(level.text) == read_level(str(depth)) == level
    assert level.name == f"manyply depth {depth}"


@given(st.integers(1, 36_000))
def test_a_time_is_read_as_it_is_told(tenths: int) -> None:
    level = Level(None, tenths / 10)
    assert read_level(f"{tenths / 10:.1f}s") == read_level(level.text) == level


def test_the_usual_level_is_a_time() -> None:
    assert Level().name == "manyply 1 s"
    assert Level().seconds == SECONDS_DEFAULT


@pytest.mark.parametrize("text", ["", "0", "101", "0s", "3601 s", "hard", "-1", "1e2s", "depth"])
def test_what_is_no_level_is_named(text: str) -> None:
    expected = f"a level is a depth of 1 to 100, or a time of 0.1s to 3600s, not {text!r}"
    with pytest.raises(ValueError, match=re.escape(expected)):
        read_level(text)
