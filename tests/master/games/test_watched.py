"""What games say of being watched is there: levels, frames, and the files of their views."""

from importlib.resources import files
from itertools import islice

import pytest

from master.games.table import fronts
from master.games.watched import WatchedGame

GAMES = {name: front.watched() for name, front in fronts() if front.watched is not None}


def test_there_is_a_game_to_watch() -> None:
    assert GAMES


@pytest.mark.parametrize("watched", GAMES.values(), ids=GAMES)
def test_what_is_said_of_a_game_is_there(watched: WatchedGame) -> None:
    assert watched.level in watched.levels
    assert watched.title
    assert watched.text
    assert watched.files[0].endswith(".js")
    for name in watched.files:
        assert (files(watched.package) / "page" / name).is_file()
    for level in watched.levels:
        for seed in (0, watched.seed_max):
            assert len([*islice(watched.begin(seed, level), 2)]) == 2
