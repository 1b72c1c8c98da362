import pytest

from master.games.backgammon.matches.mat_lines import Cell, cut, shown
from master.games.errors import RecordError

HEAD = " 5 point match\n\n Game 1\n Ann : 0      Bob : 0\n"


def columns(rows: str) -> list[tuple[int, str]]:
    [game] = cut(HEAD + rows, "x").games
    return [(cell.column, cell.text) for cell in game.cells]


def test_a_rows_two_cells_are_left_and_right_however_close_they_stand() -> None:
    assert columns("  1) 31: 8/5 6/5 42: 8/4 6/4") == [(0, "31: 8/5 6/5"), (1, "42: 8/4 6/4")]
    assert columns("1)31: 8/5\t42:") == [(0, "31: 8/5"), (1, "42:")]


def test_a_single_cell_is_right_if_it_is_far_from_the_number() -> None:
    assert columns("  1)                   31: 8/5 6/5") == [(1, "31: 8/5 6/5")]
    assert columns("1)\t\t31: 8/5 6/5") == [(1, "31: 8/5 6/5")]
    assert columns(" 10)  Doubles => 2") == [(0, "Doubles => 2")]
    assert columns("      Wins 1 point") == [(0, "Wins 1 point")]
    assert columns("                    Wins 1 point") == [(1, "Wins 1 point")]


def test_only_a_cell_alone_in_a_numbered_row_is_sure_of_its_column() -> None:
    [game] = cut(f"{HEAD} 1) 31:   Wins 1 point\n 2)  Drops\n   Wins 1 point", "x").games
    assert [cell.is_sure for cell in game.cells] == [False, False, True, False]
    assert game.cells[2] == Cell(0, "Drops", 6)


def test_empty_rows_and_comments_are_no_cells() -> None:
    assert columns("  1)\n\n; nothing here\n  2)   \n") == []


def test_names_may_hold_blanks_digits_and_signs() -> None:
    text = "0 point match\nGame 1\n Player 2 : 12       XG Roller+: 3\n"
    [game] = cut(text, "x").games
    assert (game.names, game.score) == (("Player 2", "XG Roller+"), (12, 3))


def test_the_length_may_be_said_in_several_ways() -> None:
    for line, length in (
        (" 5 point match", 5),
        ("13 points match", 13),
        ("0 point match", 0),
        ("Money session", 0),
        ("Unlimited match", 0),
    ):
        assert cut(f"{line}\n", "x").length == length


def test_tags_comments_and_boxes_of_remarks_are_kept() -> None:
    text = '\ufeff; [Event "A "cup""]\r\n;free words\r\n+---+\r\n| Paris |\r\n'
    assert cut(text, "x").tags == [
        ("Event", 'A "cup"'),
        ("Comment", "free words"),
        ("Comment", ""),
        ("Comment", "Paris"),
    ]


def test_set_positions_are_kept_with_their_place() -> None:
    [game] = cut(f"{HEAD} 1) 31: 8/5 6/5\n; Set Pos=abc/0\n", "x").games
    assert game.positions == [(1, 6, "abc/0")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Game 1\n", "x:1: expected the match length, as '5 point match', before"),
        (
            "hello\n",
            "x:1: expected the match length, as '5 point match', or 'Game 1', found 'hello'",
        ),
        ("5 point match\nGame 1\n", "x:2: expected the score line of the game, found the end"),
        ("5 point match\nGame 1\nAnn\n", "x:3: expected the score line, as 'Ann : 0"),
        (HEAD + "hello", "x:5: expected a move, an action or a game, found 'hello'"),
        (HEAD + " 1) hello", "x:5: expected a roll or an action, found 'hello'"),
        (HEAD + " 1) x 31: 8/5", "x:5: expected a roll or an action, found 'x 31: 8/5'"),
        (HEAD + " 1) 31: 31: 31: 31:", "x:5: expected two columns, found 4 entries"),
        ("; Set Pos=abc", "x:1: expected a game before its Set Pos"),
        ("x" * 3000, "x:1: a line has at most 2000 characters"),
    ],
)
def test_errors_name_the_line_and_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(RecordError) as error:
        cut(text, "x")
    assert str(error.value).startswith(message)


def test_what_was_found_is_shown_in_short_on_one_line() -> None:
    assert shown("a\n  b") == "'a b'"
    assert len(shown("x" * 1000)) < 70
