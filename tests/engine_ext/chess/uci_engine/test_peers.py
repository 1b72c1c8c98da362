"""Engines that people have, each over three famous games: what they pass over does not matter."""

import contextlib
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.probes.probe_text import ProbeAnswer, ProbeQuestion
from engine_ext.chess.uci_engine.engine_probes import EngineProbes
from engine_ext.chess.uci_engine.engine_spec import GAMES_PATH, read_spec
from engine_ext.control import RunControl
from master.games.chess.analysis.judging import questions
from master.games.chess.game import game_from
from tests.engine_ext.chess.uci_engine.programs import STOCKFISH, needs_stockfish

pytestmark = [pytest.mark.reference, pytest.mark.slow]

ENGINES = ("toga2", "gnuchess --uci", "glaurung", "stockfish")
NODES = 10_000
"""Glaurung has no move yet after a thousand in a position with many captures."""

GAMES = {
    "Morphy - Duke Karl": """e4 e5 Nf3 d6 d4 Bg4 dxe5 Bxf3 Qxf3 dxe5 Bc4 Nf6 Qb3 Qe7 Nc3 c6 Bg5 b5
        Nxb5 cxb5 Bxb5+ Nbd7 O-O-O Rd8 Rxd7 Rxd7 Rd1 Qe6 Bxd7+ Nxd7 Qb8+ Nxb8 Rd8#""",
    "Anderssen - Kieseritzky": """e4 e5 f4 exf4 Bc4 Qh4+ Kf1 b5 Bxb5 Nf6 Nf3 Qh6 d3 Nh5 Nh4 Qg5
        Nf5 c6 g4 Nf6 Rg1 cxb5 h4 Qg6 h5 Qg5 Qf3 Ng8 Bxf4 Qf6 Nc3 Bc5 Nd5 Qxb2 Bd6 Bxg1 e5 Qxa1+
        Ke2 Na6 Nxg7+ Kd8 Qf6+ Nxf6 Be7#""",
    "Anderssen - Dufresne": """e4 e5 Nf3 Nc6 Bc4 Bc5 b4 Bxb4 c3 Ba5 d4 exd4 O-O d3 Qb3 Qf6 e5 Qg6
        Re1 Nge7 Ba3 b5 Qxb5 Rb8 Qa4 Bb6 Nbd2 Bb7 Ne4 Qf5 Bxd3 Qh5 Nf6+ gxf6 exf6 Rg8 Rad1 Qxf3
        Rxe7+ Nxe7 Qxd7+ Kxd7 Bf5+ Ke8 Bd7+ Kf8 Bxe7#""",
}


class NoticedControl(RunControl):
    """Tells when the engine has visited its first nodes."""

    def __init__(self) -> None:
        self.has_advanced = threading.Event()

    def advance(self, steps: int) -> None:
        super().advance(steps)
        self.has_advanced.set()


@pytest.fixture(params=ENGINES)
def probes(request: pytest.FixtureRequest) -> Iterator[EngineProbes]:
    program = request.param.split()[0]
    if shutil.which(program, path=GAMES_PATH) is None:
        pytest.skip(f"{program} is not installed")
    made = EngineProbes(read_spec(request.param))
    yield made
    made.close()


def examined(probes: EngineProbes, question: ProbeQuestion) -> ProbeAnswer:
    found = probes.probe(question, RunControl())
    assert found is not None
    return found


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.when_changed
def test_every_position_of_a_game_is_scored_and_by_the_same_value_again(
    probes: EngineProbes, game: str
) -> None:
    asked = questions(game_from(read_fen(START), GAMES[game].split()), "", NODES)
    found = [examined(probes, question) for question in asked]
    assert all(answer.lines and answer.lines[0].value is not None for answer in found)
    again = [examined(probes, question) for question in asked[::-5]]
    assert again == found[::-5]


@pytest.mark.when_changed
def test_one_that_is_suspended_is_replaced(probes: EngineProbes) -> None:
    before = processes()
    question = ProbeQuestion("", (read_fen(START),), (), NODES)
    first = examined(probes, question)
    for number in before:
        os.kill(number, signal.SIGSTOP)
    assert examined(probes, question) == first
    assert not before & processes()


def test_one_that_searches_is_stopped_and_leaves_nothing(probes: EngineProbes) -> None:
    control, found = NoticedControl(), list[ProbeAnswer | None]()
    question = ProbeQuestion("", (read_fen(START),), (), 10**10)
    thread = threading.Thread(target=lambda: found.append(probes.probe(question, control)))
    thread.start()
    assert control.has_advanced.wait(60)
    control.stop()
    thread.join()
    assert found == [None]
    probes.close()
    assert not processes()


def processes() -> set[int]:
    """Return the engines that this process has started and that have not ended.

    Each leads a session of its own; other children, as a resource tracker, are none.
    """
    own = Path(f"/proc/self/task/{os.getpid()}/children")
    children = (int(number) for number in own.read_text().split())
    return {number for number in children if os.getsid(number) == number}


@needs_stockfish
@pytest.mark.parametrize("limit", ["depth 0", "nodes 0", "mate 0", "movetime 0"])
def test_stockfish_takes_a_limit_of_zero_for_none(limit: str) -> None:
    program = subprocess.Popen(
        [STOCKFISH], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    with program, contextlib.ExitStack() as ending:
        ending.callback(program.kill)
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write(f"position startpos\ngo {limit}\n")
        said = []
        for line in program.stdout:
            said.append(line)
            if line.startswith(("info depth 8 ", "bestmove")):
                break
        assert said[-1].startswith("info depth 8 ")
