"""Games that are watched: played as far as they are asked for, a few at a time, forgotten later."""

from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from master.api.played_games import (
    FORGOTTEN_S,
    FRAMES_MAX,
    GAMES_MAX,
    IDLE_S,
    PLAY_S,
    NoRoomError,
    PlayedGame,
    PlayedGames,
)
from tests.master.api.counting import CLOCK, COUNTING, LENGTH


def begun(games: PlayedGames, seed: int = 0, now: float = 0.0) -> PlayedGame:
    return games.begin("counting", COUNTING, seed, "easy", now)


@settings(max_examples=40)
@given(st.lists(st.integers(0, LENGTH + 10), max_size=20), st.integers(0, 300))
def test_any_way_of_asking_shows_the_same_frames(firsts: list[int], seed: int) -> None:
    game = begun(PlayedGames(), seed)
    for first in firsts:
        found = game.play(first, CLOCK)
        assert len(found) <= FRAMES_MAX
        assert [frame["number"] for frame in found] == [*range(first, first + len(found))]
    assert [frame["number"] for frame in game.frames] == [*range(len(game.frames))]


def test_game_is_played_no_further_than_it_is_asked_for() -> None:
    game = begun(PlayedGames())
    assert len(game.play(0, CLOCK)) == len(game.frames) == FRAMES_MAX
    game.play(10, CLOCK)
    assert len(game.frames) == FRAMES_MAX + 10
    assert not game.is_over


def test_slow_game_is_answered_in_time_and_goes_on_at_each_question() -> None:
    game = begun(PlayedGames(), seed=50)
    assert len(game.play(0, CLOCK)) == ceil(PLAY_S * 1024 / 50)
    slower = begun(PlayedGames(), seed=5_000)
    assert [len(slower.play(0, CLOCK)) for _ in range(3)] == [1, 2, 3]


def test_game_ends() -> None:
    game = begun(PlayedGames())
    first = 0
    while not game.is_over:
        first += len(game.play(first, CLOCK))
    assert first == LENGTH
    assert game.play(LENGTH, CLOCK) == []


def test_games_that_are_watched_stay_and_one_that_is_not_makes_room() -> None:
    games = PlayedGames()
    for _ in range(GAMES_MAX):
        begun(games)
    games.get(1, IDLE_S / 2)
    with pytest.raises(NoRoomError, match=f"{GAMES_MAX} games are watched already"):
        begun(games, now=IDLE_S - 1)
    newest = begun(games, now=IDLE_S)
    there = [game.number for game in games.all(IDLE_S)]
    assert there == [1, *range(3, GAMES_MAX + 1), newest.number]
    assert games.get(2, IDLE_S) is None


def test_game_that_nobody_watches_is_forgotten() -> None:
    games = PlayedGames()
    begun(games)
    assert games.get(1, FORGOTTEN_S - 1) is not None
    assert games.get(1, 2 * FORGOTTEN_S - 2) is not None
    assert games.all(3 * FORGOTTEN_S) == []
    assert games.get(1, 3 * FORGOTTEN_S) is None
    assert begun(games).number == 2
