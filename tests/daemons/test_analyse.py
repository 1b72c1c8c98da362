"""`manyply analyse`: the same figures whoever computes, and nothing computed twice."""

import json
import signal
import sys
from pathlib import Path

import pytest

from master.games.backgammon.matches.mat_write import write_mat
from master.games.othello.record import OthelloRecord, write_ggf
from tests.daemons.analyser_programs import (
    FLEET,
    all_listening,
    analysers_at,
    line_with,
    started,
)
from tests.daemons.command_line import Home, rest_of
from tests.master.games.backgammon.matches.random_matches import Habits, random_match
from tests.master.games.othello.games import random_game

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.timeout(240)]

DEEP = ("--plies", "2", "--json")
LONG = ("--plies", "3", "--json")  # so that there is time to disturb it
HABITS = Habits(double=0.1, drop=0.5, resign=0.01)
SHALLOW = ("--plies", "0", "--json")


@pytest.fixture(scope="module")
def match_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games of some forty actions, with doubles, takes and passes."""
    path = tmp_path_factory.mktemp("match") / "match.mat"
    path.write_text(write_mat(random_match(7, length=3, games_max=2, habits=HABITS)))
    return path


Known = dict[tuple[Path, tuple[str, ...]], str]


@pytest.fixture(scope="module")
def known() -> Known:
    return {}


async def straight(known: Known, folder: Path, file: Path, level: tuple[str, ...]) -> str:
    """What is printed when one local worker computes all of it."""
    if (file, level) not in known:
        home = Home(folder / "straight")
        ended = await home.run("analyse", str(file), *level, "--local", "1")
        assert ended.code == 0, ended
        known[file, level] = ended.out
    return known[file, level]


@pytest.mark.parametrize(
    ("level", "alone"), [(SHALLOW, []), (DEEP, ["--local", "2"])], ids=["0-ply", "2-ply"]
)
@pytest.mark.when_changed
async def test_any_number_of_analysers_prints_the_same_bytes(
    home: Home, known: Known, tmp_path: Path, match_file: Path,
    level: tuple[str, ...], alone: list[str],
) -> None:  # fmt: skip
    expected = await straight(known, tmp_path, match_file, level)
    assert len(json.loads(expected)["decisions"]) > 40
    async with all_listening(3) as programs:
        ports = [port for _, port in programs]
        for number, fleet in enumerate((alone, analysers_at(*ports[:1]), analysers_at(*ports))):
            fresh = Home(tmp_path / f"home-{number}")
            ended = await fresh.run("analyse", str(match_file), *level, *fleet)
            assert (ended.code, ended.out) == (0, expected), fleet


@pytest.mark.when_changed
async def test_one_of_three_analysers_is_killed_midway(
    home: Home, known: Known, tmp_path: Path, match_file: Path
) -> None:
    expected = await straight(known, tmp_path, match_file, LONG)
    async with all_listening(3) as programs:
        ports = [port for _, port in programs]
        async with home.running(
            "analyse", str(match_file), *LONG, *analysers_at(*ports)
        ) as process:
            await home.has_answers(1)
            programs[1][0].send_signal(signal.SIGKILL)
            ended = await rest_of(process)
    assert (ended.code, ended.out) == (0, expected)


@pytest.mark.when_changed
async def test_interrupted_analysis_goes_on_where_it_was(
    home: Home, known: Known, tmp_path: Path, match_file: Path
) -> None:
    expected = await straight(known, tmp_path, match_file, LONG)
    command = ("analyse", str(match_file), *LONG, "--local", "1")
    async with home.running(*command) as process:
        await home.has_answers(5)
        process.send_signal(signal.SIGINT)
        ended = await rest_of(process)
    assert (ended.code, ended.out) == (130, "")
    assert ended.complaint.startswith("manyply: stopped; ")
    assert ended.complaint.endswith("kept: the same command goes on with the others")
    kept = home.stored_answers()
    assert 5 <= kept < len(json.loads(expected)["decisions"])
    again = await home.run(*command)
    assert (again.code, again.out) == (0, expected)


@pytest.mark.when_changed
async def test_what_is_known_is_not_computed_again(
    home: Home, known: Known, tmp_path: Path, match_file: Path
) -> None:
    """A later look at one game of the match, by an analyser that gets no work for it."""
    await straight(known, tmp_path, match_file, DEEP)
    command = ("analyse", str(match_file), *DEEP)
    await home.run(*command, "--local", "2")
    kept = home.stored_answers()
    async with all_listening(1) as ((stopped, port),):
        async with home.running(*command, "--games", "1", *analysers_at(port)) as process:
            ended = await rest_of(process)
        assert ended.code == 0, ended
        assert stopped.returncode is None
    assert home.stored_answers() == kept
    assert len(json.loads(ended.out)["games"]) == 1


@pytest.mark.when_changed
async def test_analyser_that_cannot_be_used_is_one_line(home: Home, match_file: Path) -> None:
    fleet = ("--local", "0", "--analyser", "exec:false")
    ended = await home.run("analyse", str(match_file), *DEEP, *fleet)
    assert (ended.code, ended.out) == (1, "")
    assert ended.complaint.startswith("manyply: no analyser can be used")


@pytest.mark.when_changed
async def test_running_master_is_asked_and_prints_the_same(
    home: Home, known: Known, tmp_path: Path, match_file: Path
) -> None:
    expected = await straight(known, tmp_path, match_file, DEEP)
    fleet = tmp_path / "fleet.toml"
    fleet.write_text(FLEET)
    argv = (sys.executable, "-m", "master", "--fleet", str(fleet))
    async with started(*argv, env=home.environ) as master:
        await line_with(master, "ready")
        ended = await home.run("analyse", str(match_file), *DEEP)
        again = await home.run("analyse", str(match_file), *DEEP)
        elsewhere = ("--local", "1")  # this process is the master then
        third = await home.run("analyse", str(match_file), *SHALLOW, *elsewhere)
    assert (ended.code, ended.out) == (again.code, again.out) == (0, expected)
    assert third.code == 0
    assert home.stored_answers() > 0


@pytest.mark.when_changed
async def test_othello_is_judged_the_same_though_an_analyser_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "games.ggf"
    file.write_text("".join(write_ggf(OthelloRecord(random_game(seed, 60))) for seed in (1, 2)))
    words = ("analyse", "othello", str(file), "--depth", "7", "--exact", "14", "--json")
    alone = await Home(tmp_path / "alone").run(*words, "--local", "1")
    assert alone.code == 0, alone
    home = Home(tmp_path / "shared")
    async with all_listening(2) as programs:
        ports = [port for _, port in programs]
        async with home.running(*words, *analysers_at(*ports)) as process:
            await home.has_answers(5)
            programs[0][0].kill()
            shared = await rest_of(process)
    assert (shared.code, shared.out) == (0, alone.out)
