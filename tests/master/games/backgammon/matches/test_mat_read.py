"""The rules and scores of a match, game by game."""

from dataclasses import replace

import pytest

from engine_ext.backgammon.board import START
from engine_ext.backgammon.match_state import GameState, MatchState
from master.games.backgammon.matches.mat_read import read_mat, read_mat_warned
from master.games.backgammon.matches.mat_write import write_mat
from master.games.backgammon.matches.record import (
    Action,
    Beaver,
    Double,
    Drop,
    Game,
    Match,
    Play,
    Resign,
    Result,
    Take,
)
from master.games.backgammon.matches.repairs import WITHOUT_RULE
from master.games.backgammon.matches.replay import check_match
from master.games.errors import RecordError
from tests.master.games.backgammon.matches.random_matches import random_match


def match_text(*scores: str, length: int = 3, rows: str = "  1)") -> str:
    games = [f" Game {n}\n Ann : {s[0]}   Bob : {s[2]}\n{rows}\n" for n, s in enumerate(scores, 1)]
    return f" {length} point match\n\n" + "\n".join(games)


def test_the_crawford_game_follows_from_the_scores() -> None:
    match = read_mat(match_text("0-0", "2-0", "2-1", "2-2"))
    assert [game.is_crawford for game in match.games] == [False, True, False, False]
    assert match.uses_crawford


@pytest.mark.parametrize("tag", ["", '; [Crawford "On"]\n'])
def test_a_double_in_the_crawford_game_is_read_without_the_rule_and_named(tag: str) -> None:
    doubled = "  1) 31: 8/5 6/5     Doubles => 2"
    found = read_mat_warned(tag + match_text("0-0", "2-0", rows=doubled), "m")
    match, warnings = found.match, found.warnings
    assert not match.uses_crawford
    assert not match.games[1].is_crawford
    assert warnings == (f"m: game 2: a double in the Crawford game{WITHOUT_RULE}",)


def test_a_match_that_says_it_has_no_crawford_game_is_no_reason_to_warn() -> None:
    doubled = "  1) 31: 8/5 6/5     Doubles => 2"
    text = f'; [Crawford "Off"]\n{match_text("0-0", "2-0", rows=doubled)}'
    assert read_mat_warned(text).warnings == ()
    assert read_mat_warned(match_text("0-0", "2-0")).warnings == ()


def test_a_mistake_that_is_not_of_the_rule_is_reported_as_ever() -> None:
    wrong = f'; [Crawford "On"]\n{match_text("0-0", "2-0", rows="  1) 31: 8/3")}'
    with pytest.raises(RecordError, match="m:6: Ann: illegal play"):
        read_mat(wrong, "m")


def test_a_record_that_begins_late_begins_with_the_crawford_game_unless_it_doubles() -> None:
    doubled = "  1) 31: 8/5 6/5     Doubles => 2"
    assert read_mat(match_text("2-0")).games[0].is_crawford
    match = read_mat(match_text("2-0", rows=doubled))
    assert (match.uses_crawford, match.games[0].is_crawford) == (True, False)


def test_money_rules_that_the_file_leaves_out_are_the_usual_ones_unless_played_otherwise() -> None:
    plain = read_mat(match_text("0-0", length=0))
    assert (plain.jacoby, plain.beavers, plain.uses_crawford) == (True, False, False)
    gammon = read_mat(match_text("0-0", length=0, rows="  1) 31: 8/5 6/5\n    Wins 2 points"))
    assert not gammon.jacoby
    beaver = "  1) 31: 8/5 6/5     Doubles => 2\n  2) Beavers => 4"
    assert read_mat(match_text("0-0", length=0, rows=beaver)).beavers
    rows = "  1) 31: 8/5 6/5\n    Wins 2 points"
    strict = f'; [Jacoby "On"]\n{match_text("0-0", length=0, rows=rows)}'
    with pytest.raises(RecordError, match="Jacoby rule an undoubled game counts 1, found 2"):
        read_mat(strict)


@pytest.mark.parametrize("seed", range(8))
def test_rules_follow_from_the_games_or_do_not_matter(seed: int) -> None:
    match = random_match(seed, (0, 3)[seed % 2], jacoby=seed % 4 < 2, games_max=6)
    lines = [
        line
        for line in write_mat(match).splitlines()
        if not line.startswith(("; [Crawford", "; [Jacoby", "; [Beaver"))
    ]
    assert [game.actions for game in read_mat("\n".join(lines)).games] == [
        game.actions for game in match.games
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "m: expected a line 'Game 1' with a game below it, found no game"),
        ("5 point match", "m: expected a line 'Game 1'"),
        (match_text("0-0", length=65), "m: expected at most a 64 point match, not 65"),
        (match_text("3-0"), "m:4: at 3-0 the match to 3 is already over"),
        ('; [Variation "Hyper"]\n' + match_text("0-0"), "m: expected a record of backgammon"),
    ],
)
def test_errors_name_the_line_and_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(RecordError) as error:
        read_mat(text, "m")
    assert str(error.value).startswith(message)


