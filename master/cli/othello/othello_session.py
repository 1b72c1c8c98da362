"""A game of Othello at the terminal: the turns, the engine's moves, texts and typed words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from master.cli.othello.play_advisor import Hint, LevelOpponent, OthelloAdvisor
from master.cli.output import echo
from master.cli.playing.game_file import GameFile
from master.cli.playing.game_session import thought
from master.cli.playing.play_terminal import ask, show_count
from master.cli.playing.turn_session import TurnSession
from master.cli.playing.unfinished import Options
from master.cli.playing.words import (
    CommandMistake,
    Commands,
    Row,
    TypedWord,
    alone,
    hint_word,
    review_word,
)
from master.cli.terminal import terminal_width
from master.games.othello.analysis.judging import Judgement
from master.games.othello.board_view import (
    BLACK,
    SIDE_BY_SIDE_COLUMNS,
    WHITE,
    OthelloScene,
    othello_lines,
)
from master.games.othello.game import OthelloGame, Turn, result_of
from master.games.othello.record import OthelloRecord, is_transcribable, opening_name
from master.games.othello.search_report import value_text
from master.games.spans import Line
from master.reports.texts import printable

LINE_MOVES_SHOWN = 12
"""Of a hint's line: with the numbers before it 60 columns; people play on from there themselves."""


ERRORS_SHOWN = 10


def player_text(record: OthelloRecord, side: str) -> str:
    """Return a player's mark and name, without characters that control a terminal."""
    return f"{side} {_names(record)[side != BLACK]}".rstrip()


def game_lines(record: OthelloRecord, mine: str = BLACK) -> list[Line]:
    """Draw the board, with one side as the player's."""
    last = record.game.squares[-1:]
    scene = OthelloScene(record.game.board, _names(record), "".join(last), mine)
    return othello_lines(scene, terminal_width() or SIDE_BY_SIDE_COLUMNS)


def _names(record: OthelloRecord) -> tuple[str, str]:
    return printable(record.black), printable(record.white)


def pass_text(record: OthelloRecord) -> str | None:
    """Return a line about the player who just had to pass; None: nobody passed."""
    side = record.game.has_passed
    return None if side is None else f"{player_text(record, side)} cannot move and passes."


def result_text(record: OthelloRecord) -> str:
    """Return how the game ended: `X Ann wins by 12: 38-26, 4 of them empty squares.`."""
    board, loser = record.game.board, record.game.resigned_by
    if loser is not None:
        winner = player_text(record, WHITE if loser == BLACK else BLACK)
        return f"The game is over: {winner} wins by resignation."
    result = result_of(board)
    squares = board.size * board.size
    more = (squares + abs(result.margin)) // 2
    score = f"{more}-{squares - more}"
    empties = f", {result.empties} of them empty squares" if result.empties else ""
    if result.winner is None:
        shared = f", {result.empties} empty squares shared" if result.empties else ""
        return f"The game is over: a draw, {score}{shared}."
    winner = player_text(record, result.winner)
    return f"The game is over: {winner} wins by {abs(result.margin)}: {score}{empties}."


def show_hints(hints: Sequence[Hint], *, is_exact: bool) -> None:
    """Print moves, best first, with their values and the expected lines."""
    headings = f"{'Discs':>10} {'Diff':>6}  Line" if len(hints) > 1 else f"{'Discs':>10}  Line"
    echo(headings, is_bold=True)
    for rank, hint in enumerate(hints, 1):
        value = value_text(hint.value, is_exact=is_exact)
        behind = hint.value - hints[0].value
        diff = value_text(behind, is_exact=is_exact) if behind else ""
        column = f" {diff:>6}" if len(hints) > 1 else ""
        line = " ".join(hint.line[:LINE_MOVES_SHOWN])
        echo(f"{rank:>2}. {value:>6}{column}  {line}")


def judgement_text(square: str, judged: Judgement) -> str:
    """Return the value of a move, and its difference from the best one's."""
    value = value_text(judged.value, is_exact=judged.is_exact)
    if judged.best == square:
        return f"{value}, the best"
    loss = value_text(judged.best_value - judged.value, is_exact=judged.is_exact)
    return f"{value}, {loss.removeprefix('+')} less than {judged.best}"


