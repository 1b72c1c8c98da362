"""A job with an analyser that breaks a rule or lies has the straight run's digits.

The rule breaker is an honest analyser behind a proxy that makes lies of its values, of the right
form and range, and then breaks the rule; four honest ones are at work beside it.  The liar's
answers cannot be.  Both are named, nothing of them is kept, and no traceback is printed.
"""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from master.config.paths import database_path
from master.games.backgammon.matches.mat_write import write_mat
from master.games.othello.record import OthelloRecord, write_ggf
from tests.daemons.analyser_programs import (
    ANALYSER,
    ENVIRON,
    HERE,
    ROOT,
    STEP_S_MAX,
    free_port,
    line_with,
    started,
)
from tests.daemons.command_line import MANYPLY, POSITION, RUN_S_MAX, Ended, Home, rest_of
from tests.daemons.line_proxy import between, unchanged
from tests.master.games.backgammon.matches.random_matches import Habits, random_match
from tests.master.games.othello.games import random_game

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.timeout(240)]

JOB = ("rollout", POSITION, "--dice", "31", "--candidates", "2", "--trials", "150")
HONEST_COUNT = 4
HELD_AFTER = 30  # results of an honest analyser; with all four, less than half of the job
BREAKS_AT = 8  # of the breaker's results, which are lies before

LIE = "0.5,0.125,0.0,0.125,0.0,0.25,0.25"
OTHER_LIE = "0.5,0.125,0.0,0.125,0.0,0.5,0.5"
OUT_OF_RANGE = "0.5,0.125,0.0,0.125,0.0,0.25,825000.0"
NO_PART = "1000000"


@dataclass
class Scene:
    """How far the breaker is, which the honest wait for: so the job cannot end before."""

    has_broken: asyncio.Event = field(default_factory=asyncio.Event)


class Honest:
    """Says what is right, and holds it back after some results until the rule is broken."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._results = 0

    async def said(self, line: str) -> Iterable[str]:
        self._results += line.startswith("trial ")
        if self._results > HELD_AFTER:
            async with asyncio.timeout(RUN_S_MAX):
                await self._scene.has_broken.wait()
        return (line,)


@dataclass
class Breaker:
    """Lies, and breaks a rule once: with the line that `broken` changes."""

    scene: Scene
    broken: Callable[[list[str]], list[str]]
    verb: str
    results: int = 0

    async def said(self, line: str) -> Iterable[str]:
        verb, *fields = line.split(" ")
        if verb == "trial":
            self.results += 1
            fields[3] = LIE
            line = " ".join((verb, *fields))
        is_due = verb == self.verb and self.results >= BREAKS_AT
        if self.scene.has_broken.is_set() or not is_due:
            return (line,)
        self.scene.has_broken.set()
        return self.broken(fields)


@dataclass(frozen=True)
class Breach:
    """A way to break a rule.

    Args:
        verb: of the line that is changed.
        broken: what is said instead of one with these fields.
        named: what the job's record says of it.
    """

    verb: str
    broken: Callable[[list[str]], list[str]]
    named: str


def trial(part: str, attempt: str, seq: int | str, values: str = LIE) -> str:
    return f"trial {part} {attempt} {seq} {values}"


OUT_OF_ORDER = r"bad-result: trial \d+: \d+ was due"
BREACHES = {
    "another context": Breach(
        "done",
        lambda said: [f"done {said[0]} {said[1]} {said[2][::-1]} {said[3]}"],
        "bad-result: the context digest is another",
    ),
    "another count": Breach(
        "done",
        lambda said: [f"done {said[0]} {said[1]} {said[2]} {int(said[3]) - 1}"],
        r"bad-result: \d+ results named, \d+ came",
    ),
    "out of order": Breach(
        "trial",
        lambda said: [trial(said[0], said[1], int(said[2]) + 1), trial(*said)],
        OUT_OF_ORDER,
    ),
    "out of range": Breach(
        "trial",
        lambda said: [trial(said[0], said[1], said[2], OUT_OF_RANGE)],
        r"825000.0 where a value from -\d+.0 to \d+.0 is due",
    ),
    "not of its part": Breach(
        "trial", lambda said: [trial(said[0], said[1], int(said[2]) + 100_000)], OUT_OF_ORDER
    ),
    "twice": Breach(
        "trial",
        lambda said: [trial(*said), trial(said[0], said[1], said[2], OTHER_LIE)],
        OUT_OF_ORDER,
    ),
}


class Stranger:
    """Says what is right, and once also results of a part that it was never handed."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    async def said(self, line: str) -> Iterable[str]:
        verb, *fields = line.split(" ")
        if verb != "done" or self._scene.has_broken.is_set():
            return (line,)
        self._scene.has_broken.set()
        return (line, trial(NO_PART, "0", 0), f"done {NO_PART} 0 {fields[2]} 1")

    async def asked(self, line: str) -> Iterable[str]:
        """Keep the results that were made up from being acknowledged to who never gave them."""
        verb, *fields = line.split(" ")
        if verb == "ack" and self._scene.has_broken.is_set():
            return (f"ack {max(0, int(fields[0]) - 2)}",)
        return (line,)


