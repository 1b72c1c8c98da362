"""Games over HTTP: begun with the token, watched by any reader, the same for all of them."""

import asyncio
import json
import posixpath
import re
from itertools import islice
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from master.api.site import ASSETS
from master.api.watched import (
    FORGOTTEN_S,
    FRAMES_MAX,
    GAMES_MAX,
    IDLE_S,
    NUMBER_MAX,
    PLAY_S,
    NoRoomError,
    PlayedGame,
    PlayedGames,
    asset_path,
    game_assets,
    watched_games,
)
from master.games.table import fronts
from master.games.threes.played_frames import frames
from tests.master.api.asgi import BEARER, JSON, WATCHED, Answer, application, asked
from tests.master.api.counting import CLOCK, COUNTING, LENGTH

FILES = {asset.path: asset for asset in game_assets()}
TEXTS = {path: asset.body.decode() for path, asset in FILES.items()}
NAME, GAME = next(iter(watched_games().items()))
FIRST = "/api/watched/1/frames/0"
PLAYED = json.loads(json.dumps([*islice(frames(7, "1"), FRAMES_MAX)]))


async def begun(app: object, body: bytes = WATCHED) -> Answer:
    return await asked(app, "POST", "/api/watched", BEARER | JSON, body)  # type: ignore[arg-type]


async def test_game_is_begun_and_watched() -> None:
    _, app = application()
    answer = await begun(app)
    assert (answer.status, answer.json["number"], answer.json["last"]) == (200, 1, None)
    shown = (await asked(app, "GET", FIRST)).json
    assert shown["frames"] == PLAYED
    assert (shown["first"], shown["game"]["frames"], shown["game"]["is_over"]) == (
        0, FRAMES_MAX, False,
    )  # fmt: skip
    assert (await asked(app, "GET", "/api/watched/1")).json["last"] == PLAYED[-1]


async def test_games_are_listed_with_what_can_be_watched() -> None:
    _, app = application()
    await begun(app)
    listed = (await asked(app, "GET", "/api/watched")).json
    (game,) = listed["games"]
    assert (game["number"], game["seed"], game["level"]) == (1, 7, "1")
    (kind,) = listed["kinds"]
    for path in kind["files"]:
        assert (await asked(app, "GET", path)).status == 200
    assert kind["level"] in [each["level"] for each in kind["levels"]]


async def test_many_who_watch_at_once_see_the_same() -> None:
    _, app = application()
    await begun(app)
    answers = await asyncio.gather(*(asked(app, "GET", FIRST) for _ in range(6)))
    assert all(answer.json["frames"] == PLAYED for answer in answers)


@pytest.mark.slow
async def test_game_is_watched_to_its_end() -> None:
    _, app = application()
    await begun(app)
    first = 0
    while True:
        reported = (await asked(app, "GET", f"/api/watched/1/frames/{first}")).json
        first += len(reported["frames"])
        if reported["game"]["is_over"]:
            break
    assert first == reported["game"]["frames"] == len([*frames(7, "1")])
    beyond = await asked(app, "GET", f"/api/watched/1/frames/{first + 1}")
    assert (beyond.status, beyond.json["frames"]) == (200, [])


async def test_what_cannot_be_is_refused_in_words() -> None:
    _, app = application()
    gone = await asked(app, "GET", FIRST)
    assert (gone.status, gone.json["code"]) == (404, "unknown-game")
    assert (await asked(app, "GET", "/api/watched/x")).status == 404
    assert (await begun(app, b"{}")).status == 422
    assert (await asked(app, "POST", "/api/watched", JSON, WATCHED)).status == 401
    await begun(app)
    far = await asked(app, "GET", f"/api/watched/1/frames/{10**9}")
    assert (far.status, far.json["code"]) == (404, "unknown-frame")


async def test_no_more_games_are_begun_than_may_be_watched() -> None:
    _, app = application()
    for _ in range(GAMES_MAX):
        assert (await begun(app)).status == 200
    answer = await begun(app)
    assert (answer.status, answer.json["code"]) == (409, "too-many-games")


async def test_every_game_is_begun_at_every_level_and_greatest_seed() -> None:
    for name, game in watched_games().items():
        _, app = application()
        for level in list(game.levels)[:GAMES_MAX]:
            wanted = {"game": name, "seed": game.seed_max, "level": level}
            assert (await begun(app, json.dumps(wanted).encode())).status == 200


@pytest.mark.parametrize(
    ("wrong", "text"),
    [
        ({"game": "chequers"}, "game: expected one of"),
        ({"game": 1}, "game: expected a valid string"),
        ({"game": [NAME]}, "game: expected a valid string"),
        ({"seed": -1}, "seed: expected greater than or equal to 0"),
        ({"seed": GAME.seed_max + 1}, "seed: expected a whole number from 0 to"),
        ({"seed": 1.5}, "seed: expected a valid integer"),
        ({"seed": True}, "seed: expected a valid integer"),
        ({"seed": "1"}, "seed: expected a valid integer"),
        ({"level": "99"}, "level: expected one of"),
        ({"level": 3}, "level: expected a valid string"),
        ({"level": {}}, "level: expected a valid string"),
        ({"more": 1}, "more: there is no such field"),
    ],
)
async def test_other_games_are_refused(wrong: dict[str, object], text: str) -> None:
    _, app = application()
    wanted = {"game": NAME, "seed": 3, "level": GAME.level} | wrong
    answer = await begun(app, json.dumps(wanted).encode())
    assert (answer.status, answer.json["code"]) == (422, "bad-body")
    assert answer.json["text"].startswith(text)


