"""`manyply search chess --engine`: the best moves of a position by another engine, watched."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass, replace
from math import inf

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.probes.probe_text import DEPTH_MAX
from master.cli.chess.arguments import chosen_engine, with_engine
from master.cli.chess.probe_search import ProbeSearch, ProbingEngine
from master.cli.chess.search_watch import TICK_S
from master.cli.chess.uci_search import END_S_MAX
from master.cli.errors import CommandError, ExitCode
from master.cli.jobs.progress import FIRST_PLAIN_S, ProgressDisplay
from master.cli.place import Place
from master.contract.errors import MasterError
from master.games.chess.probe_rounds import ProbeRounds, ProbeTask
from master.games.chess.search_report import (
    EngineAnswer,
    effort_text,
    found_value_text,
    line_text,
)

UNLIMITED_S = inf
"""The seconds of a search that other limits end."""


@dataclass(frozen=True, slots=True)
class EngineLimits:
    """The limits of a search; the first one that is reached ends it.

    Args:
        seconds: of the search; infinite: no limit.
        nodes: of each probe; None: no limit.
        depth: likewise.
        line_count: how many of the best moves.
    """

    seconds: float
    nodes: int | None
    depth: int | None
    line_count: int


def search_by_engine(
    board: ChessBoard, engine: str, limits: EngineLimits, place: Place, *, is_quiet: bool
) -> tuple[EngineAnswer, bool]:
    """Search by another engine, here or by analysers; return the answer, and if Ctrl-C ended it.

    Args:
        board: the position; a move is legal in it.
        engine: the text of --engine.
        limits: of the search.
        place: the analysers; all cores of this machine by default.
        is_quiet: whether nothing is shown where there is no terminal.

    Raises:
        BadParameter: there is no such engine.
        CommandError: no analyser with this engine has answered.
    """
    digest, name = chosen_engine(engine)
    from master.cli.chess.search_fleet import fleet_probes  # noqa: PLC0415  # loads both daemons

    if not place.is_here and place.master is None:
        place = replace(place, local=len(os.sched_getaffinity(0)))  # a master has other engines
    place = with_engine(replace(place, wait_s=place.patience_s), engine)
    depth = None if limits.depth is None else min(limits.depth, DEPTH_MAX)
    task = ProbeTask(digest, (board,), limits.line_count, (), limits.nodes, depth)
    with fleet_probes(place) as probes:
        watch = _Watch(ProbingEngine(digest, name, probes), task, limits.seconds, place.patience_s)
        is_interrupted = watch.run(is_quiet=is_quiet)
    if not watch.rounds.lines:
        why = watch.error or f"no analyser with {name} has answered"
        raise CommandError(why, ExitCode.INTERRUPTED if is_interrupted else ExitCode.JOB_FAILED)
    rounds = watch.rounds
    return (
        EngineAnswer(board, digest, name, rounds.lines, rounds.nodes, watch.seconds),
        is_interrupted,
    )


class _Watch:
    """A search in a thread, its clock, and its progress on the terminal."""

    def __init__(
        self, engine: ProbingEngine, task: ProbeTask, limit_s: float, patience_s: float
    ) -> None:
        self._board = task.boards[-1]
        self._limit_s = limit_s
        self._patience_s = patience_s
        self._began_s = time.perf_counter()
        self._status = ""
        self._search = ProbeSearch(engine, task, self._elapsed_s, lambda: limit_s, self._tell)
        self._ended = threading.Event()
        self.seconds = 0.0
        self.error = ""

    @property
    def rounds(self) -> ProbeRounds:
        """What was found."""
        return self._search.rounds

    def _elapsed_s(self) -> float:
        return time.perf_counter() - self._began_s

    def _tell(self, rounds: ProbeRounds) -> None:
        best = rounds.lines[0] if rounds.lines else None
        if best is not None:
            value, line = found_value_text(best.value), line_text(self._board, best.moves)
            effort = effort_text(rounds.nodes, self._elapsed_s())
            self._status = f"depth {best.depth}, {value}, {effort}: {line}"

    def run(self, *, is_quiet: bool) -> bool:
        """Search to the end; return whether Ctrl-C ended it."""
        threading.Thread(target=self._work, name="chess probes", daemon=True).start()
        is_interrupted = False
        try:
            with ProgressDisplay(is_quiet=is_quiet) as progress:
                while not self._ended.wait(self._wait_s()):
                    if self._is_enough:
                        break
                    if self._elapsed_s() >= FIRST_PLAIN_S:
                        progress.draw_line(self._status or "no analyser has answered yet")
        except KeyboardInterrupt:
            is_interrupted = True
        self._search.stop()
        self._ended.wait(END_S_MAX)
        self.seconds = self._elapsed_s()
        return is_interrupted

    def _wait_s(self) -> float:
        return max(min(self._limit_s - self._elapsed_s(), TICK_S), 0.0)

    @property
    def _is_enough(self) -> bool:
        """Whether the time is over; without any line yet, whether the patience is."""
        seconds = self._elapsed_s()
        is_known = bool(self._search.rounds.lines)
        return seconds >= (self._limit_s if is_known else max(self._limit_s, self._patience_s))

    def _work(self) -> None:
        try:
            self._search.run()
        except MasterError as error:
            self.error = str(error)
        finally:
            self._ended.set()
