"""A match at the terminal: whose turn it is, the dice, and what the engine does.

Knows the course of a match.  What is allowed comes from the live match, what is good from the
advisor, how it looks from play_screen, what the person does from play_person.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.play import CubeDecision, Evaluation, RankedMove
from master.cli.backgammon.play_screen import entry_text, names_of, result_text, show_board
from master.cli.output import echo
from master.cli.playing.play_terminal import Leave
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.record import Action, Double, Play
from master.games.backgammon.play.advice import has_cube_decision, is_double_right, right_answer
from master.games.backgammon.play.commands import QUITTING, read_roll
from master.games.backgammon.play.dice import SEED_MAX, Dice, seeded_roll
from master.games.backgammon.play.live_match import LiveMatch, Phase
from master.games.errors import RecordError
from master.games.words import CommandMistake


class Advisor(Protocol):
    """Who values positions, and analyses the record while the person thinks."""

    def rank(self, state: GameState, dice: Dice) -> list[RankedMove]:
        """Return every legal move, best first."""

    def judge(self, state: GameState) -> CubeDecision:
        """Return the answers to the cube question of the player on roll."""

    def evaluate(self, state: GameState) -> Evaluation:
        """Return the chances of the player on roll."""

    def follow(self, live: LiveMatch) -> None:
        """Ask about what is new in the record, and put what is known by now into it."""


@dataclass(frozen=True)
class Settings:
    """How a match is played.

    Args:
        seed: of the dice; None: the person rolls them and types them in.
        tutor_loss: the tutor warns from this loss; None: no tutor.
        human: the person's player number.
        is_auto_roll: the person's rolls come by themselves where no cube has to be decided about.
    """

    seed: int | None
    tutor_loss: float | None = None
    human: int = 0
    is_auto_roll: bool = False


@dataclass(frozen=True)
class Outside:
    """What a table needs of the world.

    Args:
        ask: shows a prompt and returns a line; Leave when there are no more.
        save: writes the match to a file (None: the match's own); returns its path.  RecordError
            when that fails.
        load: reads a match, whose own file is saved to from then on; RecordError likewise.
        begin: another match begins, and has a file of its own.
        review: prints the figures of an analysed match.
    """

    ask: Callable[[str], str]
    save: Callable[[AnalysedMatch, Path | None], Path]
    load: Callable[[Path], LiveMatch]
    begin: Callable[[], None]
    review: Callable[[AnalysedMatch], None]


class Table:
    """One match after the other, until one is played to its end."""

    def __init__(
        self,
        live: LiveMatch,
        advisor: Advisor,
        settings: Settings,
        outside: Outside,
    ) -> None:
        """Prepare the table.

        Args:
            live: the match.
            advisor: who values positions.
            settings: dice and tutor.
            outside: lines, files and reports.
        """
        self.live = live
        self.advisor = advisor
        self.settings = settings
        self.outside = outside
        self.manual_roll: Dice | None = None
        self.is_board_due = True
        self._is_played_out = False

    @property
    def human(self) -> int:
        """The person's player number."""
        return self.settings.human

    def play(self, person_acts: Callable[[], None]) -> None:
        """Play until a match ends.  One that was over when it came stays until the person leaves.

        Args:
            person_acts: lets the person do one thing (see play_person).

        Raises:
            Leave: the person leaves before.
        """
        self.go_over_to(self.live)
        while not self._is_played_out:
            self._step(person_acts)
            self.advisor.follow(self.live)

    def go_over_to(self, live: LiveMatch) -> None:
        """Put a match on the table; of one that is over, say how it ended."""
        self.live = live
        self.is_board_due = live.phase is not Phase.MATCH_OVER
        if not self.is_board_due and live.state.result is not None:
            echo(result_text(live.match, live.state.result, self.human))

    def begin_again(self) -> None:
        """Put another match of the same players, length and rules on the table, with other dice."""
        self.outside.begin()
        if self.settings.seed is not None:
            seed = (self.settings.seed + 1) % (SEED_MAX + 1)
            self.settings = replace(self.settings, seed=seed)
            echo(f"Dice by seed {seed}.")
        self.go_over_to(LiveMatch(AnalysedMatch(replace(self.live.match, games=(), tags={}))))

    def _step(self, person_acts: Callable[[], None]) -> None:
        live = self.live
        if live.phase is Phase.GAME_OVER:
            live.begin_next_game()
            self.is_board_due = True
        elif live.phase is Phase.OPENING:
            self._open()
        elif live.phase is Phase.MATCH_OVER:
            person_acts()
        elif live.decider != self.human:
            self._engine_acts()
        elif live.dice is not None and not live.legal_moves()[0].steps:
            self.do(Play(self.human, live.dice, ()))
        elif self._is_rolling_alone():
            self.roll(self.human)
        else:
            person_acts()

    def _is_rolling_alone(self) -> bool:
        is_due = self.settings.is_auto_roll and self.live.phase is Phase.TURN
        return is_due and not has_cube_decision(self.live.state)

    # Dice.

    def roll(self, player: int) -> None:
        """Roll for the player on roll."""
        self.live.roll(self.next_roll(names_of(self.live.match)[player]))
        self.is_board_due = True

    def next_roll(self, who: str) -> Dice:
        """Return the next roll: chosen, typed in, or by the seed."""
        if self.manual_roll is not None:
            roll, self.manual_roll = self.manual_roll, None
            return roll
        live, seed = self.live, self.settings.seed
        if seed is not None:
            return seeded_roll(seed, live.game_index, live.roll_number)
        while True:
            try:
                return self._typed_roll(who)
            except CommandMistake as mistake:
                echo(str(mistake))

    def _typed_roll(self, who: str) -> Dice:
        """Return the dice typed in; Leave for a person who would rather go."""
        text = self.outside.ask(f"Dice of {who}: ")
        if text.strip().lower() in QUITTING:
            raise Leave
        return read_roll(text)

    def _open(self) -> None:
        live = self.live
        names = names_of(live.match)
        echo("")
        self._say_score()
        try:
            roll = self.next_roll(f"{names[0]} and {names[1]}, one each")
            live.roll(roll)
        except RecordError as error:
            echo(str(error))
            return
        assert live.decider is not None, "the first roll has a winner"
        echo(f"{names[0]} rolls {roll[0]}, {names[1]} {roll[1]}: {names[live.decider]} begins.")
        self.is_board_due = True

    def _say_score(self) -> None:
        match = self.live.match
        length = f"Match to {match.length}" if match.length else "Money game"
        score = match.games[-1].score
        crawford = ", the Crawford game" if match.games[-1].is_crawford else ""
        echo(f"{length}, game {len(match.games)} at {score[0]}-{score[1]}{crawford}.")

    # The engine.

    def _engine_acts(self) -> None:
        """Let the engine roll, double, answer or move."""
        live = self.live
        engine, state = 1 - self.human, live.state.game
        if live.phase is Phase.MOVE:
            assert live.dice is not None, "that phase has dice"
            self.do(self._engine_play(live.dice))
        elif live.phase is Phase.ANSWER:
            decision = self.advisor.judge(before_double(state))
            self.do(right_answer(decision, engine))
        elif has_cube_decision(live.state) and is_double_right(self.advisor.judge(state)):
            self.do(Double(engine))
        else:
            self.roll(engine)

    def _engine_play(self, dice: Dice) -> Play:
        live = self.live
        legal = live.legal_moves()
        if len(legal) == 1:
            return Play(1 - self.human, dice, legal[0].steps)
        best = self.advisor.rank(live.state.game, dice)[0].position_after.swapped()
        move = next(move for move in legal if move.after == best)
        return Play(1 - self.human, dice, move.steps)

    # What both do.

    def draw(self) -> None:
        """Draw the board."""
        show_board(self.live, self.human)
        self.is_board_due = False

    def do(self, action: Action) -> None:
        """Do something, say so, and save the match."""
        live = self.live
        entry = live.act(action)
        self.advisor.follow(live)
        echo(entry_text(entry, live.match, self.human))
        if live.state.result is not None:
            echo(result_text(live.match, live.state.result, self.human))
        self.keep()
        self.is_board_due = True
        self._is_played_out = live.phase is Phase.MATCH_OVER

    def keep(self) -> Path | None:
        """Save the match; None: it cannot be, which is said, and need not end the game."""
        try:
            return self.outside.save(self.live.analysed, None)
        except RecordError as error:
            echo(f"not saved: {error}")
        return None


def before_double(state: GameState) -> GameState:
    """Return the state as it was before an offered double."""
    if not state.match.is_double_offered:
        return state
    return replace(state, match=replace(state.match, is_double_offered=False))
