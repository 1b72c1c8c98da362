"""The rules and scores of a match, game by game."""

import pytest

from master.games.backgammon.matches.mat_read import read_mat, read_mat_warned
from master.games.backgammon.matches.mat_write import write_mat
from master.games.backgammon.matches.record import Result
from master.games.backgammon.matches.repairs import WITHOUT_RULE
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


def test_a_mistake_that_is_not_of_the_rule_is_told_as_ever() -> None:
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
def test_rules_can_be_told_from_the_games_or_do_not_matter(seed: int) -> None:
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
