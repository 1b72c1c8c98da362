"""Probes by UCI engines have the form of ours, repeat, and survive crashes; peers are tried."""

import contextlib
import os
import select
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.probes.answer_validation import validate_lines
from engine_ext.chess.probes.probe_text import ProbeAnswer, ProbeQuestion, ProbeValue
from engine_ext.chess.uci_engine import engine_probes, engine_process
from engine_ext.chess.uci_engine.engine_lines import EngineOption
from engine_ext.chess.uci_engine.engine_probes import EngineProbes, digest
from engine_ext.chess.uci_engine.engine_process import EngineGoneError, EngineProcess, Greeting
from engine_ext.chess.uci_engine.engine_spec import GAMES_PATH, EngineSpec, read_spec
from engine_ext.contexts import ContextError
from engine_ext.control import RunControl
from master.games.chess.analysis.judging import questions
from master.games.chess.game import game_from
from tests.engine_ext.chess.uci_engine.programs import (
    ANSWER,
    STOCKFISH,
    needs_stockfish,
    program,
)

CASTLING = "r3k2r/8/8/8/8/8/5PPP/R3K2R w KQkq - 0 1"
CHESS960 = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"


NewProbes = Callable[[EngineSpec], EngineProbes]


@pytest.fixture
def new_probes() -> Iterator[NewProbes]:
    made: list[EngineProbes] = []

    def make(spec: EngineSpec) -> EngineProbes:
        made.append(EngineProbes(spec))
        return made[-1]

    yield make
    for probes in made:
        probes.close()


def asked(fen: str = START, *moves: str, nodes: int = 20_000, lines: int = 1) -> ProbeQuestion:
    boards = [read_fen(fen)]
    for move in moves:
        boards.append(boards[-1].play(move))
    return ProbeQuestion("", tuple(boards), moves, nodes, lines)


def examined(probes: EngineProbes, question: ProbeQuestion) -> ProbeAnswer:
    found = probes.probe(question, RunControl())
    assert found is not None
    assert ProbeAnswer.from_text(found.to_text()).to_text() == found.to_text()
    return found


@needs_stockfish
@pytest.mark.when_changed
def test_stockfish_finds_the_same_whatever_was_asked_before(new_probes: NewProbes) -> None:
    probes = new_probes(EngineSpec((STOCKFISH,), (("Hash", "4"),)))
    question = asked(CASTLING, "e1h1", "e8a8", nodes=50_000, lines=3)
    first = examined(probes, question)
    assert len(first.lines) == 3
    assert first.nodes >= 50_000
    examined(probes, asked())
    assert examined(probes, question) == first
    other = new_probes(EngineSpec((STOCKFISH,), (("Hash", "4"),)))
    assert (examined(other, question), other.digest) == (first, probes.digest)
    assert new_probes(EngineSpec((STOCKFISH,), (("Hash", "8"),))).digest != probes.digest


@needs_stockfish
@pytest.mark.parametrize("fen", [CASTLING, CHESS960])
def test_stockfish_castles_by_the_rook_s_square(new_probes: NewProbes, fen: str) -> None:
    probes = new_probes(EngineSpec((STOCKFISH,)))
    board = read_fen(fen)
    found = examined(probes, asked(fen, lines=50))
    assert sorted(line.moves[0] for line in found.lines) == sorted(board.moves(True))


@needs_stockfish
def test_stockfish_tells_mates(new_probes: NewProbes) -> None:
    probes = new_probes(EngineSpec((STOCKFISH,)))
    mating = "7k/8/8/8/8/8/R7/1R5K w - - 0 1"
    assert examined(probes, asked(mating)).lines[0].value == ProbeValue(2, is_mate=True)
    assert examined(probes, asked(mating, "a2a7")).lines[0].value == ProbeValue(-1, is_mate=True)


@needs_stockfish
def test_stockfish_stops_on_request_and_answers_again(new_probes: NewProbes) -> None:
    probes, control, found = new_probes(EngineSpec((STOCKFISH,))), RunControl(), []
    thread = threading.Thread(
        target=lambda: found.append(probes.probe(asked(nodes=10**10), control)), daemon=True
    )
    thread.start()
    deadline = time.monotonic() + 30
    while control.steps < 1000 and time.monotonic() < deadline:
        time.sleep(0.01)
    control.stop()
    thread.join(10)
    assert found == [None]
    assert examined(probes, asked()).nodes > 0


