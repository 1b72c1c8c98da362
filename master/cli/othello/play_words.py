"""Words that the person at an Othello board may type besides those of every game."""

from __future__ import annotations

import re
from functools import partial

from master.cli.othello.play_screen import judgement_text, record_text, show_hints, show_review
from master.cli.othello.play_table import OthelloTable
from master.cli.output import echo
from master.cli.playing.play_terminal import show_count
from master.cli.playing.table import thought
from master.cli.playing.words import (
    CommandMistake,
    Commands,
    Row,
    TypedWord,
    alone,
    hint_word,
    review_word,
)
from master.games.othello.analysis.judging import Judgement
from master.games.othello.game import OthelloGame, Turn
from master.games.othello.search_report import value_text

_SQUARE = re.compile(r"[a-z]\d{1,2}", re.ASCII | re.IGNORECASE)
_SWITCH = {"on": True, "off": False}
_FOOTNOTE = """\
Passes happen by themselves.  Ctrl-C stops the engine where
it thinks, and ends the game where you do.  Values are discs
for the side that moves: whole ones are exact."""


class OthelloWords:
    """The words of one game at a table."""

    def __init__(self, table: OthelloTable) -> None:
        """Prepare the words for a table."""
        self._table = table

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
            hint_word(self._hint, "the N best moves, what they are worth, what follows"),
            TypedWord(
                ("eval",), self._eval, Row("eval on, eval off", what_moves_are, above="undo")
            ),
            review_word(self._review, "judge all moves so far"),
            alone(("record",), self._record, Row("record", "print the moves", above="board")),
        ]

    @property
    def _game(self) -> OthelloGame:
        return self._table.game

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
        judge = partial(self._table.advisor.judge, self._game.board, square)
        return thought(judge, "Stopped: the move is made without its evaluation.")

    def _go(self) -> None:
        self._check_running()
        self._table.go_on()

    def _pass(self) -> None:
        self._check_running()
        raise CommandMistake("there are legal moves; passes happen by themselves")

    def _hint(self, count: int) -> None:
        self._check_running()
        found = thought(partial(self._table.advisor.hints, self._game.board, count))
        if found is not None:
            hints, is_exact = found
            show_hints(hints, is_exact=is_exact)

    def _review(self) -> None:
        """Judge every move that had an alternative; Ctrl-C ends it with those judged by then."""
        judged: dict[int, Judgement] = {}
        thought(partial(self._judge_all, judged))
        show_count("")
        show_review(self._table.record, judged)

    def _judge_all(self, judged: dict[int, Judgement]) -> None:
        game = self._game
        for number, turn in enumerate(game.turns):
            show_count(f"move {number + 1} of {len(game.turns)}")
            if len(game.boards[number].moves()) > 1:
                judged[number] = self._table.advisor.judge(game.boards[number], turn.square)

    def _eval(self, text: str) -> None:
        """Switch evaluations on or off, or print their state."""
        if text:
            if text.lower() not in _SWITCH:
                raise CommandMistake(f"eval is on or off, not {text!r}")
            self._table.is_evaluating = _SWITCH[text.lower()]
        echo(f"eval is {'on' if self._table.is_evaluating else 'off'}")

    def _record(self) -> None:
        echo(record_text(self._game))
