"""What cells mean, and how games end when nobody bears off."""

import pytest

from master.games.backgammon.matches.mat_read import read_mat_warned
from master.games.backgammon.matches.record import (
    Action,
    Beaver,
    Double,
    Drop,
    Game,
    Play,
    Resign,
    Result,
    Take,
)
from master.games.backgammon.matches.replay import check_match
from master.games.errors import RecordError

ANN_OPENS = "  1) 31: 8/5 6/5              \n"


def game(rows: str, length: int = 5, after: str = "", head: str = "") -> Game:
    text = f"{head}{length} point match\n Game 1\n Ann : 0   Bob : 0\n{rows}\n{after}"
    found = read_mat_warned(text, "x")
    for skipped in found.skipped:
        raise RecordError(skipped.reason)
    check_match(found.match)
    return found.match.games[0]


def tail(rows: str, **options: object) -> tuple[Action, ...]:
    return game(ANN_OPENS + rows, **options).actions[1:]  # type: ignore[arg-type]


def complaint(rows: str, length: int = 5, after: str = "") -> str:
    with pytest.raises(RecordError) as error:
        game(rows, length, after)
    return str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "13/10 6/5",
        "6/5 13/10",
        "13/10, 6/5",
        "13/10* 6/5",
    ],
)
def test_a_move_may_be_written_in_many_ways_but_hits_must_be_there(text: str) -> None:
    rows = f"  1) 31: {text}"
    if "*" in text:
        assert "there is no blot to hit on point 10" in complaint(rows)
    else:
        assert game(rows).actions == (Play(0, (3, 1), ((13, 10), (6, 5))),)


def test_bar_and_off_have_names_and_numbers() -> None:
    rows = "  1) 21: 13/11 6/5       64: 24/20* 24/18\n  2) 61: {}/24 13/7*   63:"
    played = [game(rows.format(bar)).actions[2] for bar in ("25", "bar", "Bar")]
    assert played == [Play(0, (6, 1), ((25, 24), (13, 7)))] * 3


def test_repeated_and_chained_steps_are_one_checkers_each() -> None:
    long = game("  1)                     21: 13/11 6/5\n  2) 66: 24/18 24/18 13/7 13/7").actions[1]
    short = game("  1)                     21: 13/11 6/5\n  2) 66: 24/18(2) 13/7(2)").actions[1]
    assert long == short
    chained = game("  1) 65: 24/13").actions
    assert chained == game("  1) 65: 24/18 18/13").actions == game("  1) 56: 24/18/13").actions


def test_a_die_without_a_checker_left_may_be_written_as_nothing() -> None:
    assert game("  1) 31: 8/5 6/5 0/0").actions == (Play(0, (3, 1), ((8, 5), (6, 5))),)


def test_cube_actions_by_their_words() -> None:
    for double in ("Doubles => 2", "Doubles ==> 2", "doubles", "Redoubles => 2"):
        for take in ("Takes", "Accepts"):
            assert tail(f"  2)           {double}\n  3)  {take}") == (Double(1), Take(0))
    assert tail("  2)            Doubles => 2\n  3)  Drops         Wins 1 point") == (
        Double(1),
        Drop(0),
    )


def test_a_beaver_has_its_word_or_is_a_double_of_a_double() -> None:
    for rows in (
        "  3) Beavers => 4\n",
        "  3) Doubles => 4\n",
        "  3) Doubles => 4         Takes\n",
    ):
        found = tail(f"  2)            Doubles => 2\n{rows}", length=0)
        assert found == (Double(1), Beaver(0))
    passed = "  2)             Doubles => 2\n  3) Beavers => 4     Drops\n"
    assert "a passed beaver cannot be kept" in complaint(ANN_OPENS + passed, length=0)
    assert "a beaver of a beaver" in complaint(
        f"{ANN_OPENS}  2)             Doubles => 2\n  3) Beavers     Raccoons", 0
    )


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("  2)            Doubles => 4", "x:5: Bob: expected the cube to go to 2, found 4"),
        ("  2)            Takes", "x:5: Bob: nothing was doubled: expected a roll or a double"),
        ("  2) 31: 8/5 6/5", "x:5: Ann: it is player 1's turn"),
        ("  2)            71: 8/7", "x:5: Bob: expected two dice from 1 to 6, found 71"),
        ("  2)            41: 8/4 8/6", "x:5: Bob: illegal play with 41: 8/4 8/6"),
        ("  2)            41: Illegal play", "x:5: Bob: expected a legal move of 41, found an ill"),
        ("  2)            41: Cannot Move", "x:5: Bob: expected a move: 24/23 13/9 is possible"),
        ("  2)            41: 8/4 what", "x:5: Bob: illegal play with 41: 'what' is not a checker"),
        ("  2)            Takes it", "x:5: Bob: expected a roll, a cube action or a result"),
        (
            "  2)            41:\n  3) 31: 8/5 6/5",
            "x:5: Bob: expected the move of 41 that was played, found none",
        ),
        (
            "  2)            41: ????\n  3) 31: 8/5 6/5",
            "x:5: Bob: expected the move of 41 that was played, found '????'",
        ),
        ("  2)            Doubles\n  3) 31: 8/5 6/5", "x:6: Ann: expected a take, a beaver or"),
    ],
)
def test_what_cannot_be_is_an_error_that_names_line_and_player(row: str, words: str) -> None:
    assert complaint(ANN_OPENS + row).startswith(words)