def test_many_threads_have_a_program_each(new_probes: NewProbes, tmp_path: Path) -> None:
    probes = new_probes(program(tmp_path, f"time.sleep(0.2); {ANSWER}"))
    found: list[ProbeAnswer] = []
    threads = [
        threading.Thread(target=lambda: found.append(examined(probes, asked()))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(found) == 4
    assert len(set(found)) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "trouble",
    [
        "sys.exit(1)",
        "os.kill(os.getpid(), 11)",
        "time.sleep(60)",
        "os.kill(os.getpid(), 19)",
        "os.close(1); time.sleep(60)",
    ],
)
def test_after_a_crash_or_silence_it_is_started_again(
    new_probes: NewProbes, trouble: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_probes, "STOP_S", 0.2)
    monkeypatch.setattr(engine_process, "SUSPENDED_S", 0.1)
    probes = new_probes(program(tmp_path, f"if once('x'): {trouble}\n        else: {ANSWER}"))
    found = probes.probe(asked(), RunControl(), silence_s=0.3)
    assert found is not None
    assert found.nodes == 70


@pytest.mark.slow
@pytest.mark.parametrize(
    ("go", "complaint"),
    [
        ("sys.exit(1)", "it ended with exit code 1"),
        ("os.kill(os.getpid(), 19)", "it is suspended"),
        ("(here / 'second').touch(); sys.exit(1)", "it has become Polite 2"),
    ],
)
def test_what_stays_broken_is_reported(
    new_probes: NewProbes, go: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_process, "SUSPENDED_S", 0.1)
    probes = new_probes(program(tmp_path, go))
    with pytest.raises(EngineGoneError, match=f"Polite 1: .*{complaint}"):
        probes.probe(asked(), RunControl())


@pytest.mark.parametrize(
    ("go", "lines"),
    [
        ("print('bestmove e2e4')", "?:e2e4"),
        ("print('info depth 1 score cp 3'); print('bestmove e2e4')", "3:e2e4"),
        ("print('info depth 1 pv e2e4 e7e5'); print('bestmove e2e4')", "?:e2e4.e7e5"),
        ("print('info depth 1 score cp 1 pv e2e5'); print('bestmove e2e4')", "?:e2e4"),
        ("print('bestmove a1a1')", "?"),
        ("print('bestmove (none)')", "?"),
        ("print('info depth 1 score mate 1 pv e2e4')\n        print('bestmove e2e4')", "?:e2e4"),
        ("print('info depth 1 score mate 0 pv e2e4')\n        print('bestmove e2e4')", "?:e2e4"),
        ("print('bestmove')", "?"),
    ],
)
def test_an_answer_is_taken_as_far_as_it_goes(
    new_probes: NewProbes, go: str, lines: str, tmp_path: Path
) -> None:
    question = asked()
    found = examined(new_probes(program(tmp_path, go)), question)
    assert found.to_text().endswith(f" lines={lines}")
    validate_lines(question, found)


TALK = """
        for count in range(1, 10 ** 9):
            print("info depth", count, "score cp", count, "nodes", 10 * count, "pv e2e4 e7e5")
            sys.stdout.flush()
            if select.select([sys.stdin], [], [], 0)[0] and STOPS: break
        print("bestmove e2e4")
"""


@pytest.mark.slow
@pytest.mark.parametrize("stops", ["True", "False"])
def test_a_program_that_passes_over_nodes_is_counted_and_stopped_or_killed(
    new_probes: NewProbes, stops: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_probes, "STOP_S", 0.1)
    talk = "import select\n" + TALK.replace("STOPS", stops)
    probes = new_probes(program(tmp_path, talk, trial=talk))
    found = examined(probes, asked(nodes=1_000))
    assert found.to_text() == "nodes=1000 depth=100 lines=100:e2e4.e7e5"


def test_a_program_that_passes_over_nodes_is_given_a_depth(
    new_probes: NewProbes, tmp_path: Path
) -> None:
    trial = (
        "print('info depth 1 nodes 60000 pv e2e4'); sys.stdin.readline(); print('bestmove e2e4')"
    )
    heard = "print('info depth', words[2], 'score cp 1 nodes', words[4], 'pv e2e4');"
    probes = new_probes(program(tmp_path, f"{heard} print('bestmove e2e4')", trial=trial))
    found = examined(probes, asked(nodes=500))
    assert (found.depth, found.nodes) == (engine_probes.DEPTH_FOR_ALL, 500)


def test_a_program_that_does_not_search_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(EngineGoneError, match="Polite 1 does not search: it en"):
        EngineProbes(program(tmp_path, trial="sys.exit(1)"))


def test_a_program_that_does_not_forget_is_started_anew_for_each_question(
    new_probes: NewProbes, tmp_path: Path
) -> None:
    counted = (
        "count = globals().get('count', 0) + 1; "
        "print('info depth', count, 'score cp 1 nodes 9 pv', 'e2e4 g7g6'); print('bestmove a1a1')"
    )
    reported_lines = "print('info depth', count, 'score cp 1 nodes', os.getpid(), 'pv e2e4')"
    go = f"count = globals().get('count', 0) + 1; {reported_lines}; print('bestmove e2e4')"
    probes = new_probes(program(tmp_path, go, trial=counted))
    first, second = examined(probes, asked()), examined(probes, asked())
    assert first.depth == second.depth == 1
    assert first.nodes != second.nodes


def test_what_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    child = "import subprocess; print('info string', subprocess.Popen(['sleep', '60']).pid)"
    spec = program(tmp_path, ANSWER, trial=f"{child}; {ANSWER}")
    process = EngineProcess(spec)
    process.send("go nodes 1")
    number = int(next(process.lines(20)).split()[2])
    with os.fdopen(os.pidfd_open(number)) as child_end:
        process.close()
        assert select.select([child_end], [], [], 30)[0] == [child_end]


def test_nothing_is_asked_after_the_end(new_probes: NewProbes, tmp_path: Path) -> None:
    probes = new_probes(program(tmp_path))
    probes.close()
    with pytest.raises(EngineGoneError, match="the end has come"):
        probes.probe(asked(), RunControl())


def test_names_tell_what_options_are_set_and_defaults_change_nothing(
    new_probes: NewProbes, tmp_path: Path
) -> None:
    command = program(tmp_path).command

    def made(*options: tuple[str, str]) -> EngineProbes:
        return new_probes(EngineSpec(command, options))

    plain, default, other = made(), made(("Hash", "16")), made(("Hash", "32"))
    assert (plain.title, default.title, other.title) == (
        "Polite 1",
        "Polite 1",
        "Polite 1, Hash 32",
    )
    assert plain.digest == default.digest != other.digest


def test_tables_count_by_their_files_and_not_by_their_folder(tmp_path: Path) -> None:
    option = EngineOption("SyzygyPath", "string", default="")
    greeting = Greeting("Polite 1", {"syzygypath": option})

    def digest_of(*folders: str) -> str:
        path = os.pathsep.join(str(tmp_path / folder) for folder in folders)
        return digest(greeting, EngineSpec(("polite",), (("SyzygyPath", path),)))

    for file in ("a/KQvK.rtbw", "b/KQvK.rtbw", "c/KRvK.rtbw", "b/notes.txt"):
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).touch()
    assert digest_of("a") == digest_of("b")
    assert digest_of("a", "c") == digest_of("c", "b")
    assert len({digest_of("a"), digest_of("c"), digest_of("a", "c"), digest_of("none")}) == 4


