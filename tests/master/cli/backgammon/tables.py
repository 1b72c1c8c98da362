"""A person who types from a script, and an advisor without a fleet, for the backgammon table."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.play import (
    CubeDecision,
    Evaluation,
    RankedMove,
    decide_cube,
    evaluate,
    rank_moves,
)
from master.cli.backgammon.play_person import Person
from master.cli.backgammon.play_table import Outside, Settings, Table
from master.cli.playing.play_terminal import Leave
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.record import Match
from master.games.backgammon.play.dice import Dice
from master.games.backgammon.play.live_match import LiveMatch, Phase
from master.games.errors import RecordError


class StaticAdvisor:
    """Values positions at 0-ply and analyses nothing."""

    def __init__(self) -> None:
        self.followed = 0

    def rank(self, state: GameState, dice: Dice) -> list[RankedMove]:
        return rank_moves(state, dice)

    def judge(self, state: GameState) -> CubeDecision:
        return decide_cube(state)

    def evaluate(self, state: GameState) -> Evaluation:
        return evaluate(state)

    def follow(self, live: LiveMatch) -> None:
        assert live.phase in Phase
        self.followed += 1


class Script:
    """What the person types, line by line; then the end of the file, or always the best."""

    def __init__(self, *lines: str) -> None:
        self.lines = iter(lines)
        self.prompts: list[str] = []
        self.saved: list[AnalysedMatch] = []
        self.begun = 0

    def ask(self, prompt: str) -> str:
        self.prompts.append(prompt)
        for line in self.lines:
            return line
        raise Leave

    def save(self, analysed: AnalysedMatch, path: Path | None) -> Path:
        self.saved.append(analysed)
        return path or Path("own.sgf")

    def outside(self) -> Outside:
        return Outside(self.ask, self.save, self.no_file, self.begin, lambda analysed: None)

    def begin(self) -> None:
        self.begun += 1

    @staticmethod
    def no_file(path: Path) -> LiveMatch:
        raise RecordError(f"{path}: No such file or directory")


def play(script: Script, settings: Settings, length: int = 3) -> Table:
    """Play what the script says; return the table as it is left."""
    live = LiveMatch(AnalysedMatch(Match(("Ann", "manyply"), length)))
    table = Table(live, StaticAdvisor(), settings, script.outside())
    try:
        table.play(Person(table).act)
    except Leave:
        assert table.live.phase is not Phase.MATCH_OVER
    return table


def best_lines(table: Table) -> Iterator[str]:
    """Yield what a person would type who plays as the engine does."""
    while True:
        live, state = table.live, table.live.state.game
        if live.phase is Phase.MOVE:
            assert live.dice is not None
            yield rank_moves(state, live.dice)[0].text
        elif live.phase is Phase.ANSWER:
            yield "take"
        else:
            yield "roll"
