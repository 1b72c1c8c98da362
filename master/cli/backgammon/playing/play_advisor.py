"""Values positions of a session, and has the record analysed while the player thinks.

Moves that people wait for go out as urgent questions, which pause the analysis in the background
wherever it runs.
"""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, SimpleQueue

from engine_ext.backgammon.analysis import ActionAnalysis
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.play import (
    CubeDecision,
    PositionEvaluation,
    RankedMove,
    decide_cube,
    evaluate,
)
from engine_ext.backgammon.questions import AnalysisSettings
from engine_ext.services import engine_digest
from master.cli.fleet_thread import FleetThread
from master.cli.interruptible import interruptible
from master.cli.output import echo_notice
from master.cli.playing.play_terminal import show_count
from master.contract.errors import MasterError
from master.contract.job_words import Priority
from master.contract.master import Master
from master.games.backgammon.fleet_answers import rank_moves_over
from master.games.backgammon.matches.decisions import ActionQuestion, ask_about_action
from master.games.backgammon.matches.flow import advance
from master.games.backgammon.matches.replay import Moment
from master.games.backgammon.play.live_match import Dice, LiveMatch, TimelineEntry

FAILURES_MAX = 3
"""Calls that failed before nothing more is asked: a fleet that is gone is not asked for ever."""

HERE_S_MAX = 0.002
"""Longer work goes out as urgent questions: here it would share the cores with the analysis in the
background, there it makes that pause.  A question takes less than this on its way and back."""

WAIT_S = 0.1
"""How often a wait looks up: soon enough for Ctrl-C and for a counter on the screen."""


@dataclass(eq=False)
class _Call:
    """One call for answers: about which match, and which actions of it."""

    live: LiveMatch
    entries: list[TimelineEntry]
    asked: list[ActionQuestion]
    future: Future[list[str]] = field(init=False)


class FleetAdvisor:
    """Values positions at one level, and keeps the record analysed at another."""

    def __init__(self, fleet: FleetThread, ply: int, analysis: AnalysisSettings) -> None:
        """Prepare an advisor.

        Args:
            fleet: where questions go.
            ply: the level of advice in a session.
            analysis: how deep the record is analysed.
        """
        self._fleet = fleet
        self._ply = ply
        self._analysis = analysis
        self._engine = engine_digest("backgammon")
        self._calls: list[_Call] = []
        self._answers: SimpleQueue[tuple[_Call, int, str]] = SimpleQueue()
        self._failures = 0
        self.trouble = ""

    # Requests of the session.

    def rank(self, state: GameState, dice: Dice, ply: int | None = None) -> list[RankedMove]:
        """Return every legal move, best first; at the advisor's level, or at another."""
        deep = self._ply if ply is None else ply
        return self._fleet.run(
            lambda master: rank_moves_over(master.ask, state, dice, deep, here_s_max=HERE_S_MAX)
        )

    def judge(self, state: GameState, ply: int | None = None) -> CubeDecision:
        """Return the answers to the cube question of the player on roll."""
        return interruptible(partial(decide_cube, state, self._ply if ply is None else ply))

    def evaluate(self, state: GameState) -> PositionEvaluation:
        """Return the chances of the player on roll."""
        return interruptible(partial(evaluate, state, self._ply))

    # The record.

    def follow(self, live: LiveMatch) -> None:
        """Ask about new entries of the record, and put all answers so far into it."""
        self._drop_ended(live)
        # behind it: a call that has ended has put all its answers there
        self._receive_answers(live)
        if self._failures < FAILURES_MAX:
            self._ask_about(live, live.unasked())

    def left(self, live: LiveMatch) -> int:
        """Return how many actions of the record wait for their analysis."""
        self.follow(live)
        waited = {entry.number for call in self._calls for entry in call.entries}
        return sum(entry.number in waited for entry in live.unanswered())

    def wait_a_moment(self) -> None:
        """Wait until something that was asked is answered in full, or WAIT_S is over."""
        wait([call.future for call in self._calls], WAIT_S, FIRST_COMPLETED)

    def complete(self, live: LiveMatch) -> None:
        """Wait for the rest of the analysis, and say so if a part of it failed."""
        total = len(live.entries)
        while left := self.left(live):
            show_count(f"analysed {total - left} of {total}")
            self.wait_a_moment()
        show_count("")
        if self.trouble:
            echo_notice(f"not all is analysed: {self.trouble}")

    def _receive_answers(self, live: LiveMatch) -> None:
        """Empty the queue; answers about another match, or an action that is gone, are dropped."""
        while True:
            try:
                call, index, text = self._answers.get_nowait()
            except Empty:
                return
            if call.live is live:
                live.record_analysis(call.entries[index].number, call.asked[index].analysis(text))

    def _drop_ended(self, live: LiveMatch) -> None:
        """Drop calls that have ended; the open questions of a failed one are asked again."""
        for call in [call for call in self._calls if call.future.done()]:
            self._calls.remove(call)
            error = None if call.future.cancelled() else call.future.exception()
            if error is None:
                continue
            if not isinstance(error, MasterError):
                raise error
            self._failures += 1
            self.trouble = str(error)
            for entry in call.entries:
                if call.live is live:
                    live.mark_unanswered(entry.number)

    def _ask_about(self, live: LiveMatch, entries: tuple[TimelineEntry, ...]) -> None:
        call = _Call(live, [], [])
        for entry in entries:
            live.mark_asked(entry.number)
            asked = ask_about_action(entry.game, _moment(entry), self._analysis, self._engine)
            if asked is None:
                live.record_analysis(entry.number, ActionAnalysis())
            else:
                call.entries.append(entry)
                call.asked.append(asked)
        if not call.asked:
            return
        questions = [asked.question.to_text() for asked in call.asked]

        async def ask(master: Master) -> list[str]:
            return await master.ask(
                questions,
                priority=Priority.BACKGROUND,
                on_answer=lambda index, text: self._answers.put((call, index, text)),
            )

        call.future = self._fleet.start(ask)
        self._calls.append(call)


def _moment(entry: TimelineEntry) -> Moment:
    move = advance(entry.before, entry.action)[1]
    return Moment(0, entry.before, entry.action, move)
