"""Games over HTTP: begun with the token, watched by any reader, the same for all of them."""

import asyncio
import json
from itertools import islice

import pytest

from master.games.threes.played_frames import frames
from master.web.games.playing import FRAMES_MAX, GAMES_MAX
from tests.master.web.asgi import BEARER, JSON, WATCHED, Answer, application, asked

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