def show_review(record: OthelloRecord, judged: Mapping[int, Judgement]) -> None:
    """Print the loss of each player, and the largest errors.

    Args:
        record: the game.
        judged: turns that had an alternative, by their numbers from 0.
    """
    game = record.game
    losses = {number: one.best_value - one.value for number, one in judged.items()}
    for side in (BLACK, WHITE):
        own = [number for number in losses if game.side_of(number) == side]
        lost = sum(losses[number] for number in own)
        best = sum(losses[number] == 0 for number in own)
        echo(f"{player_text(record, side)}: {best} of {len(own)} moves were best, "
             f"{lost:.2f} discs given away.")  # fmt: skip
    errors = sorted((number for number in losses if losses[number] > 0), key=lambda n: -losses[n])
    if errors:
        echo("The largest errors:", is_bold=True)
    for number in errors[:ERRORS_SHOWN]:
        square = game.turns[number].square
        echo(f"{number + 1:>3}. {game.side_of(number)} {square}  "
             f"{judgement_text(square, judged[number])}")  # fmt: skip


def record_text(game: OthelloGame) -> str:
    """Return the moves as a transcript, after the board if it is not usual, and the opening."""
    moves = "".join(game.squares) or "no move is made"
    if not is_transcribable(game):
        return f"{game.start.to_text()}\n{moves}"
    opening = opening_name(game)
    return moves if opening is None else f"{moves}\nOpening: {opening}"


@dataclass(frozen=True, slots=True)
class OthelloSettings:
    """The settings of games.

    Args:
        humans: the sides that the player plays; "X", "O" or both.
        names: of black and of white, for records without names.
        is_evaluating: whether values of moves are printed; the player can switch it.
        opponent: the engine plays as this level; None: at its full strength.
    """

    humans: frozenset[str]
    names: tuple[str, str] = ("", "")
    is_evaluating: bool = False
    opponent: LevelOpponent | None = None


class OthelloSession(TurnSession[OthelloRecord, OthelloGame]):
    """A session with a board of Othello."""

    def __init__(
        self,
        record: OthelloRecord,
        settings: OthelloSettings,
        advisor: OthelloAdvisor,
        kept: GameFile[OthelloRecord],
        ask: Callable[[str], str] = ask,
    ) -> None:
        """Prepare the session.

        Args:
            record, kept, ask: as of any session.
            settings: the players.
            advisor: values boards.
        """
        super().__init__(record, settings.humans, kept, ask)
        self.names = settings.names
        self.is_evaluating = settings.is_evaluating
        self.opponent = settings.opponent
        self.advisor = advisor

    def named(self, record: OthelloRecord) -> OthelloRecord:
        """Return a record in which both players have a name."""
        black, white = self.names
        return replace(record, black=record.black or black, white=record.white or white)

    def show_how_it_stands(self) -> None:
        """Show that a side passed, or how the game ended: the board does not show it."""
        if passed := pass_text(self.record):
            echo(passed)
        if self.game.side is None:
            self.draw()
            echo(result_text(self.record))

    def go_on(self) -> None:
        """Let the engine move for the side to move; Ctrl-C pauses the game instead."""
        mover: LevelOpponent | OthelloAdvisor = self.advisor
        if self.opponent is not None and not self.is_players_turn:
            mover = self.opponent
        choice = thought(partial(mover.choose, self.game.board))
        if choice is None:
            if not self.is_players_turn:
                self.waits_for = player_text(self.record, self.game.board.to_move)
            return
        worth = "" if choice.value is None else value_text(choice.value, is_exact=choice.is_exact)
        self.do(Turn(choice.square, worth), worth if self.is_evaluating else "")

    @property
    def changed_options(self) -> Options:
        """The seed of the level, and whether moves are valued."""
        seed = None if self.opponent is None else str(self.opponent.seed)
        return {"seed": seed, "is_evaluating": self.is_evaluating or None}

    def do(self, turn: Turn, remark: str = "") -> None:
        """Make a legal move, print it with a remark and its consequences, and save the game."""
        assert self.game.side is not None, "the game is not over"
        mover, before = player_text(self.record, self.game.side), opening_name(self.game)
        self.game = self.game.play(turn)
        self.change()
        echo(f"{mover} plays {turn.square}" + (f" ({remark})" if remark else ""))
        opening = opening_name(self.game)
        if opening is not None and opening != before:
            echo(f"Opening: {opening}")
        self.keep()
        self.show_how_it_stands()

    def board_lines(self) -> list[Line]:
        """Draw the board."""
        return game_lines(self.record, BLACK if BLACK in self.humans else WHITE)

    def moves(self) -> tuple[str, ...]:
        """Return the legal moves."""
        return self.game.board.moves()


_SQUARE = re.compile(r"[a-z]\d{1,2}", re.ASCII | re.IGNORECASE)
_SWITCH = {"on": True, "off": False}
_FOOTNOTE = """\
Passes happen by themselves.  Ctrl-C stops the engine where
it thinks, and ends the game where you do.  Values are discs
for the side that moves: whole ones are exact."""


