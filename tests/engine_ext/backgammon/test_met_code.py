"""A table that goes into a context comes out with the same bits, or does not go in."""

import re
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine_ext.backgammon.met import AWAY_MAX, MET_DECIMALS, Met, MetError, kazaross_xg2
from engine_ext.backgammon.met_code import (
    CODE_PATTERN,
    MET_CODE_CHARS_MAX,
    met_code,
    met_from_code,
)
from engine_ext.backgammon.met_xml import met_from_xml
from tests.engine_ext.backgammon.tables import FAVOURITE, SMALL

GNUBG_METS = Path("/usr/share/gnubg/met")


@st.composite
def tables(draw: st.DrawFn) -> Met:
    """Tables whose chances fall with the points to go: of alike players, or of two."""
    size = draw(st.integers(2, 7))
    decimals = draw(st.integers(3, MET_DECIMALS))
    steps = draw(st.lists(st.floats(0.3, 1.0), min_size=size, max_size=size))
    edge = draw(st.sampled_from([0.0, 0.0, 0.05]))
    worth = [sum(steps[: i + 1]) / 20.0 for i in range(size)]
    rows = tuple(
        tuple(round(0.5 + edge + theirs - own, decimals) for theirs in worth) for own in worth
    )
    posts = [
        tuple(round(share / (i + 2), decimals) for i in range(size - draw(st.integers(0, 1))))
        for share in (1.0 + 2 * edge, 1.0 - 2 * edge)
    ]
    try:
        return Met("any", size, rows, posts[0], posts[1] if edge else None)
    except MetError:
        assume(False)
        raise


def assert_same_up_to(away_max: int, met: Met, again: Met) -> None:
    for player in (0, 1):
        for mine in range(1, away_max + 1):
            for other in range(1, away_max + 1):
                for post in (False, True):
                    numbers = [
                        table.mwc(mine, other, post_crawford=post, player=player)
                        for table in (met, again)
                    ]
                    assert numbers[0].hex() == numbers[1].hex()


@given(tables(), st.integers(1, 9), st.integers(0, 1))
@pytest.mark.when_changed
def test_what_can_be_reached_comes_back_with_the_same_bits(
    met: Met, away_max: int, player: int
) -> None:
    code = met_code(met, away_max, player)
    again, on_roll = met_from_code(code)
    assert CODE_PATTERN.fullmatch(code)
    assert_same_up_to(away_max, met, again)
    assert on_roll == (0 if met.is_alike else player)
    assert met_code(again, away_max, player) == code


def test_codes_say_what_they_hold() -> None:
    assert met_code(SMALL, 3) == "half.2.3.jS3jJig"
    assert met_code(SMALL, 1) == met_code(SMALL, 2)
    assert met_code(FAVOURITE, 3, 1).startswith("pair1.2.3.")
    assert met_code(kazaross_xg2(), 25).startswith("half.6.25.")


def test_a_match_beyond_the_table_takes_all_of_it_along() -> None:
    assert met_code(SMALL, 64) == met_code(SMALL, 3)
    assert_same_up_to(12, SMALL, met_from_code(met_code(SMALL, 12))[0])


def test_a_table_that_does_not_add_up_is_written_whole() -> None:
    met = Met("rounded", 2, ((0.5, 0.701), (0.3, 0.5)), (0.5, 0.4))
    code = met_code(met, 2)
    assert code.startswith("full.3.2.")
    assert_same_up_to(2, met, met_from_code(code)[0])


def a_long_table(size: int) -> Met:
    """Nine decimals, as a formula has."""
    steps = [[(j - i) / 200 + 1e-9 * (j - i) for j in range(size)] for i in range(size)]
    pre = tuple(tuple(round(0.5 + step, MET_DECIMALS) for step in row) for row in steps)
    post = tuple(round(0.5 - i / 200, MET_DECIMALS) for i in range(size))
    return Met("long", size, pre, post)


def test_a_table_too_large_for_a_context_says_how_far_it_fits() -> None:
    met = a_long_table(AWAY_MAX)
    with pytest.raises(MetError, match="has room for 7168: it fits up to 53 points to go") as error:
        met_code(met, AWAY_MAX)
    assert "at 64 points to go" in str(error.value)
    assert len(met_code(met, 53)) <= MET_CODE_CHARS_MAX
    with pytest.raises(MetError):
        met_code(met, 54)


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("kazaross", "unknown match equity table"),
        ("half.2.3.", "unknown match equity table"),
        ("half.0.3.jS3jJig", "unknown match equity table"),
        ("half.2.1.jS3jJig", "2 to 64 rows"),
        ("half.2.65.jS3jJig", "2 to 64 rows"),
        ("half.2.3.jS3jJigA", "6 values is longer or shorter"),
        ("half.2.3.jS3jJi", "values is longer or shorter"),
        ("full.2.3.jS3jJig", "12 values is longer or shorter"),
        ("half.2.3.AAAAAAA", "between 0 and 1"),
        ("half.2.3._______", "between 0 and 1"),
    ],
)
def test_a_code_that_is_none_gets_a_sentence(code: str, says: str) -> None:
    with pytest.raises(MetError, match=says):
        met_from_code(code)


def test_bits_left_over_are_zero() -> None:
    code = met_code(FAVOURITE, 3)
    assert code.endswith("Y")
    with pytest.raises(MetError, match="15 values is longer or shorter"):
        met_from_code(code[:-1] + "Z")


@given(st.text(max_size=40), st.from_regex(CODE_PATTERN, fullmatch=True))
@pytest.mark.when_changed
def test_no_text_does_anything_but_read_or_fail(text: str, code: str) -> None:
    for given_code in (text, code[:400]):
        try:
            met, player = met_from_code(given_code)
        except MetError:
            continue
        assert met_from_code(met_code(met, met.length, player))[0] == met


@pytest.mark.reference
@pytest.mark.skipif(not GNUBG_METS.exists(), reason="gnubg's match equity tables not installed")
@pytest.mark.parametrize("path", sorted(GNUBG_METS.glob("[!c]*.xml")), ids=lambda path: path.stem)
def test_every_table_that_gnubg_ships_goes_along_with_a_match_to_25(path: Path) -> None:
    met = met_from_xml(path.read_text(encoding="utf-8"))
    code = met_code(met, 25, 1)
    assert len(code) < 2000
    assert re.fullmatch(r"[A-Za-z0-9._-]+", code)
    assert_same_up_to(25, met, met_from_code(code)[0])
