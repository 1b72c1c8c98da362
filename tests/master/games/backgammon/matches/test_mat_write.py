"""The layout that gnubg and others expect."""

from dataclasses import replace

import pytest

from engine_ext.backgammon.board import START
from engine_ext.backgammon.match_state import GameState, MatchState
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
)
from master.games.errors import RecordError

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
