"""The table of games: all fronts are there, and other games have an empty one."""

from master.games.front import Front
from master.games.table import GAMES, front_of, fronts


def test_fronts_are_those_of_the_table() -> None:
    assert dict(fronts()) == GAMES
    assert [front_of(game) for game in GAMES] == [*GAMES.values()]


def test_game_that_nobody_plays_has_an_empty_front() -> None:
    assert front_of("noop") == Front()
