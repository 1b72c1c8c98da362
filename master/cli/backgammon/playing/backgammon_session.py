"""A match at the terminal: the turns, the dice, the engine's actions, and their texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from engine_ext.backgammon.match_state import CENTRED, ON_ROLL, GameState
from engine_ext.backgammon.move_text import format_move
from engine_ext.backgammon.play import CubeDecision, RankedMove
from master.cli.backgammon.external.external_opponent import OpponentGoneError
from master.cli.backgammon.playing.play_advisor import FleetAdvisor
from master.cli.errors import ExitCode
from master.cli.output import echo, echo_notice, echo_table
from master.cli.playing.game_file import GameFile, today
from master.cli.playing.game_session import GameSession
from master.cli.playing.play_terminal import Leave, ask
from master.cli.playing.unfinished import Options
from master.cli.playing.words import QUITTING, CommandMistake, understood
from master.cli.terminal import terminal_width
from master.games.backgammon.analyse_report import error_lines, figure_lines
from master.games.backgammon.external.fibs_board import Due, DueQuestion
from master.games.backgammon.matches.figures import match_figures
from master.games.backgammon.matches.record import (
    Action,
    AnalysedMatch,
    Beaver,
    Double,
    Drop,
    Match,
    Play,
    Resign,
    Result,
    Take,
)
from master.games.backgammon.matches.replay import score_after
from master.games.backgammon.play.advice import has_cube_decision, is_double_right, right_answer
from master.games.backgammon.play.board_view import (
    MINE,
    RESIGNED,
    SIDE_BY_SIDE_COLUMNS,
    THEIRS,
    BoardScene,
    board_lines,
)
from master.games.backgammon.play.live_match import (
    SEED_MAX,
    Dice,
    LiveMatch,
    Phase,
    TimelineEntry,
    seeded_roll,
)
from master.games.backgammon.play.opponents import BackgammonOpponent
from master.games.backgammon.typed import read_dice
from master.games.errors import RecordError
from master.games.spans import Line
from master.reports.texts import printable, signed

HUMAN, ENGINE = 0, 1
"""The players: at the bottom of the board, and at the top."""

ADVICE_PLY = 2
"""The engine's look-ahead, unless another is set."""

MARKS = (MINE, THEIRS)
ERRORS_SHOWN = 10


def dated(match: Match) -> Match:
    """Return a match that begins today, without other facts about it."""
    return replace(match, tags={"date": today()})


def names_of(match: Match) -> tuple[str, str]:
    """Return the players' names without control characters, which a file may hold."""
    first, second = map(printable, match.players)
    return first or "player 1", second or "player 2"


def match_lines(live: LiveMatch) -> list[Line]:
    """Draw the board as the human player sees it."""
    return board_lines(scene_of(live), terminal_width() or SIDE_BY_SIDE_COLUMNS)


def scene_of(live: LiveMatch) -> BoardScene:
    """Return the board to draw, the human player at the bottom."""
    state = live.state.game
    is_human = state.match.player_on_roll == HUMAN
    owner = state.match.cube_owner
    if owner != CENTRED and not is_human:
        owner = 1 - owner
    assert owner in (CENTRED, ON_ROLL, 1), "seats are as the bottom player sees them"
    return BoardScene(
        position=state.position if is_human else state.position.swapped(),
        names=names_of(live.match),
        scores=state.match.score if is_human else state.match.score[::-1],
        match_length=state.match.match_length,
        cube_value=state.match.cube_value,
        cube_owner=owner,
        dice=live.dice,
        turn=int(not is_human),
        is_crawford=state.match.crawford,
    )


def entry_text(entry: TimelineEntry, match: Match) -> str:
    """Return an action as a sentence: `X manyply rolls 3-1: 8/5 6/5`."""
    player = entry.action.player
    return f"{MARKS[player]} {names_of(match)[player]} {_done(entry, entry.action)}"


