"""`manyply bench levels`: each level against the next one, in words and as JSON."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.bench import levels_command as module
from master.cli.errors import CommandError
from master.games.opponents import LEVELS, LevelGames


class Rank:
    """A level whose results follow from its place alone."""

    def __init__(self, place: int) -> None:
        self.place = place
        self.text = f"place {place}"


def _pair(first: Rank, second: Rank, seed: int, number: int) -> tuple[float, float]:
    assert second.place == first.place + 1
    return (0.0, 1.0) if (seed + number) % 2 else (0.5, 0.0)


RANKS = {level: Rank(place) for place, level in enumerate(LEVELS)}


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["bench", "levels", *args])


@pytest.fixture
def games(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {"chess": LevelGames(RANKS, _pair), "backgammon": LevelGames(RANKS, _pair, True)}
    monkeypatch.setattr(module, "_games_of", known.__getitem__)


@pytest.mark.usefixtures("games")
def test_every_level_but_the_strongest_is_measured_against_the_next() -> None:
    result = json.loads(ran("chess", "--games", "8", "--json").stdout)
    assert result["game"] == "chess"
    assert [(each["level"], each["against"]) for each in result["levels"]] == list(pairwise(LEVELS))
    first = result["levels"][0]
    assert (first["games"], first["score"], first["settings"]) == (8, 0.375, "place 0")
    assert first["elo_low"] < first["elo"] < 0
    assert round(first["elo"]) == -89


def test_an_infinite_elo_is_null_in_json(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = LevelGames(RANKS, lambda *_: (0.0, 0.0))
    monkeypatch.setattr(module, "_games_of", {"chess": lost}.__getitem__)
    options = ("chess", "--games", "4", "--level", "club")
    (club,) = json.loads(ran(*options, "--json").stdout)["levels"]
    assert club["score"] == 0
    assert club["elo"] is club["elo_low"] is club["elo_high"] is None
    assert "-inf" in ran(*options).stdout


@pytest.mark.usefixtures("games")
def test_a_table_has_a_row_for_each_level() -> None:
    title, headings, *rows = ran("chess", "--games", "7").stdout.splitlines()
    assert title == "chess, each level against the next, 8 games"
    assert headings.split() == ["Level", "Settings", "Score", "Elo", "95", "%"]
    assert [row.split()[0] for row in rows if row.strip()] == list(LEVELS[:-1])
    assert " 37.5%  -89 " in rows[0]


@pytest.mark.usefixtures("games")
def test_backgammon_is_measured_in_points() -> None:
    known = json.loads(ran("backgammon", "--games", "4", "--level", "club", "--json").stdout)
    (club,) = known["levels"]
    assert (club["level"], club["against"]) == ("club", "advanced")
    assert (club["points_per_game"], club["std_error"]) == (0.375, 0.125)
    assert "Points a game" in ran("backgammon", "--games", "4", "--level", "club").stdout


def test_a_game_without_opponents_is_named() -> None:
    error = ran("threes").exception
    assert isinstance(error, CommandError)
    assert str(error) == "expected one of backgammon, othello, chess, not 'threes'"


@pytest.mark.slow
@pytest.mark.parametrize("game", ["backgammon", "chess", "othello"])
def test_the_same_seed_is_the_same_table(game: str) -> None:
    asked = (game, "--games", "2", "--level", "beginner", "--seed", "3")
    first = ran(*asked)
    assert first.exit_code == 0, first.output
    assert ran(*asked).stdout == first.stdout
