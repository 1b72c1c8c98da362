"""Games of a file: chosen numbers, skipped ones, and the errors that name their place."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.contract.errors import MasterError
from master.games.backgammon.matches.mat_read import read_mat_warned
from master.games.backgammon.matches.sgf_read import read_sgf
from master.games.errors import AskedError, RecordError
from master.games.skipped import KEPT_MAX, SPANS_MAX, GameNumbers, SkippedGame, SkippedGames


def test_a_skipped_game_is_named_by_file_number_and_line() -> None:
    game = SkippedGame(3, "a king may play Ke2", 40)
    assert game.text("club.pgn") == "club.pgn, game 3, line 40: a king may play Ke2; skipped"
    assert game.report() == {"number": 3, "line": 40, "reason": "a king may play Ke2"}
    assert SkippedGame(3, "why").text("a.wtb") == "a.wtb, game 3: why; skipped"


def test_all_are_counted_and_the_first_are_kept() -> None:
    skipped = SkippedGames("club.pgn")
    named = [skipped.add(SkippedGame(number, "why")) for number in range(1, KEPT_MAX + 3)]
    assert named == [True] * KEPT_MAX + [False] * 2
    assert skipped.report()["skipped_count"] == skipped.count == KEPT_MAX + 2
    assert skipped.summary(7) == (
        "club.pgn: 1,002 games skipped, the first 1,000 of them named; 7 read"
    )


spans = st.lists(
    st.tuples(st.integers(1, 60), st.integers(0, 9)).map(lambda pair: (pair[0], sum(pair))),
    min_size=1, max_size=8,
)  # fmt: skip


@given(spans)
def test_chosen_numbers_are_those_of_the_spans(chosen: list[tuple[int, int]]) -> None:
    numbers = GameNumbers.from_text(",".join(f"{first}-{last}" for first, last in chosen))
    expected = {number for first, last in chosen for number in range(first, last + 1)}
    assert {number for number in range(100) if number in numbers} == expected
    assert numbers.last == max(expected)
    assert list(numbers.spans) == sorted(numbers.spans)


def test_spans_may_be_of_millions() -> None:
    numbers = GameNumbers.from_text("700, 1-900000000")
    assert numbers.spans == ((1, 900_000_000),)


@pytest.mark.parametrize("text", ["", "0", "3-1", "a", "1,,2", "-", "1-2-3", "²", "9" * 10])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected numbers of games from 1 on"):
        GameNumbers.from_text(text)
    with pytest.raises(ValueError, match="expected at most"):
        GameNumbers.from_text(",".join(["1"] * (SPANS_MAX + 1)))


MAT_LIKE = st.lists(
    st.sampled_from(
        ["; [Site \"x\"]", " 3 point match", " Game 1", " Ann : 0  Bob : 0", "  1) 31: 8/5 6/5",
         "  1) Doubles => 2   Takes", "      Wins 1 point", "  1) 66: 24/1", ""]
    ),
    max_size=9,
).map("\n".join)  # fmt: skip
SGF_LIKE = st.text("(;)[]FGM6BWU314:\\ \n", max_size=60)


def error_of(read: Callable[[str, str], object], text: str) -> str | None:
    """Return what is wrong with a record; None where nothing is."""
    try:
        read(text, "a file")
    except RecordError as error:
        return str(error)
    return None


@given(MAT_LIKE)
def test_lines_that_look_like_a_match_are_one_or_are_named_in_one_line(text: str) -> None:
    error = error_of(read_mat_warned, text)
    assert error is None or ("\n" not in error and error.startswith("a file:"))


@given(SGF_LIKE)
def test_text_that_looks_like_a_tree_is_one_or_is_named_in_one_line(text: str) -> None:
    error = error_of(read_sgf, text)
    assert error is None or ("\n" not in error and error.startswith("a file:"))


@pytest.mark.parametrize("error", [RecordError, AskedError])
def test_wrong_record_or_question_is_a_wrong_value_and_no_refusal_of_a_master(
    error: type[Exception],
) -> None:
    assert issubclass(error, ValueError)
    assert not issubclass(error, MasterError)
    assert not issubclass(error, UnicodeError), "which has more than a text"


@pytest.mark.parametrize(
    ("text", "count", "beyond"), [("1-3", 3, None), ("5-9", 2, 5), ("1-9", 4, 5), ("2,7-9", 7, 8)]
)
def test_first_number_beyond_a_count_is_found(text: str, count: int, beyond: int | None) -> None:
    assert GameNumbers.from_text(text).first_beyond(count) == beyond