def _done(entry: TimelineEntry, action: Action) -> str:
    if isinstance(action, Play):
        roll = f"rolls {max(action.dice)}-{min(action.dice)}"
        if not action.steps:
            return f"{roll} and cannot move"
        return f"{roll}: {format_move(entry.before.game.position, action.steps)}"
    if isinstance(action, Resign):
        return f"resigns {RESIGNED[action.multiple]}"
    value = entry.before.game.match.cube_value
    return {
        Double: f"doubles to {2 * value}",
        Take: "takes",
        Beaver: f"takes and beavers to {4 * value}",
        Drop: "passes",
    }[type(action)]


def result_text(match: Match, result: Result) -> str:
    """Return the end of the last game and the score of the match."""
    score = score_after(match.games[-1])
    points = "1 point" if result.points == 1 else f"{result.points} points"
    names = names_of(match)
    length = f" in the match to {match.length}" if match.length else ""
    return (
        f"{names[result.winner]} wins {points}.  "
        f"{names[0]} {score[0]}, {names[1]} {score[1]}{length}."
    )


def show_moves(ranked: Sequence[RankedMove], count: int) -> None:
    """Print the best moves."""
    best = ranked[0].equity_cubeful
    rows = [
        (
            f"{move.rank}.", move.text, signed(move.equity_cubeful, 3),
            "" if move.rank == 1 else signed(move.equity_cubeful - best, 3), move.level,
            f"{100 * move.probs.win:z.1f}%", f"{100 * move.probs.win_gammon:z.1f}%",
            f"{100 * move.probs.lose_gammon:z.1f}%",
        )
        for move in ranked[:count]
    ]  # fmt: skip
    headings = ("", "Move", "Equity", "Diff", "Level", "Win", "W g", "L g")
    echo_table("", headings, rows, left=2, drops=(("W g", "L g"), ("Win",), ("Level",)))


def show_cube(decision: CubeDecision) -> None:
    """Print the cube question's answers."""
    rows = [
        ("No double", signed(decision.no_double, 3)),
        ("Double, take", signed(decision.double_take, 3)),
        ("Double, pass", signed(decision.double_pass, 3)),
    ]
    echo_table("", ("", "Equity"), rows)
    echo(f"Proper cube action: {decision.action}")


def show_review(analysed: AnalysedMatch) -> None:
    """Print the figures of the analysis so far, and the worst errors."""
    figures = match_figures(analysed)
    width = terminal_width()
    errors = error_lines(analysed, figures, ERRORS_SHOWN, width)
    echo("")
    shown = figure_lines(analysed, figures, None, source="as analysed", width=width)
    for line in (*shown, "", *errors):
        echo(line)


class Opponent(Protocol):
    """Another program, which plays in the engine's place."""

    def decide(self, question: DueQuestion, player: int) -> Action | None:
        """Return its action as this player; None: it rolls. It may raise OpponentGoneError."""


@dataclass(frozen=True)
class Settings:
    """How a match is played.

    Args:
        seed: of the dice; None: the player rolls them and types them in.
        tutor_loss: the tutor warns from this loss; None: no tutor.
        is_auto_roll: dice are rolled for the player if there is no cube decision.
        opponent: another program, which plays in the engine's place.
        engine: the engine plays as this level; None: at the advisor's look-ahead.
    """

    seed: int | None
    tutor_loss: float | None = None
    is_auto_roll: bool = False
    opponent: Opponent | None = None
    engine: BackgammonOpponent | None = None


_DECISIONS = {
    Phase.TURN: Due.TURN,
    Phase.MOVE: Due.MOVE,
    Phase.ANSWER: Due.ANSWER,
}


