"""A session of Threes! whose player reads from a script, and whose engine takes the first move."""

from __future__ import annotations

from collections.abc import Callable

from engine_ext.threes.board import DIRECTION_NAMES, ThreesBoard
from engine_ext.threes.game import ThreesGame
from master.cli.threes.decider import Valued
from master.cli.threes.play_advisor import ThreesAdvisor
from master.cli.threes.threes_session import ThreesSession, ThreesSettings, ThreesWords
from master.games.threes.record import ThreesRecord
from tests.master.cli.playing import scripted

OTHER = ThreesRecord(8).played("l")


class FirstAdvisor(ThreesAdvisor):
    """Holds moves to be worth the less, the later they are named; may be interrupted."""

    def __init__(self, interrupted_at: int | None = None) -> None:
        self.asked: list[int | None] = []
        self.interrupted_at = interrupted_at

    def values(self, game: ThreesGame, plies: int | None = None) -> Valued:
        if len(self.asked) == self.interrupted_at:
            raise KeyboardInterrupt
        self.asked.append(plies)
        moves = ThreesBoard(game.cells).moves()
        values = {name: 1000.0 - 10 * DIRECTION_NAMES.index(name) for name in moves}
        return Valued(plies or 2, values)

    def shares(self) -> dict[str, int]:
        return {}


class Script(scripted.Script[ThreesRecord]):
    """Has another game to load."""

    def __init__(self, *lines: str | Callable[[], object]) -> None:
        super().__init__(*lines, files={"other.threes": OTHER})


def session_of(
    script: Script,
    record: ThreesRecord | None = None,
    *,
    is_watching: bool = False,
    advisor: FirstAdvisor | None = None,
    clock: Callable[[], float] = lambda: 0.0,
) -> ThreesSession:
    settings = ThreesSettings("Ann", is_watching)
    return ThreesSession(
        record or ThreesRecord(3), settings, advisor or FirstAdvisor(), script, script.ask, clock
    )


def play(session: ThreesSession) -> ThreesSession:
    """Play what the script says; return the session at its end."""
    scripted.left(session, ThreesWords(session).commands())
    return session
