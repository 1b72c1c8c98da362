"""Options are set within their bounds, and declared with them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.games.chess.uci.options import (
    Bounds,
    Options,
    is_clear_hash,
    option_lines,
    set_option,
)

BOUNDS = Bounds(hash_mb_max=1024, threads_max=2)


def test_options_are_declared_with_bounds_and_defaults() -> None:
    assert option_lines(BOUNDS) == (
        "option name Hash type spin default 64 min 1 max 1024",
        "option name Threads type spin default 1 min 1 max 2",
        "option name MultiPV type spin default 1 min 1 max 256",
        "option name Move Overhead type spin default 10 min 0 max 5000",
        "option name Mode type combo default fast var fast var reproducible",
        "option name Clear Hash type button",
        "option name Ponder type check default false",
        "option name UCI_Chess960 type check default false",
        "option name UCI_ShowWDL type check default false",
    )


@pytest.mark.parametrize(
    ("name", "value", "options"),
    [
        ("Hash", "128", Options(hash_mb=128)),
        ("threads", "2", Options(threads=2)),
        ("MULTIPV", "3", Options(line_count=3)),
        ("Ponder", "true", Options(is_ponder=True)),
        ("UCI_Chess960", "True", Options(is_chess960=True)),
        ("UCI_ShowWDL", "true", Options(is_wdl_shown=True)),
        ("Move Overhead", "0", Options(overhead_ms=0)),
        ("mode", "Reproducible", Options(mode="reproducible")),
    ],
)
def test_options_are_set_whatever_their_capitals(name: str, value: str, options: Options) -> None:
    assert set_option(Options(), BOUNDS, name, value) == options


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("Hash", "0", "expected 1 to 1024 for Hash, not '0'"),
        ("Hash", "many", "expected 1 to 1024 for Hash, not 'many'"),
        ("Threads", "3", "expected 1 to 2 for Threads, not '3'"),
        ("Ponder", "yes", "expected true or false for Ponder, not 'yes'"),
        ("Mode", "slow", "expected fast or reproducible for Mode, not 'slow'"),
        ("Style", "1", "expected one of the options Hash, Threads, MultiPV, Move Overhead, Mode, "
         "Clear Hash, Ponder, UCI_Chess960, UCI_ShowWDL, not 'Style'"),
    ],
)  # fmt: skip
def test_bad_values_are_named(name: str, value: str, text: str) -> None:
    with pytest.raises(ValueError, match="expected") as caught:
        set_option(Options(), BOUNDS, name, value)
    assert str(caught.value) == text


@given(
    st.sampled_from(["Hash", "Threads", "Move Overhead", "Mode", "Ponder"]), st.text(max_size=30)
)
def test_no_value_does_harm(name: str, value: str) -> None:
    try:
        options = set_option(Options(), BOUNDS, name, value)
    except ValueError:
        return
    assert 1 <= options.hash_mb <= 1024
    assert 1 <= options.threads <= 2


def test_button_is_known_by_its_name() -> None:
    assert is_clear_hash("clear hash")
    assert not is_clear_hash("Hash")
