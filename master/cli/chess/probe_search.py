"""A search by rounds of probes, in a thread of its own: for the UCI engine and `manyply search`.

Each probe is a question to the analysers.  A machine that vanishes costs its own probes only: they
are handed out again, and at the end of the time the best line so far is the result.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fast.search import FastSearch
from engine_ext.chess.fast.table import FastTable
from engine_ext.chess.probes.probe_text import DEPTH_MAX, ProbeAnswer
from engine_ext.control import RunControl
from master.cli.output import echo_notice
from master.contract.errors import MasterError
from master.games.chess.probe_rounds import (
    FoundLine,
    ProbeRounds,
    ProbeTask,
    rook_move,
    usual_words,
)
from master.games.chess.uci.thinking import Thinking
from master.games.chess.uci.wording import Iteration

RATE_FIRST = 200_000.0
"""Nodes a second of one probe until it is measured."""

RATE_MAX = 3_000_000.0
"""No engine's thread is faster: rounds that seem so were answered from stored answers."""

LATE_TIMES = 3.0
LATE_S = 0.3
"""A round is late after so many times the time that it should take, and this much more..."""

ASKS_MAX = 3
"""... and is asked so often: each waits twice as long as the one before."""

FIRST_AID_NODES = 20_000
FIRST_AID_TABLE_BYTES = 1 << 20
"""For the move of our own engine, some 20 ms, where no analyser has answered in time."""


class Probes(Protocol):
    """Analysers that answer probes."""

    def ask(
        self, questions: Sequence[str], on_answer: Callable[[int, str], None]
    ) -> Future[list[str]]:
        """Have questions answered; cancelling the future gives them up.

        Args:
            questions: texts of probes.
            on_answer: called in any thread with a question's index and its answer.
        """


@dataclass(slots=True)
class ProbingEngine:
    """The engine that probes.

    Args:
        digest: of the engine.
        name: for people.
        probes: analysers that have it.
        rate: nodes a second of a probe in the last round, kept from search to search.
    """

    digest: str
    name: str
    probes: Probes
    rate: float = RATE_FIRST


class ProbeSearch:
    """One search; `run` returns at its end.

    Args:
        engine: that probes.
        task: what is to be found.
        elapsed_s: seconds since the search began.
        ends_s: the time at which it should end, by that clock; infinite: none is known.
        on_round: called after each round, in the thread of `run`.
    """

    def __init__(
        self,
        engine: ProbingEngine,
        task: ProbeTask,
        elapsed_s: Callable[[], float],
        ends_s: Callable[[], float],
        on_round: Callable[[ProbeRounds], None],
    ) -> None:
        self._engine = engine
        self._elapsed_s = elapsed_s
        self._ends_s = ends_s
        self._on_round = on_round
        self._round: _Round | None = None
        self._is_stopped = False
        self.rounds = ProbeRounds(task)

    def stop(self) -> None:
        """End soon, with the best lines so far."""
        self._is_stopped = True
        asked = self._round
        if asked is not None:
            asked.stop()

    def run(self) -> None:
        """Search until the limits, the end of the time, or `stop`.

        Raises:
            MasterError: no analyser can be used, or a probe cannot be answered; lines found before
                stay.
        """
        last = 0
        while not self._is_stopped:
            began_s = self._elapsed_s()
            nodes = self.rounds.next_nodes(last, self._engine.rate, self._ends_s() - began_s)
            if not nodes or not self._is_answered(nodes):
                return
            self._learn(nodes, self._elapsed_s() - began_s, is_first=not last)
            last = nodes
            self.rounds.end_round()
            self._on_round(self.rounds)

    def _learn(self, nodes: int, seconds: float, *, is_first: bool) -> None:
        """Measure the rate by a round that no machine delayed."""
        assert self._round is not None, "it was answered"
        if self._round.was_late:
            return
        rate = min(nodes / max(seconds, 1e-3), RATE_MAX)
        # The first round may have waited for an analyser, and asks more questions.
        self._engine.rate = max(rate, self._engine.rate) if is_first else rate

    def _is_answered(self, nodes: int) -> bool:
        """Ask a round; return whether it was answered, and not stopped."""
        questions = [each.to_text() for each in self.rounds.questions(nodes)]
        late_s = LATE_S + LATE_TIMES * nodes / self._engine.rate
        asked = self._round = _Round(self._engine.probes, questions)
        if self._is_stopped:  # while it was made
            asked.stop()
        try:
            return asked.run(late_s)
        finally:
            for index, text in asked.answers.items():
                self.rounds.take(index, ProbeAnswer.from_text(text))


