"""An analyser whose answers cannot be, beside an honest one: the bytes of one machine alone.

The liar is named, nothing of it is kept, and no traceback is printed.
"""

import asyncio
import re
import socket
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from master.config.paths import database_path
from master.games.backgammon.matches.mat_write import write_mat
from master.games.othello.record import OthelloRecord, write_ggf
from tests.daemons.analyser_programs import ANALYSER, HERE, STEP_S_MAX, line_with, started
from tests.daemons.command_line import Ended, Home, rest_of
from tests.master.games.backgammon.matches.random_matches import Habits, random_match
from tests.master.games.othello.games import random_game

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.timeout(240)]

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


def free_port() -> int:
    with socket.create_server((HERE, 0)) as endpoint:
        return int(endpoint.getsockname()[1])


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
