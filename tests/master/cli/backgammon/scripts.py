"""A player who types from a script, and an advisor without a fleet, for the backgammon session."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.play import (
    CubeDecision,
    PositionEvaluation,
    RankedMove,
    decide_cube,
    evaluate,
    rank_moves,
)
from engine_ext.backgammon.questions import AnalysisSettings
from master.cli.backgammon.playing.backgammon_session import BackgammonSession, Settings
from master.cli.backgammon.playing.play_advisor import FleetAdvisor
from master.cli.backgammon.playing.play_backgammon import BackgammonWords
from master.games.backgammon.matches.record import AnalysedMatch, Match
from master.games.backgammon.play.live_match import Dice, LiveMatch, Phase
from tests.master.cli.playing import scripted


class StaticAdvisor(FleetAdvisor):
    """Values positions at 0-ply and analyses nothing, so that it needs no fleet."""

    def __init__(self) -> None:
        super().__init__(None, 0, AnalysisSettings(0, 0))  # type: ignore[arg-type]

    def rank(self, state: GameState, dice: Dice, ply: int | None = None) -> list[RankedMove]:
        return rank_moves(state, dice, ply or 0)

    def judge(self, state: GameState, ply: int | None = None) -> CubeDecision:
        return decide_cube(state, ply or 0)

    def evaluate(self, state: GameState) -> PositionEvaluation:
        return evaluate(state)

    def follow(self, live: LiveMatch) -> None:
        assert live.phase in Phase

    def complete(self, live: LiveMatch) -> None:
        assert live.phase is Phase.MATCH_OVER


class Script(scripted.Script[LiveMatch]):
    """Remembers matches as they were when they were saved."""

    def __init__(self, *lines: str, files: Mapping[str, LiveMatch] | None = None) -> None:
        super().__init__(*lines, files=files)
        self.matches: list[Match] = []

    def save(self, record: LiveMatch, elsewhere: Path | None = None) -> Path:
        path = super().save(record, elsewhere)
        self.matches.append(record.match)
        return path


def session_of(script: Script, settings: Settings, match: Match) -> BackgammonSession:
    live = LiveMatch(AnalysedMatch(match))
    return BackgammonSession(live, settings, StaticAdvisor(), script, script.ask)


def sit(session: BackgammonSession) -> BackgammonSession:
    """Play what the script says; return the session at its end."""
    scripted.left(session, BackgammonWords(session).commands())
    return session


def play(script: Script, settings: Settings, length: int = 3) -> BackgammonSession:
    """Play a new match that does not end; return the session at its end."""
    session = sit(session_of(script, settings, Match(("Ann", "manyply"), length)))
    assert session.record.phase is not Phase.MATCH_OVER
    return session


def best_lines(session: BackgammonSession) -> Iterator[str]:
    """Yield what a player would type who plays as the engine does."""
    while True:
        live, state = session.record, session.record.state.game
        if live.phase is Phase.MOVE:
            assert live.dice is not None
            yield rank_moves(state, live.dice)[0].text
        elif live.phase is Phase.ANSWER:
            yield "take"
        else:
            yield "roll"