def test_one_that_does_not_stop_is_killed(
    new_probes: NewProbes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_probes, "STOP_S", 0.2)
    probes = new_probes(program(tmp_path, "time.sleep(60)"))
    control = RunControl()
    control.stop()
    assert probes.probe(asked(), control) is None


def test_a_program_is_asked_only_what_it_can(new_probes: NewProbes, tmp_path: Path) -> None:
    probes = new_probes(program(tmp_path))
    with pytest.raises(ContextError, match="Polite 1 does not play Chess960"):
        probes.probe(asked(CHESS960), RunControl())
    with pytest.raises(ContextError, match="Polite 1 tells one line alone"):
        probes.probe(asked(lines=2), RunControl())


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


@pytest.mark.reference
@pytest.mark.slow
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


@pytest.mark.reference
@pytest.mark.slow
@pytest.mark.when_changed
def test_one_that_is_suspended_is_replaced(probes: EngineProbes) -> None:
    before = processes()
    question = ProbeQuestion("", (read_fen(START),), (), NODES)
    first = examined(probes, question)
    for number in before:
        os.kill(number, signal.SIGSTOP)
    assert examined(probes, question) == first
    assert not before & processes()


@pytest.mark.reference
@pytest.mark.slow
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


@pytest.mark.reference
@pytest.mark.slow
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
