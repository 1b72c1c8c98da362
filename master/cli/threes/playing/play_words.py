"""Words that the person at a board of Threes! may type besides those of every game."""

from __future__ import annotations

import re
from functools import partial

from engine_ext.threes.context import PLIES_MAX
from engine_ext.threes.engine import MOVES_MAX
from engine_ext.threes.game import ThreesGame
from master.cli.playing.play_terminal import show_count
from master.cli.playing.table import thought
from master.cli.playing.words import (
    CommandMistake,
    Commands,
    Row,
    TypedWord,
    alone,
    counting,
    review_word,
)
from master.cli.threes.playing.play_advisor import Judgement
from master.cli.threes.playing.play_screen import show_hints, show_review
from master.cli.threes.playing.play_table import ThreesTable
from master.games.threes.record import DIRECTION_OF, LETTER_OF

AUTO_MAX = 99_999
"""The largest number of five digits: no game is as long."""

AS_THE_ENGINE = 0
"""Moves ahead of a hint without a number: as far as the engine looks."""

_ARROWS = {"A": "up", "B": "down", "C": "right", "D": "left"}
ARROW_KEYS = {f"\x1b{begin}{end}": name for begin in "[O" for end, name in _ARROWS.items()}
"""The sequences of arrow keys, and their moves."""

_ARROW = re.compile("\x1b[\\[O][A-D]")
_MOVES = re.compile(rf"(?:{'|'.join(LETTER_OF)}|[udlr]|\s)+")
_MOVE = re.compile(rf"{'|'.join(LETTER_OF)}|[udlr]")
_FOOTNOTE = """\
At a terminal an arrow key moves at once, unless a line is begun.
Ctrl-C stops the engine where it plays, and ends the game where you do.
What is taken back and done again meets the same cards."""


def read_moves(text: str) -> str:
    """Return the moves of a typed line as letters; arrow keys and whole names count as well.

    Raises:
        CommandMistake: it is something else.
    """
    letters = _ARROW.sub(lambda found: ARROW_KEYS[found[0]], text)
    if not _MOVES.fullmatch(letters.lower()):
        typed = re.sub(r"[^ -~]", "?", text)
        raise CommandMistake(f"{typed!r} is no command and no moves such as urrl: try help")
    return "".join(found[0][0] for found in _MOVE.finditer(letters.lower()))


class ThreesWords:
    """The words of one game at a table."""

    def __init__(self, table: ThreesTable) -> None:
        """Prepare the words for a table."""
        self._table = table

    def commands(self) -> Commands:
        """Return the game's words and texts."""
        return Commands(
            prompt=self._prompt,
            words=self._words(),
            thing="game",
            new="begin another game, by another seed",
            copy=".threes",
            other="game",
            shorts={**DIRECTION_OF, "n": "new", "b": "board"},
            footnote=_FOOTNOTE,
        )

    def _words(self) -> list[TypedWord]:
        auto = Row("auto [N]", "let the engine make N moves, or all", above="undo")
        hint = Row("hint [N]", "the final score to expect, N moves ahead", above="undo")
        row = Row("u, d, l, r", "move up, down, left, right; urrl makes four moves")
        return [
            TypedWord((), self._move, row),
            *(TypedWord((name,), partial(self._named, name)) for name in LETTER_OF),
            counting(("hint", "h"), self._hint, AS_THE_ENGINE, PLIES_MAX, hint),
            counting(("auto", "a"), self._auto, MOVES_MAX, AUTO_MAX, auto),
            review_word(self._review, "what each move lost, the largest first"),
            alone(("",), self._enter),
        ]

    @property
    def _game(self) -> ThreesGame:
        return self._table.record.game

    def _prompt(self) -> str:
        if self._game.is_over:
            return "New, undo, review or quit? "
        return "Your move? "

    def _check_running(self) -> None:
        if self._game.is_over:
            raise CommandMistake("the game is over: expected new, undo, review or quit")

    def _enter(self) -> None:
        self._check_running()
        raise CommandMistake("expected a move, u, d, l or r: try help")

    def _named(self, name: str, rest: str) -> None:
        self._move(f"{name} {rest}")

    def _move(self, text: str) -> None:
        letters = read_moves(text)
        self._check_running()
        rest = self._table.do(letters)
        if rest and not self._game.is_over:
            legal = ", ".join(self._table.record.board.moves())
            left = f"; not made: {rest}" if len(rest) < len(letters) else ""
            raise CommandMistake(
                f"{DIRECTION_OF[rest[0]]} moves nothing{left}; you may move {legal}"
            )

    def _hint(self, plies: int) -> None:
        self._check_running()
        asked = None if plies == AS_THE_ENGINE else plies
        valued = thought(partial(self._table.advisor.values, self._game, asked))
        if valued is not None:
            show_hints(valued)

    def _auto(self, count: int) -> None:
        """Have the engine make moves; the table makes them one by one."""
        self._check_running()
        self._table.moves_due = count

    def _review(self) -> None:
        """Judge every move; Ctrl-C ends it with those judged by then."""
        judged: dict[int, Judgement] = {}
        thought(partial(self._judge_all, judged))
        show_count("")
        show_review(self._table.record, judged)

    def _judge_all(self, judged: dict[int, Judgement]) -> None:
        record = self._table.record
        game = ThreesGame(record.seed)
        for number, letter in enumerate(record.moves):
            show_count(f"move {number + 1} of {len(record.moves)}")
            judged[number] = self._table.advisor.judge(game, DIRECTION_OF[letter])
            game.play(DIRECTION_OF[letter])
