"""A match in play: its actions, the actions taken back, and their analysis.

The rules are in replay.  Pure: no clock, no dice of its own, no engine, no terminal.

Every action gets a number that is never reused.  An analysis names the number of its action: if
that action was taken back and replaced by another, the analysis is dropped.  It can never be
assigned to another move.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from engine_ext.backgammon.analysis import ActionAnalysis
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.movegen import LegalMove, legal_moves
from master.games.backgammon.matches.flow import GameStage, ReplayState, apply, start_of, turned_to
from master.games.backgammon.matches.record import (
    Action,
    AnalysedMatch,
    Game,
    Match,
    Play,
    Resign,
    Result,
)
from master.games.backgammon.matches.replay import next_game
from master.games.errors import RecordError

Dice = tuple[int, int]

SEED_MAX = 2**63 - 1
_FAIR_BYTES = 252
"""The largest multiple of 6 in a byte's range: larger bytes are thrown away."""


def seeded_roll(seed: int, game: int, number: int) -> Dice:
    """Return roll `number` of a game, in the order in which the dice fell.

    Roll 0 decides which player begins: it is never a double; the first die is player 0's.
    """
    faces = _faces(f"manyply dice {seed} {game} {number}")
    roll = next(faces), next(faces)
    while number == 0 and roll[0] == roll[1]:
        roll = next(faces), next(faces)
    return roll


def _faces(key: str) -> Iterator[int]:
    """Yield fair faces, endlessly: SHA-256 of the key and a counter, byte by byte."""
    counter = 0
    while True:
        for byte in hashlib.sha256(f"{key} {counter}".encode("ascii")).digest():
            if byte < _FAIR_BYTES:
                yield byte % 6 + 1
        counter += 1


CUBE_LOG2_MAX = 10
"""The cube limit of a match state that comes from no XGID: a record cannot store another limit."""


def match_from(state: GameState, players: tuple[str, str]) -> Match:
    """Return a match whose first game begins there; rules and score are the state's.

    Player 0 of the record decides first, at the bottom of the board: the player on roll, or the
    one who has to answer a double.

    Args:
        state: a position, about to be rolled, rolled, or with a double on offer.
        players: the names, the one at the bottom first.

    Raises:
        RecordError: no game can continue from there.
    """
    given = state.match
    if state.position.result:
        raise RecordError("the game is over in this position")
    own = int(given.is_double_offered)
    start = replace(state, match=replace(given, player_on_roll=own, cube_log2_max=CUBE_LOG2_MAX))
    game = Game(
        score=given.score if own == 0 else (given.score[1], given.score[0]),
        is_crawford=given.crawford,
        start=start,
    )
    match = Match(players, given.match_length, (game,), jacoby=given.jacoby, beavers=given.beavers)
    start_of(match, game)  # raises if no game can begin so
    return match


class Phase(Enum):
    """The kind of the next action."""

    OPENING = "the opening roll"
    TURN = "a roll or a double"
    MOVE = "a move"
    ANSWER = "take, pass or beaver"
    GAME_OVER = "the next game"
    MATCH_OVER = "nothing: the match is over"


_PHASES = {
    GameStage.OPENING: Phase.OPENING,
    GameStage.ROLL: Phase.TURN,
    GameStage.ANSWER: Phase.ANSWER,
}


@dataclass(frozen=True)
class TimelineEntry:
    """An action in the match.

    Args:
        number: its own, never given to another.
        game: index of its game.
        before: the game just before it, seen by the player on roll; of a play, before the dice.
        action: the action itself.
    """

    number: int
    game: int
    before: ReplayState
    action: Action


