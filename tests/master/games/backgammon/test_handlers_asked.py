"""What is answered is what the commands print with --json, whoever answers."""

import json
from typing import Any

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.games.backgammon.handlers import QUESTIONS
from master.games.backgammon.typed import read_id
from master.games.errors import AskedError
from tests.master.games.askers import Answering

OPENING = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10"
LATE = "XGID=-BBBBBB------------bbbbbb-:1:1:1:00:2:3:0:7:10"
CROWDED = "XGID=-a-B--C-BB--dE---c-e----A-:0:0:1:00:0:0:3:0:10"
OVER = "/38AAAAAAAAAAA"
ACTIONS = {action.name: action for action in QUESTIONS}
COMMANDS = {
    "evaluate": ("eval",),
    "moves": ("move",),
    "rolls": ("move", "--all-rolls"),
    "cube": ("cube",),
}


async def answered(name: str, text: str, **given: object) -> tuple[Any, Answering]:
    action, asker, state = ACTIONS[name], Answering(), read_id(text)
    assert action.ask is not None
    report = await action.ask(asker.ask, state, action.settings(given, state))
    return json.loads(json.dumps(report)), asker


def printed(*words: str) -> Any:
    result = CliRunner().invoke(manyply, [*words, "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return json.loads(result.output)


@pytest.mark.parametrize(
    ("name", "text", "given"),
    [
        ("evaluate", OPENING, {"plies": 2}),
        ("evaluate", OVER, {"plies": 0}),
        ("moves", OPENING, {"plies": 2}),
        ("moves", LATE, {"plies": 1, "dice": "42"}),
        ("rolls", LATE, {"plies": 0}),
        ("cube", OPENING, {"plies": 2}),
        ("cube", CROWDED, {"plies": 3}),
        ("cube", LATE, {"plies": 2}),
        ("cube", LATE, {"plies": 0}),
    ],
)
async def test_answers_are_those_of_the_command(
    name: str, text: str, given: dict[str, Any]
) -> None:
    report, _ = await answered(name, text, **given)
    dice = ("--dice", given["dice"]) if "dice" in given else ()
    words = (*COMMANDS[name], text, "--plies", str(given["plies"]), *dice)
    assert report == printed(*words)


async def test_deep_questions_are_asked_of_the_fleet_and_shallow_ones_are_not() -> None:
    for name in ("moves", "cube"):
        assert (await answered(name, OPENING, plies=0))[1].asked == []
        assert (await answered(name, OPENING, plies=3))[1].asked


async def test_moves_need_a_roll() -> None:
    for given, why in (({}, "no roll"), ({"dice": "7"}, "is not a roll")):
        with pytest.raises(AskedError, match=why):
            await answered("moves", CROWDED, **given)


@pytest.mark.parametrize("name", ["moves", "rolls", "cube"])
async def test_nothing_is_decided_when_the_game_is_over(name: str) -> None:
    with pytest.raises(AskedError, match="the game is over"):
        await answered(name, OVER)