@pytest.mark.parametrize(
    "text", ["0", "01", "-1", "1.0", "x", "\u0663", "9" * 40, f"{NUMBER_MAX}", f"{NUMBER_MAX + 1}"]
)
async def test_other_numbers_name_no_game(text: str) -> None:
    _, app = application()
    await begun(app)
    answer = await asked(app, "GET", f"/api/watched/{text}")
    assert (answer.status, answer.json["code"]) == (404, "unknown-game")


@pytest.mark.parametrize("text", ["00", "-1", "1e3", f"{GAME.frame_max + 1}", "9" * 40])
async def test_other_numbers_name_no_frame(text: str) -> None:
    _, app = application()
    await begun(app)
    answer = await asked(app, "GET", f"/api/watched/1/frames/{text}")
    assert (answer.status, answer.json["code"]) == (404, "unknown-frame")


def test_games_are_those_of_the_fronts() -> None:
    assert [*watched_games()] == [name for name, front in fronts() if front.watched]


def test_files_have_places_of_their_own() -> None:
    assert FILES
    assert not set(FILES) & {asset.path for asset in ASSETS}
    for watched in watched_games().values():
        assert {asset_path(name) for name in watched.files} <= set(FILES)


@pytest.mark.parametrize("path", FILES)
def test_types_are_those_that_browsers_take(path: str) -> None:
    known = {"js": "text/javascript", "css": "text/css"}
    assert FILES[path].media.startswith(known[path.rpartition(".")[2]])


@pytest.mark.parametrize("path", FILES)
def test_files_put_in_text_alone_and_ask_nothing_of_elsewhere(path: str) -> None:
    html = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|Function\("
    assert re.findall(html, TEXTS[path]) == []
    addresses = re.findall(r"(?:https?:)?//[\w.]+", re.sub(r"(?m)^\s*//.*$", "", TEXTS[path]))
    assert [found for found in addresses if found != "http://www.w3.org"] == []


@pytest.mark.parametrize("path", FILES)
def test_imports_are_served(path: str) -> None:
    served = {*FILES, *(asset.path for asset in ASSETS)}
    for imported in re.findall(r'from "(\.\.?/[\w./]+)"', TEXTS[path]):
        assert posixpath.normpath(posixpath.join("/games", imported)) in served


def begun_game(games: PlayedGames, seed: int = 0, now: float = 0.0) -> PlayedGame:
    return games.begin("counting", COUNTING, seed, "easy", now)


@settings(max_examples=40)
@given(st.lists(st.integers(0, LENGTH + 10), max_size=20), st.integers(0, 300))
def test_any_way_of_asking_shows_the_same_frames(firsts: list[int], seed: int) -> None:
    game = begun_game(PlayedGames(), seed)
    for first in firsts:
        found = game.play(first, CLOCK)
        assert len(found) <= FRAMES_MAX
        assert [frame["number"] for frame in found] == [*range(first, first + len(found))]
    assert [frame["number"] for frame in game.frames] == [*range(len(game.frames))]


def test_game_is_played_no_further_than_it_is_asked_for() -> None:
    game = begun_game(PlayedGames())
    assert len(game.play(0, CLOCK)) == len(game.frames) == FRAMES_MAX
    game.play(10, CLOCK)
    assert len(game.frames) == FRAMES_MAX + 10
    assert not game.is_over


def test_slow_game_is_answered_in_time_and_goes_on_at_each_question() -> None:
    game = begun_game(PlayedGames(), seed=50)
    assert len(game.play(0, CLOCK)) == ceil(PLAY_S * 1024 / 50)
    slower = begun_game(PlayedGames(), seed=5_000)
    assert [len(slower.play(0, CLOCK)) for _ in range(3)] == [1, 2, 3]


def test_game_ends() -> None:
    game = begun_game(PlayedGames())
    first = 0
    while not game.is_over:
        first += len(game.play(first, CLOCK))
    assert first == LENGTH
    assert game.play(LENGTH, CLOCK) == []


def test_games_that_are_watched_stay_and_one_that_is_not_makes_room() -> None:
    games = PlayedGames()
    for _ in range(GAMES_MAX):
        begun_game(games)
    games.get(1, IDLE_S / 2)
    with pytest.raises(NoRoomError, match=f"{GAMES_MAX} games are watched already"):
        begun_game(games, now=IDLE_S - 1)
    newest = begun_game(games, now=IDLE_S)
    there = [game.number for game in games.all(IDLE_S)]
    assert there == [1, *range(3, GAMES_MAX + 1), newest.number]
    assert games.get(2, IDLE_S) is None


def test_game_that_nobody_watches_is_forgotten() -> None:
    games = PlayedGames()
    begun_game(games)
    assert games.get(1, FORGOTTEN_S - 1) is not None
    assert games.get(1, 2 * FORGOTTEN_S - 2) is not None
    assert games.all(3 * FORGOTTEN_S) == []
    assert games.get(1, 3 * FORGOTTEN_S) is None
    assert begun_game(games).number == 2
