import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon.analysis import CheckerAnalysis, CubeAnalysis, MoveAnalysis
from engine_ext.backgammon.ranking import Probs
from master.games.backgammon.matches.sgf_analysis import (
    read_exact_checker,
    read_exact_cube,
    read_number,
    read_numbers,
    write_exact_checker,
    write_exact_cube,
)
from master.games.errors import RecordError

numbers = st.floats(allow_nan=False, allow_infinity=False)
probs = st.builds(Probs, numbers, numbers, numbers, numbers, numbers)
texts = st.text(st.characters(exclude_characters="\t\v\f\r\n", codec="utf-8"), max_size=9)
errors = st.none() | numbers
moves = st.builds(MoveAnalysis, texts, texts, numbers, numbers, probs, errors)
cubes = st.builds(
    CubeAnalysis, texts, numbers, numbers, numbers, texts, numbers, probs, errors, errors
)


@st.composite
def checkers(draw: st.DrawFn) -> CheckerAnalysis:
    listed = draw(st.lists(moves, min_size=1, max_size=3))
    played = draw(st.integers(0, len(listed) - 1))
    return CheckerAnalysis(tuple(listed), played, draw(st.booleans()))


@given(checkers())
def test_moves_read_back_are_those_written(checker: CheckerAnalysis) -> None:
    assert read_exact_checker(write_exact_checker(checker)) == checker


@given(cubes)
def test_cube_read_back_is_the_one_written(cube: CubeAnalysis) -> None:
    assert read_exact_cube(write_exact_cube(cube)) == cube


@given(st.lists(st.text(st.sampled_from("0123456789.:e-\\ a"), max_size=20), min_size=1))
def test_any_values_are_read_or_refused(values: list[str]) -> None:
    for read in (lambda: read_exact_checker(values), lambda: read_exact_cube(values[0])):
        try:
            read()
        except RecordError:
            continue


@pytest.mark.parametrize("head", ["1:0", "0", "0:2", "a:0", "0:0:0"])
def test_played_move_must_be_listed(head: str) -> None:
    move = "8/5:0-ply:0 0 0 0 0 0 0:"
    assert read_exact_checker(["0:1", move]).is_forced
    with pytest.raises(RecordError, match=r"expected XA\[played:0 or 1\]"):
        read_exact_checker([head, move])


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("a:b", "expected 5 parts between colons in XD, found 2"),
        ("a:b:1 2::", "expected 9 numbers, found 2"),
        ("a:b:1 2 3 4 5 6 7 8 9:x:", "expected a number, not 'x'"),
    ],
)
def test_other_counts_of_fields_are_refused(value: str, error: str) -> None:
    with pytest.raises(RecordError, match=error):
        read_exact_cube(value)


@pytest.mark.parametrize("word", ["", "x", "nan", "inf", "-inf"])
def test_only_finite_numbers_are_read(word: str) -> None:
    with pytest.raises(RecordError, match="expected a number"):
        read_number(word)


def test_numbers_are_counted() -> None:
    assert read_numbers(["1", "-2.5e-3"], 2) == (1.0, -0.0025)
    with pytest.raises(RecordError, match="expected 3 numbers, found 1"):
        read_numbers(["1"], 3)
