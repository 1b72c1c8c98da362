"""`manyply play` as a process: a person at a pipe, analysers on loopback."""

import asyncio
import re
import signal

import pytest

from master.games.backgammon.matches.files import read_match_file
from master.games.backgammon.matches.record import AnalysedMatch, Play
from tests.daemons.analyser_programs import HERE, listening
from tests.daemons.command_line import RUN_S_MAX, Ended, Home
from tests.daemons.person import PIPE, Person

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.timeout(240)]

QUICK = ("play", "--name", "Ann", "--plies", "0", "--analysis-plies", "0", "--seed", "3")


class Player(Person):
    """Plays what `hint 1` says, and takes whatever is doubled."""

    async def play(self, lines_max: int = 10_000) -> None:
        """Answer prompts until the match is over, or so many lines are typed."""
        shown = await self.heard("? ")
        while shown.endswith("? ") and self.lines_typed < lines_max:
            if "your move" in shown.rsplit("\n", 1)[-1]:
                self.type("hint 1")
                found = re.search(r"^1\.  (.*?)  ", await self.prompt(), re.MULTILINE)
                assert found is not None
                self.type(found[1])
            else:
                self.type("take" if "take, pass" in shown else "")
            shown = await self.heard("? ")


def saved(home: Home) -> AnalysedMatch:
    (path,) = (home.state / "matches").iterdir()
    return read_match_file(path)


def is_analysed(match: AnalysedMatch) -> bool:
    return all(
        match.of(game, place) is not None
        for game, one in enumerate(match.match.games)
        for place, action in enumerate(one.actions)
        if isinstance(action, Play)
    )


async def played(home: Home, *options: str) -> tuple[Player, Ended]:
    async with home.running(*QUICK, *options, **PIPE) as process:
        person = Player(process)
        await person.play()
        return person, await person.leave()


@pytest.mark.when_changed
async def test_a_match_is_played_reviewed_and_saved_with_its_analysis(home: Home) -> None:
    person, ended = await played(home, "--match", "1", "--local", "1")
    assert ended.code == 0, ended
    assert "in the match to 1." in person.out
    assert "Luck-adjusted result" in person.out
    assert "Saved as" in person.out
    match = saved(home)
    assert match.match.games[-1].result is not None
    assert is_analysed(match)


@pytest.mark.when_changed
async def test_an_end_of_input_saves_and_the_file_goes_on(home: Home) -> None:
    async with home.running(*QUICK, "--match", "1", "--local", "1", **PIPE) as process:
        person = Player(process)
        await person.play(lines_max=12)
        ended = await person.leave()
    assert ended.code == 0, ended
    assert "go on with: manyply play" in person.out
    begun = saved(home).match.games[0].actions
    (path,) = (home.state / "matches").iterdir()
    again = ("play", str(path), "--plies", "0", "--analysis-plies", "0", "--seed", "3")
    async with home.running(*again, "--local", "1", **PIPE) as process:
        person = Player(process)
        await person.play()
        assert (await person.leave()).code == 0
    whole = saved(home)
    assert whole.match.games[0].actions[: len(begun)] == begun
    assert is_analysed(whole)
    other = Home(home.directory / "straight")
    await played(other, "--match", "1", "--local", "1")
    assert saved(other).match.games == whole.match.games


@pytest.mark.when_changed
async def test_ctrl_c_leaves_at_once_and_saves(home: Home) -> None:
    async with home.running(*QUICK, "--match", "3", "--local", "1", **PIPE) as process:
        person = Player(process)
        await person.play(lines_max=6)
        process.send_signal(signal.SIGINT)
        ended = await person.leave()
    assert ended.code == 130, ended
    assert ended.complaint == ""
    assert saved(home).match.games[0].actions


@pytest.mark.when_changed
async def test_an_analyser_killed_midway_changes_nothing(home: Home) -> None:
    alone = Home(home.directory / "alone")
    await played(alone, "--match", "1", "--local", "1")
    async with listening("--workers", "1") as (victim, port), listening() as (_, other):
        fleet = ("--local", "0", "--analyser", f"{HERE}:{port}", "--analyser", f"{HERE}:{other}")
        async with home.running(*QUICK, "--match", "1", *fleet, **PIPE) as process:
            person = Player(process)
            await person.play(lines_max=10)
            victim.send_signal(signal.SIGKILL)
            person.type("board")
            await person.play()
            assert (await person.leave()).code == 0
    assert saved(home) == saved(alone)


@pytest.mark.when_changed
async def test_an_analyser_that_cannot_be_used_is_said(home: Home) -> None:
    async with home.running(*QUICK, "--local", "1", "--analyser", "exec:false", **PIPE) as process:
        assert process.stderr is not None
        async with asyncio.timeout(RUN_S_MAX):
            warning = (await process.stderr.readline()).decode()
        assert (await Player(process).leave()).code == 0
    assert warning.startswith("manyply: ")
    assert "exec:false" in warning


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--match", "3", "--money"), "--match and --money exclude each other"),
        (("--seed", "1", "--manual-dice"), "--manual-dice leaves them to you"),
        (("--match", "0"), "Invalid value for '--match'"),
        (("--name", "a\x1b[31m"), "printable characters"),
        (("--name", "\udcff"), "printable characters"),
        (("--name", 101 * "a"), "printable characters"),
        (("nowhere.sgf",), "nowhere.sgf"),
        (("nowhere.sgf", "--money"), "FILE has its players and length"),
    ],
)
@pytest.mark.when_changed
async def test_what_cannot_be_played_is_one_line(
    home: Home, options: tuple[str, ...], expected: str
) -> None:
    ended = await home.run("play", *options)
    assert ended.code == 2
    assert expected in ended.complaint