class OthelloWords:
    """The words of a session."""

    def __init__(self, session: OthelloSession) -> None:
        """Prepare the words for a session."""
        self._session = session

    def commands(self) -> Commands:
        """Return the game's words and texts."""
        return Commands(
            prompt=self._prompt,
            words=self._words(),
            thing="game",
            new="begin again",
            copy=".ggf, or .txt for a transcript",
            other="game: GGF, a transcript or a board",
            shorts={"r": "redo", "n": "new", "b": "board"},
            footnote=_FOOTNOTE,
        )

    def _words(self) -> list[TypedWord]:
        what_moves_are = "say what every move is worth, and what was better"
        return [
            TypedWord((), self._move, Row("f5", "play there; + marks where you can")),
            alone(("",), self._enter, Row("(Enter)", "play the only move")),
            alone(("go", "g"), self._go, Row("go", "let the engine move for you")),
            alone(("pass", "pa", "ps", "--"), self._pass),
            alone(("resign",), self._resign, Row("resign", "give the game up")),
            hint_word(self._hint, "the N best moves, what they are worth, what follows"),
            TypedWord(
                ("eval",), self._eval, Row("eval on, eval off", what_moves_are, above="undo")
            ),
            review_word(self._review, "judge all moves so far"),
            alone(("record",), self._record, Row("record", "print the moves", above="board")),
        ]

    @property
    def _game(self) -> OthelloGame:
        return self._session.game

    def _prompt(self) -> str:
        side = self._game.side
        if side is None:
            return "The game is over: new, undo, review or quit? "
        moves = self._game.board.moves()
        return f"{side}, only move {moves[0]}? " if len(moves) == 1 else f"{side}, your move? "

    def _check_running(self) -> None:
        if self._game.side is None:
            raise CommandMistake("the game is over: expected new, undo, review or quit")

    def _enter(self) -> None:
        """Enter alone: play the only move there is."""
        self._check_running()
        moves = self._game.board.moves()
        if len(moves) > 1:
            raise CommandMistake(f"expected a move such as {moves[0]}: try help")
        self._play(moves[0])

    def _move(self, text: str) -> None:
        """Make a move; CommandMistake if the text is no square, or the move is not legal."""
        if not _SQUARE.fullmatch(text):
            raise CommandMistake(f"{text!r} is no command and no square such as f5: try help")
        self._check_running()
        try:
            self._game.board.play(text.lower())
        except ValueError as error:
            legal = " ".join(self._game.board.moves())
            raise CommandMistake(f"{error}; you may play {legal}") from None
        self._play(text.lower())

    def _play(self, square: str) -> None:
        """Make a legal move, and print its value if that is wanted."""
        judged = self._judged(square) if self._session.is_evaluating else None
        if judged is None:
            self._session.do(Turn(square))
        else:
            worth = value_text(judged.value, is_exact=judged.is_exact)
            self._session.do(Turn(square, worth), judgement_text(square, judged))

    def _judged(self, square: str) -> Judgement | None:
        """Judge a move before it is made; None: there is no other, or Ctrl-C ends it."""
        if len(self._game.board.moves()) == 1:
            return None
        judge = partial(self._session.advisor.judge, self._game.board, square)
        return thought(judge, "Stopped: the move is made without its evaluation.")

    def _go(self) -> None:
        self._check_running()
        self._session.go_on()

    def _pass(self) -> None:
        self._check_running()
        raise CommandMistake("there are legal moves; passes happen by themselves")

    def _resign(self) -> None:
        self._check_running()
        self._session.resign()

    def _hint(self, count: int) -> None:
        self._check_running()
        found = thought(partial(self._session.advisor.hints, self._game.board, count))
        if found is not None:
            hints, is_exact = found
            show_hints(hints, is_exact=is_exact)

    def _review(self) -> None:
        """Judge every move that had an alternative; Ctrl-C ends it with those judged by then."""
        judged: dict[int, Judgement] = {}
        thought(partial(self._judge_all, judged))
        show_count("")
        show_review(self._session.record, judged)

    def _judge_all(self, judged: dict[int, Judgement]) -> None:
        game = self._game
        for number, turn in enumerate(game.turns):
            show_count(f"move {number + 1} of {len(game.turns)}")
            if len(game.boards[number].moves()) > 1:
                judged[number] = self._session.advisor.judge(game.boards[number], turn.square)

    def _eval(self, text: str) -> None:
        """Switch evaluations on or off, or print their state."""
        if text:
            if text.lower() not in _SWITCH:
                raise CommandMistake(f"eval is on or off, not {text!r}")
            self._session.is_evaluating = _SWITCH[text.lower()]
        echo(f"eval is {'on' if self._session.is_evaluating else 'off'}")

    def _record(self) -> None:
        echo(record_text(self._game))