DROPPED = "  1) 31: 8/5 6/5     Doubles => 2\n  2) Drops"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (match_text("1-0", "0-0"), 8, "the score falls to 0-0"),
        (
            match_text("0-0", "1-0", rows=DROPPED), 9,
            "expected the score 0-1 after the game before, found 1-0",
        ),
        (match_text("0-0", "0-0") + "  1) 31: 8/3\n", 10, "Ann: illegal play"),
        (match_text("0-0", "0-0").replace("1)", "1) 31: 8/3", 1), 5, "Ann: illegal play"),
    ],
)  # fmt: skip
def test_a_bad_game_is_skipped_by_name_and_the_others_are_read(
    text: str, line: int, message: str
) -> None:
    found = read_mat_warned(text, "m")
    (skipped,) = found.skipped
    assert (skipped.line, skipped.number) == (line, 1 if line == 5 else 2)
    assert skipped.reason.startswith(message)
    assert len(found.match.games) == 2
    assert found.match.games[skipped.number - 1].actions == ()


def test_a_game_after_the_end_is_skipped_without_a_trace() -> None:
    won = "  1) 31: 8/5 6/5\n    Wins 3 points"
    found = read_mat_warned(match_text("0-0", "3-0", rows=won), "m")
    assert [skipped.number for skipped in found.skipped] == [2]
    assert len(found.match.games) == 1


def test_a_session_that_stands_at_nothing_in_each_game_is_counted_from_the_results() -> None:
    won = "  1) 31: 8/5 6/5\n    Wins 1 point"
    found = read_mat_warned(match_text("0-0", "0-0", "0-0", length=0, rows=won), "m")
    assert [game.score for game in found.match.games] == [(0, 0), (1, 0), (2, 0)]
    assert found.warnings == (
        "m: every game stands at 0 : 0; the score is counted from the results",
    )
    assert read_mat_warned(match_text("0-0", length=0, rows=won), "m").warnings == ()


def test_automatic_doubles_are_known_by_the_next_score_or_by_the_cube() -> None:
    """gnubg writes points and cube as if there had been none; others write what it showed."""
    doubled = "  1) 31: 8/5 6/5     Doubles => {}\n  2) Takes    31: 8/5 6/5\n    Wins {} points"
    left_out = match_text("0-0", "4-0", length=0, rows=doubled.format(2, 2))
    games = read_mat(left_out).games
    assert (games[0].cube, games[0].result) == (2, Result(0, 4))
    reported = match_text("0-0", "4-0", length=0, rows=doubled.format(4, 4))
    assert [game.cube for game in read_mat(reported).games] == [2, 2]


def test_a_cube_limit_of_one_is_a_match_without_a_cube() -> None:
    match = read_mat('; [Cubelimit "1"]\n' + match_text("0-0"))
    assert (match.uses_cube, match.tags) == (False, {})
    assert not read_mat(write_mat(match)).uses_cube
    limited = read_mat('; [Cubelimit "64"]\n' + match_text("0-0"))
    assert (limited.uses_cube, limited.tags) == (True, {"Cubelimit": "64"})


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


OPENING = Play(1, (3, 1), ((8, 5), (6, 5)))
REPLY = Play(0, (6, 4), ((24, 18), (18, 14)))


def rows(*actions: Action, result: Result | None = None, length: int = 5) -> list[str]:
    game = Game((0, 0), actions, result)
    text = write_mat(Match(("Ann", "Bob"), length, (game,), beavers=True))
    return text.partition("Game 1\n")[2].splitlines()


def test_the_columns_are_gnubgs() -> None:
    assert rows(OPENING, REPLY) == [
        " Ann : 0                         Bob : 0",
        "  1)                             31: 8/5 6/5",
        "  2) 64: 24/18 18/14",
    ]


def test_a_hit_is_marked_at_the_first_checker_there() -> None:
    hit = Play(0, (6, 1), ((13, 7), (8, 7)))
    blot = Play(1, (2, 1), ((24, 22), (6, 5)))
    assert rows(blot, hit)[2] == "  2) 61: 13/7 8/7"
    assert rows(Play(1, (6, 1), ((24, 18), (6, 5))), hit)[2] == "  2) 61: 13/7* 8/7"


def test_the_result_of_a_drop_on_the_left_stands_beside_it() -> None:
    dropped = rows(REPLY, Double(1), Drop(0), result=Result(1, 1))
    assert dropped[-2:] == [
        "  1) 64: 24/18 18/14              Doubles => 2",
        "  2)  Drops                       Wins 1 point",
    ]
    dropped = rows(OPENING, Double(0), Drop(1), result=Result(0, 1))
    assert dropped[-2:] == [
        "  2)  Doubles => 2                Drops",
        "      Wins 1 point",
    ]


def test_a_resignation_is_only_its_result() -> None:
    assert rows(OPENING, Resign(0, 2), result=Result(1, 2))[-2:] == [
        "  1)                             31: 8/5 6/5",
        "                                  Wins 2 points",
    ]


def test_a_beaver_has_gnubgs_word() -> None:
    assert rows(OPENING, Double(0), Beaver(1), length=0)[-1] == (
        "  2)  Doubles => 2                Beavers => 4"
    )


def test_what_the_format_cannot_say_is_refused() -> None:
    start = GameState(START, MatchState(match_length=5, player_on_roll=0))
    match = Match(("A", "B"), 5, (Game((0, 0), start=start),))
    with pytest.raises(RecordError, match="game 1 starts from a set position"):
        write_mat(match)
    broken = replace(match, games=(Game((0, 0), (OPENING, OPENING)),))
    with pytest.raises(RecordError, match="game 1, action 2"):
        write_mat(broken)
