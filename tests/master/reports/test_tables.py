"""Tables and texts that fit a width."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.reports.tables import (
    aligned,
    fitting,
    paragraph,
    shortened,
    stacked,
    table_blocks,
    table_width,
    wrapped,
)
from master.reports.texts import counted, printable, signed, unsigned

TABLE = [
    ("", "Move", "Equity", "Diff", "Win", "W g"),
    ("1.", "8/5 6/5", "+0.2079", "", "55.40%", "17.20%"),
    ("2.", "24/23 13/10", "-0.0111", "-0.2190", "49.71%", "13.67%"),
]
DROPS = (("W g",), ("Win",))
TEXTS = st.text(st.sampled_from("ab "), max_size=200)


def test_columns_line_up() -> None:
    assert aligned([("a", "1"), ("bcd", "23")], left=(0,)) == ["a     1", "bcd  23"]


def test_where_there_is_no_terminal_a_table_is_whole() -> None:
    assert table_blocks(TABLE, (0, 1), None, drops=DROPS) == [aligned(TABLE, (0, 1))]
    assert table_blocks(TABLE, (0, 1), table_width(TABLE), drops=DROPS) == [aligned(TABLE, (0, 1))]


@pytest.mark.parametrize(
    ("width", "headings"),
    [(48, ["Move", "Equity", "Diff", "Win"]), (40, ["Move", "Equity", "Diff"])],
)
def test_columns_are_left_out_in_their_order(width: int, headings: list[str]) -> None:
    (block,) = table_blocks(TABLE, (0, 1), width, drops=DROPS)
    assert block[0].split() == headings
    assert block[2].startswith("2.  24/23 13/10  -0.0111  -0.2190")


def test_columns_that_must_stay_go_below_each_other_beside_the_first_one() -> None:
    rows = [("who", "one", "two", "three", "four"), ("Ann", "1", "2", "3", "4")]
    assert table_blocks(rows, (0,), 17, groups=(2, 2)) == [
        ["who  one  two", "Ann    1    2"],
        ["who  three  four", "Ann      3     4"],
    ]
    assert table_blocks(rows, (0,), 15, groups=(2, 2)) == [
        ["who  one  two", "Ann    1    2"],
        ["who  three", "Ann      3"],
        ["who  four", "Ann     4"],
    ]


def test_a_cell_that_is_too_wide_goes_on_below_itself() -> None:
    rows = [("", ""), ("cpu", "a processor of many words"), ("rate", "12")]
    assert table_blocks(rows, (0,), 20) == [
        ["", "cpu   a processor of", "          many words", "rate              12"]
    ]


def test_texts_stand_below_their_rows() -> None:
    heads = [("Job", "State"), ("1", "done")]
    lines = stacked(heads, [("some words that go on", "", "ID")], (1,), 20)
    assert lines == ["Job  State", "  1  done", "     some words that", "     go on", "     ID"]


def test_a_line_goes_on_below_its_own_words() -> None:
    assert wrapped("  one two three", 11) == ["  one two", "    three"]
    assert wrapped("save F    a copy of it", 16) == ["save F    a copy", "          of it"]
    assert wrapped("One is.  Two is not.", 14) == ["One is.  Two", "  is not."]


def test_a_last_column_without_room_beside_it_is_not_gone_on_below() -> None:
    assert wrapped("aa aa  aa  aa aa   aa", 20) == ["aa aa  aa  aa aa", "  aa"]


def test_a_word_that_is_wider_than_the_terminal_stays_whole() -> None:
    assert wrapped("Saved as /a/b-c/long.sgf", 10) == ["Saved as", "  /a/b-c/long.sgf"]


@given(TEXTS, st.integers(20, 60))
def test_no_word_is_lost_and_no_line_too_wide(text: str, width: int) -> None:
    lines = wrapped(text, width)
    assert " ".join(lines).split() == text.split()
    longest = max(map(len, text.split()), default=0)
    assert all(len(line) <= width or longest + 4 > width // 3 for line in lines)
    assert wrapped(text, None) == [text]


def test_lines_of_prose_are_one_paragraph_where_they_do_not_fit() -> None:
    lines = ("one two three", "four")
    assert paragraph(lines, None) == paragraph(lines, 13) == list(lines)
    assert paragraph(lines, 10) == ["one two", "three four"]


def test_pieces_of_a_line_are_left_out_from_its_end() -> None:
    pieces = ("name", " 12/s", " far away")
    assert [len(fitting(pieces, width)) for width in (18, 17, 9, 8, 1)] == [3, 2, 2, 1, 1]


def test_what_is_cut_says_so() -> None:
    assert [shortened("refused", width) for width in (7, 6, 3, 1)] == [
        "refused", "ref...", "...", ".",
    ]  # fmt: skip


def test_equities_have_their_sign() -> None:
    assert [signed(0.5), signed(-0.25, 2), signed(0.0)] == ["+0.5000", "-0.25", "+0.0000"]


def test_what_is_not_known_takes_its_place() -> None:
    assert [unsigned(0.25), unsigned(None)] == ["0.2500", "     -"]


def test_a_name_cannot_steer_the_terminal() -> None:
    assert printable("A\x1b[2Jnn\u0000") == "A?[2Jnn?"
    assert printable("Zoë") == "Zoë"


def test_one_thing_is_counted_as_one() -> None:
    texts = [counted(count, "part") for count in (0, 1, 1200)]
    assert texts == ["0 parts", "1 part", "1,200 parts"]


def test_what_rounds_to_zero_has_no_minus() -> None:
    """Variance reduction gives chances of -0.00001."""
    assert (signed(-0.00001), signed(-0.0), signed(-0.0004, 3)) == ("+0.0000", "+0.0000", "+0.000")
    assert (unsigned(-0.00001), unsigned(-0.0001)) == ("0.0000", "-0.0001")
