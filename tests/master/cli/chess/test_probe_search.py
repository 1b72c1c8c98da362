"""Searches by probes: with analysers that answer, answer never, or cannot answer."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future

import pytest

from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.probes.probe import probe
from engine_ext.chess.probes.probe_text import ProbeQuestion
from engine_ext.control import RunControl
from master.cli.chess import probe_search
from master.cli.chess.probe_search import ProbeUciSearch, ProbingEngine
from master.contract.errors import MasterError
from master.games.chess.uci.commands import Go
from master.games.chess.uci.options import Options
from master.games.chess.uci.session import Wish
from master.games.chess.uci.thinking import LostTime, Thinking
from tests.master.cli.chess.uci_reports import WAIT_S_MAX, Reports, until_end

CASTLING = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
ENGINE = "0" * 16


class Answering:
    """Answers the first `count` questions by our own probes, of few nodes; others never."""

    def __init__(self, count: int = 10**9, error: MasterError | None = None) -> None:
        self._count = count
        self._error = error
        self.asked: list[ProbeQuestion] = []
        self.is_silent = threading.Event()

    def ask(
        self, questions: Sequence[str], on_answer: Callable[[int, str], None]
    ) -> Future[list[str]]:
        future: Future[list[str]] = Future()
        answers = []
        for index, text in enumerate(questions):
            question = ProbeQuestion.from_text(text)
            self.asked.append(question)
            if len(self.asked) > self._count:
                break
            few = ProbeQuestion(ENGINE, question.boards, question.moves, 500)
            found = probe(few, RunControl())
            assert found is not None
            answers.append(found.to_text())
            on_answer(index, answers[-1])
        if len(answers) == len(questions):
            future.set_result(answers)
        elif self._error is not None:
            future.set_exception(self._error)
        else:
            self.is_silent.set()
        return future


class Hanging(Answering):
    """Answers nothing of a round's first call, as if a machine hung; all of the second one."""

    def __init__(self, hanging_calls: int = 1) -> None:
        super().__init__()
        self._hanging_calls = hanging_calls
        self.calls: list[int] = []

    def ask(
        self, questions: Sequence[str], on_answer: Callable[[int, str], None]
    ) -> Future[list[str]]:
        self.calls.append(len(questions))
        if len(self.calls) <= self._hanging_calls:
            self.is_silent.set()
            return Future()
        return super().ask(questions, on_answer)


def searching(
    probes: Answering, go: Go, options: Options | None = None, fen: str = START
) -> tuple[ProbeUciSearch, Reports]:
    reports: Reports = queue.Queue()
    wish = Wish((read_fen(fen),), go, options or Options())
    thinking = Thinking(wish, LostTime().begin(wish))
    engine = ProbingEngine(ENGINE, "Fake 1", probes)
    return ProbeUciSearch(thinking, engine, lambda: 0.0, lambda *each: reports.put(each)), reports


def test_rounds_are_reported_and_the_last_again() -> None:
    probes = Answering()
    search, reports = searching(probes, Go(nodes=100_000))
    found = until_end(reports)
    assert len(found) == len(probes.asked) + 1 > 3
    assert found[-1] == found[-2]
    assert probes.asked[-1].nodes == 100_000
    assert search.nodes >= 500 * len(probes.asked)


def test_lines_and_moves_are_those_that_were_asked_for() -> None:
    _, reports = searching(Answering(), Go(nodes=10_000, moves=("a2a3", "e2e4")),
                           Options(line_count=2))  # fmt: skip
    assert {line[0] for _, line in until_end(reports)[-1].lines} == {"a2a3", "e2e4"}


@pytest.mark.parametrize("is_chess960", [False, True])
def test_castling_is_written_as_the_board_writes_it(is_chess960: bool) -> None:
    word = "e1h1" if is_chess960 else "e1g1"
    _, reports = searching(
        Answering(), Go(nodes=10_000, moves=(word,)), Options(is_chess960=is_chess960), CASTLING
    )
    assert until_end(reports)[-1].lines[0][1][0] == word


def test_stop_keeps_what_was_found_though_analysers_are_silent() -> None:
    probes = Answering(2)
    search, reports = searching(probes, Go(is_infinite=True))
    assert probes.is_silent.wait(WAIT_S_MAX)
    search.stop()
    found = until_end(reports)
    assert len(found) == 3
    assert found[-1].lines == found[1].lines


def test_answers_of_a_round_that_is_not_complete_count() -> None:
    probes = Answering(5)
    search, reports = searching(probes, Go(is_infinite=True), Options(line_count=3))
    assert probes.is_silent.wait(WAIT_S_MAX)
    search.stop()
    (last,) = until_end(reports)
    assert len(last.lines) == 3


def test_questions_that_are_late_are_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe_search, "LATE_S", 0.0)
    monkeypatch.setattr(probe_search, "LATE_TIMES", 0.0)
    probes = Hanging()
    _, reports = searching(probes, Go(nodes=10_000), Options(line_count=2))
    assert len(until_end(reports)[-1].lines) == 2
    assert probes.calls == [21, 21]


def test_questions_are_asked_so_often_and_then_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe_search, "LATE_S", 0.0)
    monkeypatch.setattr(probe_search, "LATE_TIMES", 0.0)
    probes = Hanging(probe_search.ASKS_MAX)
    search, reports = searching(probes, Go(nodes=10_000))
    while len(probes.calls) < probe_search.ASKS_MAX:
        assert probes.is_silent.wait(WAIT_S_MAX)
        probes.is_silent.clear()
    search.stop()
    until_end(reports)
    assert len(probes.calls) == probe_search.ASKS_MAX


@pytest.mark.parametrize("error", [None, MasterError("no analyser can be used")])
def test_there_is_a_legal_move_though_nothing_is_answered(
    error: MasterError | None, capsys: pytest.CaptureFixture[str]
) -> None:
    probes = Answering(0, error)
    search, reports = searching(probes, Go(move_ms=100))
    assert error or probes.is_silent.wait(WAIT_S_MAX)
    search.stop()
    (last,) = until_end(reports)
    assert last.lines[0][1][0] in read_fen(START).moves()
    said = capsys.readouterr().err
    assert "the move is of manyply's own engine" in said
    assert ("no analyser can be used" in said) is (error is not None)
