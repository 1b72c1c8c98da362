"""What the person at an Othello board may type, and what comes of it.

Knows each command's meaning where the game stands; a mistake is one line, and nothing is lost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from master.cli.othello.play_advisor import Judgement
from master.cli.othello.play_screen import (
    judgement_text,
    player_text,
    record_text,
    show_hints,
    show_review,
)
from master.cli.othello.play_table import OthelloTable
from master.cli.output import echo
from master.cli.playing.play_terminal import Leave, show_count, typed_path
from master.games.errors import RecordError
from master.games.othello.commands import (
    OTHELLO_HELP,
    OthelloCommand,
    OthelloWord,
    read_othello_command,
)
from master.games.othello.game import OthelloGame, Turn
from master.games.othello.search_report import value_text
from master.games.words import CommandMistake


class OthelloPerson:
    """The one who types."""

    def __init__(self, table: OthelloTable) -> None:
        """Sit down at a table."""
        self._table = table
        self._answers: dict[OthelloWord, Callable[[OthelloCommand], None]] = {
            OthelloWord.ENTER: lambda _: self._enter(),
            OthelloWord.MOVE: self._move,
            OthelloWord.GO: lambda _: self._let_engine_move(),
            OthelloWord.PASS: lambda _: self._pass(),
            OthelloWord.HINT: self._hint,
            OthelloWord.EVAL: self._switch_eval,
            OthelloWord.UNDO: self._undo,
            OthelloWord.REDO: self._redo,
            OthelloWord.NEW: lambda _: self._begin_again(),
            OthelloWord.SAVE: self._save_as,
            OthelloWord.LOAD: self._load_from,
            OthelloWord.REVIEW: lambda _: self._review(),
            OthelloWord.RECORD: lambda _: echo(record_text(self._game)),
            OthelloWord.BOARD: lambda _: table.draw(),
            OthelloWord.HELP: lambda _: echo(OTHELLO_HELP),
            OthelloWord.QUIT: lambda _: self._leave(),
        }

    @property
    def _game(self) -> OthelloGame:
        return self._table.game

    def act(self) -> None:
        """Read a line and do what it says."""
        if self._table.is_board_due:
            self._table.draw()
        try:
            command = read_othello_command(self._table.outside.ask(self._prompt()))
            self._answers[command.word](command)
        except (CommandMistake, RecordError) as mistake:
            echo(str(mistake))

    def _prompt(self) -> str:
        side = self._game.side
        if side is None:
            return "The game is over: new, undo, review or quit? "
        if self._table.is_paused:
            return f"{player_text(self._table.record, side)} has not moved; Enter lets it? "
        moves = self._game.board.moves()
        return f"{side}, only move {moves[0]}? " if len(moves) == 1 else f"{side}, your move? "

    def _check_running(self) -> None:
        if self._game.side is None:
            raise CommandMistake("the game is over: expected new, undo, review or quit")

    def _enter(self) -> None:
        """Enter alone: go on after Ctrl-C, or play the only move there is."""
        self._check_running()
        moves = self._game.board.moves()
        if self._table.is_paused:
            self._table.is_paused = False
        elif len(moves) == 1:
            self._play(moves[0])
        else:
            raise CommandMistake(f"expected a move such as {moves[0]}: try help")

    def _move(self, command: OthelloCommand) -> None:
        self._check_running()
        try:
            self._game.board.play(command.text)
        except ValueError as error:
            legal = " ".join(self._game.board.moves())
            raise CommandMistake(f"{error}; you may play {legal}") from None
        self._play(command.text)

    def _play(self, square: str) -> None:
        """Make a legal move, and say what it was worth if that is wanted."""
        judged = self._judged(square) if self._table.is_evaluating else None
        if judged is None:
            self._table.do(Turn(square))
        else:
            worth = value_text(judged.value, is_exact=judged.is_exact)
            self._table.do(Turn(square, worth), judgement_text(square, judged))

    def _judged(self, square: str) -> Judgement | None:
        """Judge a move before it is made; None: there is no other, or Ctrl-C ends it."""
        if len(self._game.board.moves()) == 1:
            return None
        try:
            return self._table.advisor.judge(self._game.board, square)
        except KeyboardInterrupt:
            echo("\nStopped: the move is made without its evaluation.")
            return None

    def _let_engine_move(self) -> None:
        self._check_running()
        self._table.let_engine_move()

    def _pass(self) -> None:
        self._check_running()
        raise CommandMistake("there are legal moves; passes happen by themselves")

    def _hint(self, command: OthelloCommand) -> None:
        self._check_running()
        try:
            hints, is_exact = self._table.advisor.hints(self._game.board, command.number)
        except KeyboardInterrupt:
            echo("\nStopped.")
            return
        show_hints(hints, is_exact=is_exact)

    def _review(self) -> None:
        """Judge every move that had an alternative; Ctrl-C ends it with those judged by then."""
        game, judged = self._game, dict[int, Judgement]()
        try:
            for number, turn in enumerate(game.turns):
                show_count(f"move {number + 1} of {len(game.turns)}")
                if len(game.boards[number].moves()) > 1:
                    judged[number] = self._table.advisor.judge(game.boards[number], turn.square)
        except KeyboardInterrupt:
            echo("\nStopped.")
        show_count("")
        show_review(self._table.record, judged)

    def _switch_eval(self, command: OthelloCommand) -> None:
        if command.is_on is not None:
            self._table.is_evaluating = command.is_on
        echo(f"eval is {'on' if self._table.is_evaluating else 'off'}")

    def _undo(self, command: OthelloCommand) -> None:
        """Take back the person's last moves, and what followed them."""
        game = self._game
        own = [game.side_of(number) in self._table.humans for number in range(len(game.turns))]
        left = min(command.number, sum(own))
        if not left:
            echo("There is nothing to take back.")
            return
        while left and (before := game.undo()) is not None:
            left -= own.pop()
            game = before
        self._table.game = game

    def _redo(self, command: OthelloCommand) -> None:
        """Do again what was taken back: the person's moves, and what answered them."""
        game, humans = self._game, self._table.humans
        for _ in range(command.number):
            while (after := game.redo()) is not None:
                is_own = game.side in humans
                game = after
                if is_own:
                    break
        while game.side not in {None, *humans} and (after := game.redo()) is not None:
            game = after
        if game is self._game:
            echo("There is nothing to do again.")
            return
        self._table.game = game
        self._table.say_how_it_stands()

    def _begin_again(self) -> None:
        self._say_where_it_is_kept()
        self._table.outside.begin()
        self._table.go_over_to(replace(self._table.record, game=self._game.begun_again()))

    def _save_as(self, command: OthelloCommand) -> None:
        path = typed_path(command.text) if command.text else None
        record = self._table.record if path else self._table.whole
        echo(f"Saved as {self._table.outside.save(record, path)}")

    def _load_from(self, command: OthelloCommand) -> None:
        if not command.text:
            raise CommandMistake("load which file?")
        path = typed_path(command.text)
        self._say_where_it_is_kept()
        self._table.go_over_to(self._table.outside.load(path))

    def _say_where_it_is_kept(self) -> None:
        if self._table.whole.game.turns and (path := self._table.keep()):
            echo(f"This game is kept in {path}")

    def _leave(self) -> None:
        raise Leave