@contextmanager
def listening_here(name: str) -> Iterator[int]:
    """Run an analyser with one worker for all tests of the module; its port."""
    command = (*ANALYSER, "--listen", f"{HERE}:0", "--workers", "1", "--name", name)
    with subprocess.Popen(command, stderr=subprocess.PIPE, cwd=ROOT, env=ENVIRON) as process:
        try:
            assert process.stderr is not None
            found = re.search(rb"listening on port (\d+)", process.stderr.readline())
            assert found is not None
            yield int(found[1])
        finally:
            process.kill()


@pytest.fixture(scope="module")
def ports() -> Iterator[list[int]]:
    """The ports of the one behind the breaker, and of the honest analysers."""
    with ExitStack() as stack:
        names = ["breaker", *(f"honest{number}" for number in range(HONEST_COUNT))]
        yield [stack.enter_context(listening_here(name)) for name in names]


@pytest.fixture(scope="module")
def straight(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The job's report when one local worker computes all of it."""
    home = Home(tmp_path_factory.mktemp("straight"))
    command = (*MANYPLY, *JOB, "--json", "--local", "1")
    ended = subprocess.run(
        command, cwd=ROOT, env=home.environ, capture_output=True, check=True, timeout=RUN_S_MAX
    )
    return json.loads(ended.stdout)


async def report_of(home: Home, ports: list[int], scene: Scene, first: Breaker | Stranger) -> Any:
    """Return the job's report when this one stands before the first analyser."""
    fleet = ["--local", "0"]
    async with AsyncExitStack() as stack:
        asked = first.asked if isinstance(first, Stranger) else unchanged
        endpoints = [between(ports[0], first.said, asked)]
        endpoints += [between(port, Honest(scene).said) for port in ports[1:]]
        for endpoint in endpoints:
            fleet += ["--analyser", f"{HERE}:{await stack.enter_async_context(endpoint)}"]
        report = (await home.run(*JOB, "--json", *fleet)).report
    assert scene.has_broken.is_set()
    return report


@pytest.mark.parametrize("breach", BREACHES)
@pytest.mark.when_changed
async def test_who_breaks_a_rule_midway_is_named_and_changes_no_digit(
    home: Home, ports: list[int], straight: Any, breach: str
) -> None:
    scene, chosen = Scene(), BREACHES[breach]
    breaker = Breaker(scene, chosen.broken, chosen.verb)
    report = await report_of(home, ports, scene, breaker)
    (caught,) = report.pop("caught")
    assert report == straight
    assert re.fullmatch(rf"breaker: {chosen.named}; \d+ trials of it were computed again", caught)
    shown = (await home.run("show", "1")).out.splitlines()
    assert [line for line in shown if "breaker" in line] == [f"Caught: {caught}"]


@pytest.mark.when_changed
async def test_results_of_a_part_that_was_never_handed_out_count_nothing(
    home: Home, ports: list[int], straight: Any
) -> None:
    """They are no error, since a part may be gone meanwhile: see the protocol, section 5."""
    scene = Scene()
    assert await report_of(home, ports, scene, Stranger(scene)) == straight


GAME = """[Event "?"]
[White "A"]
[Black "B"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0
"""
BOARD = "1 2 3 6, 3 1 0 12, 2 3 24 3, 48 6 1 96"
HABITS = Habits(double=0.2, drop=0.5, resign=0.01)
WAYS = ("garbage", "illegal", "shifted")


def commands(folder: Path) -> dict[str, tuple[str, ...]]:
    match, othello, chess = folder / "m.mat", folder / "g.ggf", folder / "g.pgn"
    match.write_text(write_mat(random_match(7, length=1, games_max=1, habits=HABITS)))
    othello.write_text(write_ggf(OthelloRecord(random_game(5, 60))))
    chess.write_text(GAME)
    return {
        "backgammon": ("analyse", str(match), "--plies", "0"),
        "othello": ("analyse", "othello", str(othello), "--depth", "3", "--exact", "8"),
        "chess": ("analyse", "chess", str(chess), "--nodes", "2000"),
        "move": ("move", "4HPwATDgc/ABMA", "--dice", "31", "--plies", "2"),
        "threes": ("move", "threes", BOARD, "--next", "1", "--plies", "5"),
    }


@asynccontextmanager
async def lying(how: str) -> AsyncIterator[int]:
    argv = (sys.executable, "-m", "tests.daemons.lying_analyser", how, "--listen", f"{HERE}:0")
    async with started(*argv, "--name", "liar", "--workers", "1") as process:
        found = re.search(r"port (\d+)", await line_with(process, "listening on port"))
        assert found is not None
        yield int(found[1])


async def caught(home: Home, words: tuple[str, ...], how: str) -> tuple[str, Ended]:
    """Run a command with a liar, and with an honest analyser once the liar is refused.

    Returns:
        What was said by then, and what the command left.
    """
    port, said = free_port(), ""
    async with lying(how) as liar:
        fleet = [w for each in (liar, port) for w in ("--analyser", f"{HERE}:{each}")]
        async with home.running(*words, "--local", "0", *fleet) as process:
            assert process.stderr is not None
            async with asyncio.timeout(STEP_S_MAX):
                while f"({HERE}:{liar}) is refused from now on" not in said:
                    line = (await process.stderr.readline()).decode()
                    assert line, said
                    said += line
            good = (*ANALYSER, "--listen", f"{HERE}:{port}", "--workers", "1", "--name", "good")
            async with started(*good):
                return said, await rest_of(process)


@pytest.mark.parametrize("kind", ["backgammon", "othello", "chess", "move", "threes"])
@pytest.mark.when_changed
async def test_what_is_printed_is_what_one_machine_alone_prints(
    tmp_path_factory: pytest.TempPathFactory, kind: str
) -> None:
    folder = tmp_path_factory.mktemp(kind)
    words = (*commands(folder)[kind], "--json")
    alone = await Home(folder / "alone").run(*words, "--local", "1")
    assert alone.code == 0, alone
    for how in WAYS:
        if kind == "threes" and how == "illegal":
            continue  # it names no move
        home = Home(folder / how.replace(" ", "-"))
        said, ended = await caught(home, words, how)
        assert (ended.code, ended.out) == (0, alone.out), (how, said, ended.err)
        assert "Traceback" not in said + ended.err, (how, said, ended.err)
        assert re.search(r"liar: question [0-9]+: .", said), (how, said)
        with closing(sqlite3.connect(database_path(home.state))) as database:
            sources = {name for (name,) in database.execute("SELECT source FROM answer")}
        assert sources <= {"good"}, (how, sources)
