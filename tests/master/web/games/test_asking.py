"""What is asked of games is read strictly."""

import json

import pytest

from master.web.asking import RefusedError
from master.web.games.asking import read_first, read_game, read_game_asked
from master.web.games.kinds import watched_games
from master.web.games.schemas import GAME_MAX

NAME, GAME = next(iter(watched_games().items()))
ASKED = {"game": NAME, "seed": 3, "level": GAME.level}


def test_game_is_read() -> None:
    asked = read_game_asked(json.dumps(ASKED).encode())
    assert (asked.name, asked.watched, asked.seed, asked.level) == (NAME, GAME, 3, GAME.level)


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"game": "chequers"}, "expected game, one of"),
        ({"game": 1}, "expected game"),
        ({"game": [NAME]}, "expected game"),
        ({"seed": -1}, "expected seed, a whole number from 0 to"),
        ({"seed": GAME.seed_max + 1}, "expected seed"),
        ({"seed": 1.5}, "expected seed"),
        ({"seed": True}, "expected seed"),
        ({"seed": "1"}, "expected seed"),
        ({"level": "99"}, "expected level, one of"),
        ({"level": 3}, "expected level"),
        ({"level": {}}, "expected level"),
        ({"more": 1}, "expected a JSON object with the field game, level, seed"),
    ],
)
def test_other_games_are_refused(wrong: dict[str, object], text: str) -> None:
    with pytest.raises(RefusedError, match=text) as caught:
        read_game_asked(json.dumps(ASKED | wrong).encode())
    assert caught.value.refusal.status == 422


def test_numbers_of_a_path_are_read() -> None:
    assert (read_game("1"), read_game(str(GAME_MAX))) == (1, GAME_MAX)
    assert (read_first("0", 9), read_first("9", 9)) == (0, 9)


@pytest.mark.parametrize(
    "text", ["", "0", "01", "-1", "1.0", "x", "٣", "9" * 40, f"{GAME_MAX + 1}"]
)
def test_what_is_no_number_of_a_game_is_refused(text: str) -> None:
    with pytest.raises(RefusedError) as caught:
        read_game(text)
    assert caught.value.refusal.status == 404


@pytest.mark.parametrize("text", ["", "00", "-1", "1e3", "10", "9" * 40])
def test_what_is_no_number_of_a_frame_is_refused(text: str) -> None:
    with pytest.raises(RefusedError):
        read_first(text, 9)
