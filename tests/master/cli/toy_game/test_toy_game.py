"""A further game takes its own folders and a place in three tables: it does all that others do.

Everything goes through the shipped command line, master and local analysers.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine_ext import services
from master.cli import games as command_table
from master.cli.app import manyply
from master.games import table
from tests.engine_ext.search import nim
from tests.master.api.asgi import BEARER, JSON, application, asked
from tests.master.cli.toy_game import engine
from tests.master.cli.toy_game.engine import heaps_of
from tests.master.cli.toy_game.front import COMMANDS, FRONT

HEAPS = (3, 2, 2)
TEXT = "heaps=3,2,2"


@pytest.fixture(autouse=True)
def nim_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(services.GAMES, "nim", engine.FRONT)
    monkeypatch.setitem(table.GAMES, "nim", FRONT)
    monkeypatch.setitem(command_table.GAMES, "nim", COMMANDS)


def ran(*words: str, typed: str = "") -> str:
    ended = CliRunner().invoke(manyply, words, input=typed)
    assert ended.exit_code == 0, ended.output + repr(ended.exception)
    return ended.stdout


def trials(*words: str) -> Any:
    found = json.loads(ran("nimble", TEXT, *words))
    del found["job"]
    return found


def test_its_commands_are_listed_and_described() -> None:
    assert "Play the first moves out by chance." in ran("--help")
    for verb in ("play", "search", "perft"):
        listed = [line.split()[0] for line in ran(verb, "--help").splitlines() if line[:3] == "  n"]
        assert verb == "play" or listed == ["nim"]
        assert f"manyply {verb} nim" in ran(verb, "nim", "--help")


def test_it_is_counted_and_shown() -> None:
    assert ran("perft", "nim", "heaps=2,1", "3").split() == ["5"]
    assert ran("show", "heaps=2,1") == "heaps=2,1\n\n||\n|\n"
    assert json.loads(ran("show", "heaps=2,1", "--json")) == {"heaps": [2, 1]}


def test_it_is_played_at_the_terminal(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(state_dir.parent)
    typed = ("help", "hint", "2:0", "undo", "redo", "undo", "1:1", "save mine.nim", "2:0", "new")
    shown = ran("play", "nim", "heaps=2,1", typed="\n".join(typed))
    assert "1:0                  leave so many of a heap\nhint [N]  " in shown
    for line in ("try 1:1", "I leave 1:0", "over: you win", "Saved as mine.nim"):
        assert line in shown
    (path,) = (state_dir / "matches").iterdir()
    assert path.read_text() == "2,1 1 0 16"
    assert f"This game is kept in {path}" in shown
    assert Path("mine.nim").read_text() == "2,1 1 0"


def test_its_questions_are_answered() -> None:
    assert ran("nimvalue", TEXT, "--local", "1") == f"value={nim.value(HEAPS)}\n"


@pytest.mark.parametrize("heaps", [HEAPS, (2, 2), (3, 2, 1), (4, 3, 2)])
def test_it_is_searched_by_a_fleet_as_alone(heaps: nim.Heaps) -> None:
    words = ("search", "nim", f"heaps={','.join(map(str, heaps))}", "--local", "2")
    found = json.loads(ran(*words))
    assert found["answer"] == f"value={nim.value(heaps)}"
    assert found["stopped_by"] == "answered"
    assert found["settings"] == {"heaps": list(heaps)}
    assert json.loads(ran("show", "--json")) == found
    assert f"{found['job']}  done" in ran("jobs")


def test_its_trials_are_the_same_on_any_machine() -> None:
    found = trials("--local", "1")
    assert found == trials("--local", "3")
    assert found["settings"] == {"heaps": [3, 2, 2]}
    assert len(found["alternatives"]) == len(nim.moves(HEAPS))
    assert {each["trials"] for each in found["alternatives"]} == {40}
    assert 0 < max(each["win"] for each in found["alternatives"]) <= 1


def test_its_jobs_are_listed_shown_and_extended() -> None:
    trials("--local", "1")
    assert json.loads(ran("jobs", "--json").splitlines()[-1])["game"] == "nim"
    lines = ran("show").splitlines()
    assert lines[0].startswith("Job ")
    assert any("1.  1:0" in line or "[0." in line for line in lines)
    longer = json.loads(ran("extend", "1", "--trials", "20", "--local", "1", "--json"))
    assert longer["trials"] == 60


async def test_it_is_asked_about_and_searched_at_the_web_endpoint() -> None:
    master, app = application()
    shown = (await asked(app, "GET", f"/api/positions?game=nim&text={TEXT}")).json
    assert (shown["position"], shown["words"]) == (TEXT, "|||\n||\n||")

    async def posted(path: str, action: str) -> Any:
        body = json.dumps({"game": "nim", "position": TEXT, "action": action}).encode()
        return (await asked(app, "POST", path, BEARER | JSON, body)).json

    answer = await posted("/api/positions/ask", "worth")
    assert answer["report"] == {"value": str(nim.value(HEAPS))}
    assert await posted("/api/positions/start", "search") == {"job": 1}
    assert heaps_of(master.submitted[0].context) == HEAPS
    games = (await asked(app, "GET", "/api/games")).json["games"]
    assert games[-1]["game"] == "nim"
