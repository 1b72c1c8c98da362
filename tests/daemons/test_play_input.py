"""What each game of `manyply play` makes of an input that is not as it should be."""

import asyncio
from typing import Any

import pytest

from tests.daemons.analyser_programs import started
from tests.daemons.command_line import MANYPLY, Home, rest_of
from tests.daemons.person import PIPE, Person

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

BACKGAMMON = ("play", "--name", "Ann", "--plies", "0", "--analysis-plies", "0", "--local", "1")
OTHELLO = ("play", "othello", "--name", "Ann", "--depth", "3", "--exact", "6")


@pytest.mark.parametrize("game", [BACKGAMMON, OTHELLO], ids=["backgammon", "othello"])
@pytest.mark.when_changed
async def test_a_closed_input_is_the_end_of_it(home: Home, game: tuple[str, ...]) -> None:
    closing = ("sh", "-c", 'exec "$@" <&-', "sh", *MANYPLY, *game)
    pipes: dict[str, Any] = {"stdout": asyncio.subprocess.PIPE, "env": home.environ}
    async with started(*closing, **pipes) as process:
        ended = await rest_of(process)
    assert (ended.code, ended.complaint) == (0, "")


@pytest.mark.parametrize(
    ("game", "expected"),
    [
        pytest.param(BACKGAMMON, "is no command and no move", id="backgammon"),
        pytest.param(OTHELLO, "is no command and no square", id="othello"),
    ],
)
@pytest.mark.when_changed
async def test_a_byte_of_another_encoding_is_a_mistyped_line(
    home: Home, game: tuple[str, ...], expected: str
) -> None:
    strict = home.environ | {"PYTHONIOENCODING": "utf-8:strict"}
    async with home.running(*game, **PIPE, env=strict) as process:
        person = Person(process)
        await person.prompt()
        assert process.stdin is not None
        process.stdin.write(b"\xe4\n")
        assert expected in await person.prompt()
        assert (await person.leave()).code == 0
