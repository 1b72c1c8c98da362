"""Games of Othello judged against the clock, by one thread of this process."""

from __future__ import annotations

import time

from engine_ext.othello.answer import BoardAnswer, BoardQuestion, BoardStatus, answer
from master.cli.jobs.progress import FIRST_PLAIN_S, ProgressDisplay
from master.cli.othello.play_advisor import OthelloAdvisor
from master.cli.othello.search_watch import status_line
from master.games.othello.analysis.judging import AnalysedGame, JudgedMove, judged
from master.games.othello.level import Level
from master.games.othello.record import OthelloRecord


class _Watch:
    """Shows where the analysis is, once it takes time."""

    def __init__(self, progress: ProgressDisplay) -> None:
        self._progress = progress
        self._started = time.perf_counter()
        self.place = ""

    def search(self, question: BoardQuestion, limit_s: float | None) -> BoardAnswer | BoardStatus:
        """Search, and show the progress; return the answer, or the result at the limit."""
        steps, started = answer(question), time.perf_counter()
        while True:
            try:
                status = next(steps)
            except StopIteration as end:
                found: BoardAnswer = end.value
                return found
            now = time.perf_counter()
            if limit_s is not None and now - started >= limit_s:
                return status
            if now - self._started >= FIRST_PLAIN_S:
                line = status_line(status, now - started)
                self._progress.draw_line(f"{self.place}: {line}")


def analyse_alone(
    records: list[tuple[int, OthelloRecord]],
    level: Level,
    games: list[AnalysedGame],
    *,
    is_quiet: bool,
) -> bool:
    """Analyse games into a list; return whether Ctrl-C ended it, and print that."""
    with ProgressDisplay(is_quiet=is_quiet) as progress:
        watch = _Watch(progress)
        try:
            for place, (number, record) in enumerate(records, 1):
                title = f"game {place} of {len(records)}"
                games.append(AnalysedGame(number, record, _moves(record, level, watch, title)))
        except KeyboardInterrupt:
            progress.show_text(f"stopped; {len(games)} of {len(records)} games are analysed")
            return True
    return False


def _moves(
    record: OthelloRecord, level: Level, watch: _Watch, title: str
) -> tuple[JudgedMove, ...]:
    """Judge a game's moves, saying where it is."""
    advisor, moves = OthelloAdvisor(level, watch.search), list[JudgedMove]()
    count = len(record.game.turns)
    watch.place = f"{title}, move 1 of {count}"
    for move in judged(record, advisor.judge_in_time):
        moves.append(move)
        watch.place = f"{title}, move {move.number + 2} of {count}"
    return tuple(moves)