class LiveMatch:
    """A match that can be continued, taken back and done again."""

    def __init__(self, analysed: AnalysedMatch) -> None:
        """Continue a recorded match, or begin one that has no games yet.

        Raises:
            RecordError: the record breaks the rules.
        """
        self._rules = replace(analysed.match, games=())
        self._starts: list[Game] = []
        self._results: list[Result | None] = []  # of the games before the last
        self._timeline: list[TimelineEntry] = []
        self._undone: list[TimelineEntry] = []
        self._analyses: dict[int, ActionAnalysis] = {}
        self._asked: set[int] = set()
        self._last_number = 0
        self._dice: Dice | None = None
        self._state: ReplayState
        for game in analysed.match.games:
            self._replay(analysed, game)
        if not self._starts:
            self._begin_game()

    def _replay(self, analysed: AnalysedMatch, game: Game) -> None:
        """Play a recorded game up to its last action."""
        self._begin(replace(game, actions=(), result=None))
        for number, action in enumerate(game.actions):
            entry = self.act(action)
            known = analysed.of(self.game_index, number)
            if known is not None:
                self.record_analysis(entry.number, known)
        if game.result is not None and self._state.result is None:  # given up, without an action
            self._state = replace(self._state, stage=GameStage.OVER, result=game.result)
        if self._state.stage is GameStage.LEFT:  # a roll left unmoved is still on the board
            self.undo()
            self._undone.clear()
        elif self._state.stage is GameStage.MOVE:
            self._dice = self._state.game.match.dice

    # State.

    @property
    def state(self) -> ReplayState:
        """The game now, seen by the player on roll."""
        return self._state

    @property
    def dice(self) -> Dice | None:
        """The roll that is to be moved."""
        return self._dice

    @property
    def game_index(self) -> int:
        """Index of the game that is played, or was played last."""
        return len(self._starts) - 1

    @property
    def roll_number(self) -> int:
        """The number of the next roll of this game: the count of rolls played.

        Roll 0 decides which player begins; a game from a set position has none.
        """
        return (self._starts[-1].start is not None) + sum(
            entry.game == self.game_index and isinstance(entry.action, Play)
            for entry in self._timeline
        )

    @property
    def phase(self) -> Phase:
        """The kind of the next action."""
        if self._dice is not None:
            return Phase.MOVE
        if self._state.stage is GameStage.OVER:
            return Phase.MATCH_OVER if next_game(self.match) is None else Phase.GAME_OVER
        return _PHASES[self._state.stage]

    @property
    def decider(self) -> int | None:
        """The player of the next action; None: nobody in particular."""
        if self.phase in (Phase.TURN, Phase.MOVE, Phase.ANSWER):
            return self._state.decider
        return None

    @property
    def match(self) -> Match:
        """The record so far."""
        actions: list[list[Action]] = [[] for _ in self._starts]
        for entry in self._timeline:
            actions[entry.game].append(entry.action)
        results = (*self._results, self._state.result)
        games = tuple(
            replace(start, actions=tuple(done), result=result)
            for start, done, result in zip(self._starts, actions, results, strict=True)
        )
        return replace(self._rules, games=games)

    @property
    def analysed(self) -> AnalysedMatch:
        """The record so far, with its analysis."""
        analyses = tuple(
            tuple(self._analyses.get(e.number) for e in self._timeline if e.game == game)
            for game in range(len(self._starts))
        )
        return AnalysedMatch(self.match, analyses)

    @property
    def entries(self) -> tuple[TimelineEntry, ...]:
        """The actions, in order."""
        return tuple(self._timeline)

    def legal_moves(self) -> list[LegalMove]:
        """Return the legal moves of the roll on the board."""
        assert self._dice is not None, "there is a roll"
        return legal_moves(self._state.game.position, self._dice)

    # Changes.

    def roll(self, dice: Dice) -> None:
        """Put a roll on the board.  The first of a game is one die of each player.

        Raises:
            RecordError: no roll is due, or the first one is a double.
        """
        state, phase = self._state, self.phase
        if phase is Phase.OPENING:
            if dice[0] == dice[1]:
                raise RecordError("the first roll of a game is no double: roll again")
            state = turned_to(state, Play(int(dice[1] > dice[0]), dice, ()))
        elif phase is not Phase.TURN:
            raise RecordError(f"no roll is due: expected {phase.value}")
        self._state, self._dice = state, _sorted(dice)
        if self._undone and not self._is_next(self._undone[-1]):
            self._forget_undone()

    def _is_next(self, entry: TimelineEntry) -> bool:
        """Whether an action that was taken back belongs to the roll on the board."""
        action = entry.action
        is_of_roll = isinstance(action, Play) and _sorted(action.dice) == self._dice
        return is_of_roll and entry.before == self._state

    def act(self, action: Action) -> TimelineEntry:
        """Add an action; return its entry.  An action done again keeps its number.

        Raises:
            RecordError: it cannot be done now.
        """
        if self._dice is not None:
            self._check_after_roll(action)
        before = turned_to(self._state, action)
        after = apply(self._state, action)
        entry = self._next_entry(before, action)
        self._timeline.append(entry)
        self._state, self._dice = after, None
        return entry

    def _check_after_roll(self, action: Action) -> None:
        """Check that with a roll on the board the action is a move or a resignation."""
        if isinstance(action, Play) and _sorted(action.dice) != self._dice:
            raise RecordError(f"the roll on the board is {self._dice}, not {action.dice}")
        if isinstance(action, Play) and action.player != self.decider:
            raise RecordError(f"player {self.decider} has the roll, not player {action.player}")
        if not isinstance(action, Play | Resign):
            raise RecordError(f"the dice are rolled: expected {Phase.MOVE.value}")

    def _next_entry(self, before: ReplayState, action: Action) -> TimelineEntry:
        if self._undone:
            entry = self._undone[-1]
            if (entry.game, entry.before, entry.action) == (self.game_index, before, action):
                return self._undone.pop()
        self._forget_undone()
        self._last_number += 1
        return TimelineEntry(self._last_number, self.game_index, before, action)

    def _forget_undone(self) -> None:
        """Drop the actions taken back that cannot be done again, with their analysis."""
        for entry in self._undone:
            self._forget(entry.number)
        self._undone.clear()

    def _forget(self, number: int) -> None:
        self._analyses.pop(number, None)
        self._asked.discard(number)

    def begin_next_game(self) -> None:
        """Set the checkers up for the next game; the last one is over."""
        assert self.phase is Phase.GAME_OVER, "the last game is over and the match is not"
        self._begin_game()

    def _begin_game(self) -> None:
        game = next_game(self.match) if self._starts else next_game(self._rules)
        assert game is not None, "the match is not over"
        self._begin(game)

    def _begin(self, game: Game) -> None:
        if self._starts:
            self._results.append(self._state.result)
        self._starts.append(game)
        self._state, self._dice = start_of(self._rules, game), None

    def undo(self) -> TimelineEntry | None:
        """Take the last action back; None: there is none.  A play's roll is on the board again."""
        if not self._timeline:
            return None
        entry = self._timeline.pop()
        self._undone.append(entry)
        del self._starts[entry.game + 1 :]
        del self._results[entry.game :]
        self._state = entry.before
        self._dice = _sorted(entry.action.dice) if isinstance(entry.action, Play) else None
        return entry

    def redo(self) -> TimelineEntry | None:
        """Do the last action taken back again; None: there is none."""
        if not self._undone:
            return None
        entry = self._undone[-1]
        if entry.game > self.game_index:
            self._begin_game()
        self._state = entry.before
        self._dice = _sorted(entry.action.dice) if isinstance(entry.action, Play) else None
        return self.act(entry.action)

    # Analysis.

    def unasked(self) -> tuple[TimelineEntry, ...]:
        """Return the entries for which no analysis was requested, in order."""
        return tuple(
            entry
            for entry in self._timeline
            if entry.number not in self._asked and entry.number not in self._analyses
        )

    def unanswered(self) -> tuple[TimelineEntry, ...]:
        """Return the entries without an analysis, in order."""
        return tuple(entry for entry in self._timeline if entry.number not in self._analyses)

    def mark_asked(self, number: int) -> None:
        """Remember that an analysis of an action was requested."""
        self._asked.add(number)

    def mark_unanswered(self, number: int) -> None:
        """Remember that no answer will come, so that it is requested again."""
        self._asked.discard(number)

    def record_analysis(self, number: int, analysis: ActionAnalysis) -> bool:
        """Keep the analysis of an action; False: the action is gone, and the analysis is dropped.

        An action taken back that may be done again is not gone.
        """
        if not any(entry.number == number for entry in (*self._timeline, *self._undone)):
            return False
        self._analyses[number] = analysis
        return True


def _sorted(dice: Dice) -> Dice:
    return max(dice), min(dice)