class _Round:
    """The questions of a round.  Those that are late are asked again: a machine may hang.

    A machine that is idle gets them then: the one that hangs still has its own.
    """

    def __init__(self, probes: Probes, questions: Sequence[str]) -> None:
        self._probes = probes
        self._questions = questions
        self._events: queue.SimpleQueue[tuple[int, str] | Future[list[str]] | None] = (
            queue.SimpleQueue()
        )
        self._asked: list[Future[list[str]]] = []
        self.answers: dict[int, str] = {}

    @property
    def was_late(self) -> bool:
        """Whether questions were asked again."""
        return len(self._asked) > 1

    def stop(self) -> None:
        """Give the questions up."""
        self._events.put(None)

    def run(self, late_s: float) -> bool:
        """Ask; return whether all questions were answered, and not stopped.

        Raises:
            MasterError: none can be answered any more.
        """
        try:
            self._ask()
            while len(self.answers) < len(self._questions):
                patience_s = late_s * 2 ** len(self._asked) / 2
                try:
                    event = self._events.get(
                        timeout=patience_s if len(self._asked) < ASKS_MAX else None
                    )
                except queue.Empty:
                    self._ask()
                    continue
                if event is None:
                    return False
                if isinstance(event, Future):
                    self._check(event)
                else:
                    self.answers[event[0]] = event[1]
        finally:
            for future in self._asked:
                future.cancel()
        return True

    def _ask(self) -> None:
        """Ask what is not answered yet."""
        missing = [index for index in range(len(self._questions)) if index not in self.answers]
        asked = self._probes.ask(
            [self._questions[index] for index in missing],
            lambda place, text: self._events.put((missing[place], text)),
        )
        self._asked.append(asked)
        asked.add_done_callback(self._events.put)

    def _check(self, ended: Future[list[str]]) -> None:
        """Raise the error of a call that failed, if no other is going on."""
        if all(future.done() for future in self._asked) and not ended.cancelled():
            ended.result()


def first_aid(
    boards: Sequence[ChessBoard], moves: Sequence[str], *, is_chess960: bool
) -> tuple[int, int, tuple[str, ...]]:
    """Return depth, value and line that our own engine finds at once."""
    search = FastSearch(
        boards[-1], tuple(boards[:-1]), FastTable(FIRST_AID_TABLE_BYTES), RunControl(),
        tuple(moves), nodes_max=FIRST_AID_NODES, is_chess960=is_chess960,
    )  # fmt: skip
    while search.deepen():
        pass
    value, line = search.lines[0]
    return search.depth, value, line


class ProbeUciSearch:
    """One search of the UCI engine, which starts when it is made; like uci_search.UciSearch.

    Args:
        thinking: the position, the limits, and the time after which no round begins.
        engine: that probes.
        elapsed_s: seconds since `go`.
        report: called in the thread: with each round, and at the end with the last result and
            `is_end`.
    """

    current_move: tuple[str, int] | None = None
    """The current move is not known."""

    fill = 0.0
    """Of tables on other machines nothing is known."""

    def __init__(
        self,
        thinking: Thinking,
        engine: ProbingEngine,
        elapsed_s: Callable[[], float],
        report: Callable[[Iteration, bool], None],
    ) -> None:
        wish, self._thinking = thinking.wish, thinking
        self._report = report
        moves = tuple(rook_move(wish.boards[-1], move) for move in wish.go.moves)
        depth = None if wish.go.depth is None else min(wish.go.depth, DEPTH_MAX)
        lines = wish.options.line_count
        task = ProbeTask(engine.digest, wish.boards, lines, moves, wish.go.nodes, depth)
        self._search = ProbeSearch(engine, task, elapsed_s, self._ends_s, self._tell)
        threading.Thread(target=self._run, name="chess probes", daemon=True).start()

    @property
    def nodes(self) -> int:
        """Positions visited by all probes that are answered."""
        return self._search.rounds.nodes

    def stop(self) -> None:
        """Have it end soon, with a move in any case; the end is reported."""
        self._search.stop()

    def _ends_s(self) -> float:
        return min(self._thinking.soft_deadline_s, self._thinking.deadline_s)

    def _tell(self, rounds: ProbeRounds) -> None:
        self._report(self._iteration(rounds.depth, rounds.lines), False)

    def _run(self) -> None:
        last = Iteration(0, 0, ())
        try:
            self._search.run()
        except MasterError as error:
            echo_notice(f"the analysers cannot search: {error}")
        finally:
            rounds = self._search.rounds
            if rounds.lines:
                last = self._iteration(rounds.depth, rounds.lines)
            else:
                last = self._own_iteration()
            self._report(last, True)

    def _own_iteration(self) -> Iteration:
        echo_notice("no analyser has answered in time: the move is of manyply's own engine")
        wish = self._thinking.wish
        depth, value, line = first_aid(
            wish.boards, wish.go.moves, is_chess960=self._thinking.is_chess960
        )
        return Iteration(depth, depth, ((value, line),))

    def _iteration(self, depth: int, lines: Sequence[FoundLine]) -> Iteration:
        board = self._thinking.wish.boards[-1]
        shown = [
            (
                line.value,
                line.moves if self._thinking.is_chess960 else usual_words(board, line.moves),
            )
            for line in lines
        ]
        return Iteration(depth, depth, tuple(shown))