class BackgammonSession(GameSession[LiveMatch]):
    """A session with a match, until one is played to its end."""

    def __init__(
        self,
        live: LiveMatch,
        settings: Settings,
        advisor: FleetAdvisor,
        kept: GameFile[LiveMatch],
        ask: Callable[[str], str] = ask,
    ) -> None:
        """Prepare the session.

        Args:
            live: the match.
            settings: dice and tutor.
            advisor: values positions.
            kept, ask: as of any session.
        """
        super().__init__(live, kept, ask)
        self.settings = settings
        self.advisor = advisor
        self.manual_roll: Dice | None = None
        self._is_played_out = False

    def go_over_to(self, record: LiveMatch) -> None:
        """Go over to a match, and have it analysed."""
        super().go_over_to(record)
        self.advisor.follow(record)

    @property
    def whole(self) -> LiveMatch:
        """The match with all analyses so far; moves taken back are not kept."""
        self.advisor.follow(self.record)
        return self.record

    @property
    def is_begun(self) -> bool:
        """Whether there is something to keep."""
        return bool(self.record.entries)

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.record.phase is Phase.MATCH_OVER

    @property
    def is_players_turn(self) -> bool:
        """Whether the player has a choice; a match that was over when it came leaves one."""
        if self.is_over:
            return not self._is_played_out
        is_own = self.record.decider == HUMAN
        return is_own and not (self._cannot_move() or self._is_rolling_alone())

    def _cannot_move(self) -> bool:
        return self.record.dice is not None and not self.record.legal_moves()[0].steps

    def _is_rolling_alone(self) -> bool:
        is_due = self.settings.is_auto_roll and self.record.phase is Phase.TURN
        return is_due and not has_cube_decision(self.record.state)

    def begun_again(self) -> LiveMatch:
        """Return a match of the same players, length and rules, and have other dice for it.

        One that began at a position of its own begins there again.
        """
        if self.settings.seed is not None:
            seed = (self.settings.seed + 1) % (SEED_MAX + 1)
            engine = self.settings.engine
            if engine is not None:
                engine = replace(engine, seed=seed)
            self.settings = replace(self.settings, seed=seed, engine=engine)
            echo(f"Dice seed: {seed}.")
        match = self.record.match
        first = match.games[0]
        games = () if first.start is None else (replace(first, actions=(), result=None),)
        return LiveMatch(AnalysedMatch(dated(replace(match, games=games))))

    @property
    def changed_options(self) -> Options:
        """The seed: the dice of a match that is continued are those that it would have had."""
        seed = self.settings.seed
        return {} if seed is None else {"seed": str(seed)}

    def show_how_it_stands(self) -> None:
        """If the match is over, print its end; its board is then drawn on request only."""
        if self.is_over and self.record.state.result is not None:
            self.is_board_due = False
            echo(result_text(self.record.match, self.record.state.result))

    def undo(self) -> bool:
        """Take back the player's last decision and all that followed; False: there is none."""
        if not any(map(self._is_own_choice, self.record.entries)):
            return False
        while (entry := self.record.undo()) is not None and not self._is_own_choice(entry):
            continue
        return True

    def redo(self) -> bool:
        """Do again the actions taken back, up to a decision of the player's."""
        is_changed = False
        while (entry := self.record.redo()) is not None:
            is_changed = True
            if self._is_own_choice(entry):
                break
        return is_changed

    def _is_own_choice(self, entry: TimelineEntry) -> bool:
        action = entry.action
        has_choice = not isinstance(action, Play) or bool(action.steps)
        return action.player == HUMAN and has_choice

    def go_on(self) -> None:
        """Play all steps up to the player's next; Leave when the match has ended."""
        live = self.record
        if self._is_played_out:
            self.advisor.complete(live)
            show_review(live.analysed)
            raise Leave
        if live.phase is Phase.GAME_OVER:
            live.begin_next_game()
            self.change()
        elif live.phase is Phase.OPENING:
            self._open()
        elif live.decider != HUMAN:
            self._engine_acts()
        elif live.dice is not None:
            self.do(Play(HUMAN, live.dice, ()))
        else:
            self.roll(HUMAN)

    # Dice.

    def roll(self, player: int) -> None:
        """Roll for the player on roll."""
        self.record.roll(self.next_roll(names_of(self.record.match)[player]))
        self.change()

    def next_roll(self, who: str) -> Dice:
        """Return the next roll: chosen, typed in, or by the seed."""
        if self.manual_roll is not None:
            roll, self.manual_roll = self.manual_roll, None
            return roll
        live, seed = self.record, self.settings.seed
        if seed is not None:
            return seeded_roll(seed, live.game_index, live.roll_number)
        while True:
            try:
                return self._typed_roll(who)
            except CommandMistake as mistake:
                echo(str(mistake))

    def _typed_roll(self, who: str) -> Dice:
        """Return the dice typed in; Leave if the player quits."""
        text = self.ask(f"Dice of {who}: ")
        if text.strip().lower() in QUITTING:
            raise Leave
        return understood(read_dice, text.strip())

    def _open(self) -> None:
        live = self.record
        names = names_of(live.match)
        echo("")
        self._show_score()
        try:
            roll = self.next_roll(f"{names[0]} and {names[1]}, one each")
            live.roll(roll)
        except RecordError as error:
            echo(str(error))
            return
        assert live.decider is not None, "the first roll has a winner"
        echo(f"{names[0]} rolls {roll[0]}, {names[1]} {roll[1]}: {names[live.decider]} begins.")
        self.change()

    def _show_score(self) -> None:
        match = self.record.match
        length = f"Match to {match.length}" if match.length else "Money game"
        score = match.games[-1].score
        crawford = ", the Crawford game" if match.games[-1].is_crawford else ""
        echo(f"{length}, game {len(match.games)} at {score[0]}-{score[1]}{crawford}.")

    # The engine.

    def _engine_acts(self) -> None:
        """Let the engine, or another program in its place, roll, double, answer or move."""
        action = self._engine_action()
        if action is None:
            self.roll(ENGINE)
        else:
            self.do(action)

    def _engine_action(self) -> Action | None:
        """Return the engine's action; None: it rolls."""
        live = self.record
        if live.phase is Phase.MOVE:
            assert live.dice is not None, "that phase has dice"
            legal = live.legal_moves()
            if len(legal) == 1:
                return Play(ENGINE, live.dice, legal[0].steps)
        elif live.phase is Phase.TURN and not has_cube_decision(live.state):
            return None
        if self.settings.opponent is not None:
            return self._opponents_action(self.settings.opponent)
        state = live.state.game
        if live.dice is not None:
            return self._engine_play(live.dice)
        answers = self._engine_answers(before_double(state))
        if live.phase is Phase.ANSWER:
            return right_answer(answers, ENGINE)
        return Double(ENGINE) if is_double_right(answers) else None

    def _engine_answers(self, state: GameState) -> CubeDecision:
        """Return the answers to the cube question as the engine values them at its level."""
        engine = self.settings.engine
        if engine is None:
            return self.advisor.judge(state)
        answers = self.advisor.judge(state, engine.strength.ply)
        return engine.believed(len(self.record.entries), answers)

    def _engine_play(self, dice: Dice) -> Play:
        live, engine, legal = self.record, self.settings.engine, self.record.legal_moves()
        numbers = {move.after.swapped(): number for number, move in enumerate(legal)}
        if engine is None:
            number = numbers[self.advisor.rank(live.state.game, dice)[0].position_after]
        else:
            ranked = self.advisor.rank(live.state.game, dice, engine.strength.ply)
            moves = [(numbers[move.position_after], move.equity_cubeful) for move in ranked]
            number = engine.chosen(len(live.entries), moves)
        return Play(ENGINE, dice, legal[number].steps)

    def _opponents_action(self, opponent: Opponent) -> Action | None:
        live, state = self.record, self.record.state.game
        asked = replace(state, match=replace(state.match, dice=live.dice))
        try:
            return opponent.decide(DueQuestion(_DECISIONS[live.phase], asked), ENGINE)
        except OpponentGoneError as error:
            echo_notice(str(error))
            raise Leave(ExitCode.UNREACHABLE) from error

    # Shared by both players.

    def board_lines(self) -> list[Line]:
        """Draw the board."""
        return match_lines(self.record)

    def moves(self) -> list[str]:
        """Return the legal moves of the moment as they are written."""
        if self.record.dice is None:
            return []
        write = partial(format_move, self.record.state.game.position)
        return [text for move in self.record.legal_moves() if (text := write(move.steps))]

    def do(self, action: Action) -> None:
        """Carry out an action, print it, and save the match."""
        live = self.record
        entry = live.act(action)
        echo(entry_text(entry, live.match))
        if live.state.result is not None:
            echo(result_text(live.match, live.state.result))
        self.keep()
        self.change()
        self._is_played_out = self.is_over


def before_double(state: GameState) -> GameState:
    """Return the state as it was before an offered double."""
    if not state.match.is_double_offered:
        return state
    return replace(state, match=replace(state.match, is_double_offered=False))