def test_a_resignation_is_the_result_that_the_actions_leave_open() -> None:
    assert tail("      Wins 2 points") == (Resign(1, 2),)
    assert tail("                                    Wins 1 point") == (Resign(0, 1),)
    assert tail("  2)             41: ????\n     Wins 1 point") == (
        Play(1, (4, 1), ()),
        Resign(1, 1),
    )
    assert tail("  2)             41:\n     Wins 1 point") == (Play(1, (4, 1), ()), Resign(1, 1))
    assert tail("  2)             00: ????\n     Wins 1 point") == (Resign(1, 1),)


def test_a_last_roll_moved_only_in_part_is_left_unmoved() -> None:
    left = (Play(1, (6, 4), ()), Resign(1, 1))
    assert tail("  2)             64: 24/18\n     Wins 1 point") == left
    assert "it leaves a die unplayed" in complaint(f"{ANN_OPENS}  2)             64: 24/18")


def test_markers_beside_a_result_add_nothing() -> None:
    rows = "  2)           Resigned Game\n       Wins 3 points"
    assert tail(rows) == (Resign(1, 3),)
    assert tail("  2)   Wins 1 point        Losses 1 point") == (Resign(1, 1),)
    assert "expected 'Wins N points' after the resignation" in complaint(f"{ANN_OPENS}  2) Resigns")


def test_a_result_beside_the_last_roll_takes_the_free_column() -> None:
    after = " Game 2\n Ann : 1    Bob : 0\n"
    assert tail("  2)             41: ????   Wins 1 point", after=after)[-1] == Resign(1, 1)


def test_an_unanswered_double_that_won_its_cube_was_dropped() -> None:
    assert tail("  2)             Doubles => 2\n                  Wins 1 point") == (
        Double(1),
        Drop(0),
    )


def test_without_a_result_the_next_score_says_who_resigned() -> None:
    assert tail("", after=" Game 2\n Ann : 0    Bob : 2\n") == (Resign(0, 2),)
    assert game(ANN_OPENS, after=" Game 2\n Ann : 0    Bob : 0\n").result is None
    assert game(ANN_OPENS).result is None


def test_points_that_no_resignation_is_worth_are_an_award_only_if_they_end_the_match() -> None:
    forfeited = game("  1)           \n   Wins 5 points and the match")
    assert (forfeited.actions, forfeited.result) == ((), Result(0, 5))
    found = complaint(f"{ANN_OPENS}      Wins 4 points", 7)
    assert found == (
        "x:5: the game was left with the cube at 1: expected a result of 1, 2, 3, found 4"
    )


def test_a_result_must_be_that_of_the_actions_or_what_was_needed() -> None:
    drop = f"{ANN_OPENS}  2)             Doubles => 2\n  3) Drops\n"
    assert "expected 'Wins 1', found 'Wins 2'" in complaint(
        f"{drop}                    Wins 2 points"
    )
    assert "Bob has won, but" in complaint(f"{drop}  4) Wins 1 point")
    assert "expected one result" in complaint(f"{drop}   Wins 1 point\n   Wins 1 point")
    assert "expected nothing after" in complaint(f"{drop}   Wins 1 point\n  4) 31: 8/5 6/5")
    next_score = " Game 2\n Ann : 1   Bob : 0\n"
    assert "but by the next score Ann wins 1" in complaint(
        f"{ANN_OPENS}  2)                Wins 1 point", after=next_score
    )


def test_a_set_position_must_be_where_the_game_is() -> None:
    start = "; Set Pos=-b----E-C---eE---c-e----B-/0\n"
    assert len(game(start + ANN_OPENS).actions) == 1
    other = "; Set Pos=-a----E-C---eE---c-e----B-/0\n"
    assert "a set position cannot be read" in complaint(other + ANN_OPENS)
    assert complaint(f"; Set Pos=xyz\n{ANN_OPENS}").startswith("x:4: in Set Pos: ")
