"""A game of Threes! at the terminal: the player's moves, the engine's, and the typed words."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from engine_ext.threes.context import PLIES_MAX, SEED_MAX
from engine_ext.threes.engine import MOVES_MAX
from engine_ext.threes.game import ThreesGame
from master.cli.output import echo
from master.cli.playing.game_file import GameFile
from master.cli.playing.game_session import GameSession, thought
from master.cli.playing.picture import Picture
from master.cli.playing.play_terminal import Leave, ask, show_count
from master.cli.playing.words import (
    CommandMistake,
    Commands,
    Row,
    TypedWord,
    alone,
    counting,
    review_word,
)
from master.cli.terminal import can_redraw
from master.cli.threes.play_advisor import Judgement, ThreesAdvisor
from master.cli.threes.play_screen import (
    Pace,
    game_lines,
    result_lines,
    show_hints,
    show_review,
    watched_lines,
)
from master.games.spans import Line
from master.games.threes.record import DIRECTION_OF, LETTER_OF, ThreesRecord


def random_seed() -> int:
    """Return a seed by chance."""
    return secrets.randbelow(SEED_MAX + 1)


@dataclass(frozen=True, slots=True)
class ThreesSettings:
    """How games are played.

    Args:
        name: of the player.
        is_watching: whether the engine plays to the end, and the session ends then.
    """

    name: str = ""
    is_watching: bool = False


class ThreesSession(GameSession[ThreesRecord]):
    """A session with a board of Threes!."""

    def __init__(
        self,
        record: ThreesRecord,
        settings: ThreesSettings,
        advisor: ThreesAdvisor,
        kept: GameFile[ThreesRecord],
        ask: Callable[[str], str] = ask,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Prepare the session.

        Args:
            record, kept, ask: as of any session.
            settings: how games are played.
            advisor: values moves.
            clock: returns seconds.
        """
        self.picture = Picture()
        super().__init__(record, kept, self.picture.asking(ask))
        self.clock = clock
        self.pace: Pace | None = None
        """Of the engine while it makes moves."""
        self.settings = settings
        self.advisor = advisor
        self.is_watching = settings.is_watching
        self.moves_due = MOVES_MAX if settings.is_watching else 0
        """How many the engine is still to make."""

    @property
    def whole(self) -> ThreesRecord:
        """The game with the moves taken back and not replaced, so that undoing loses none."""
        return self.record.done_again()

    @property
    def is_begun(self) -> bool:
        """Whether there is something to keep."""
        return bool(self.whole.moves)

    @property
    def is_over(self) -> bool:
        """Whether the kept game has ended."""
        return self.whole.game.is_over

    @property
    def is_players_turn(self) -> bool:
        """Whether the player has a choice: the engine is to make no move."""
        return not self.moves_due

    def begun_again(self) -> ThreesRecord:
        """Return a game of another seed, and print that seed."""
        return new_game(None)

    def show_how_it_stands(self) -> None:
        """Show how the game ended."""
        if self.record.game.is_over:
            self.draw()

    def undo(self) -> bool:
        """Take the last move back; False: there is none."""
        return self._go_to(self.record.undo())

    def redo(self) -> bool:
        """Do the next move again that was taken back; False: there is none."""
        return self._go_to(self.record.redo())

    def _go_to(self, record: ThreesRecord | None) -> bool:
        if record is not None:
            self.record = record
        return record is not None

    def go_on(self) -> None:
        """Let the engine make its moves; Leave when a game that was watched is over."""
        try:
            while self.moves_due and not self.record.game.is_over:
                self._engine_moves()
        except KeyboardInterrupt:
            self._hand_over()
            self.draw()
            self.remark("Stopped.")
            return
        is_leaving = self.record.game.is_over and self.is_watching
        self.show_how_it_stands()
        self._hand_over()
        if is_leaving:
            raise Leave

    def _engine_moves(self) -> None:
        """Make a move, and show it if it is time for that."""
        if self.pace is None:
            self.pace = Pace(self.clock())
            self.picture.show_cursor(is_shown=False)
        choice = self.advisor.choose(self.record.game)
        self.record = self.record.played(LETTER_OF[choice])
        self.moves_due -= 1
        self.change()
        due = self.pace.moved(self.clock())
        if due.is_keeping:
            self.keep()
        if due.is_drawing and can_redraw():
            self.picture.draw(self.board_lines(), is_cut=True)

    def _hand_over(self) -> None:
        """Save the engine's moves; the next move is the player's."""
        if self.pace is not None:
            self.picture.show_cursor(is_shown=True)
        self.moves_due, self.is_watching, self.pace = 0, False, None
        self.keep()

    def do(self, letters: str) -> str:
        """Make moves one after the other until one is illegal; return those not made, and save."""
        rest = letters
        while rest:
            try:
                self.record = self.record.played(rest[0])
            except ValueError:
                break
            rest = rest[1:]
        if rest != letters:
            self.change()
            self.keep()
            self.show_how_it_stands()
        return rest

    def draw(self) -> None:
        """Draw the board, over the last one if the terminal still shows it."""
        self.picture.draw(self.board_lines())
        self.is_board_due = False

    def remark(self, text: str) -> None:
        """Print a remark about a mistake in the typed line, over that line."""
        self.picture.remark(text)

    def board_lines(self) -> list[Line]:
        """Draw the board, while the engine is watched how it gets on, and how the game ended."""
        record, name = self.record, self.settings.name
        if self.pace is None or not can_redraw():
            lines = game_lines(record, name)
        else:
            lines = watched_lines(record, name, self.pace, self.advisor.shares())
        return [*lines, *result_lines(record)] if record.game.is_over else lines

    def moves(self) -> tuple[str, ...]:
        """Return the legal moves, which the line editor may list below the board."""
        self.picture.leave()
        return self.record.board.moves()


def new_game(seed: int | None) -> ThreesRecord:
    """Return a game of a seed, or of one by chance, and print the seed."""
    chosen = random_seed() if seed is None else seed
    echo(f"Seed {chosen}")
    return ThreesRecord(chosen)


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
Moves that are taken back and made again draw the same cards."""


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
    """The words of a session."""

    def __init__(self, session: ThreesSession) -> None:
        """Prepare the words for a session."""
        self._session = session

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
        return self._session.record.game

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
        rest = self._session.do(letters)
        if rest and not self._game.is_over:
            legal = ", ".join(self._session.record.board.moves())
            left = f"; not made: {rest}" if len(rest) < len(letters) else ""
            raise CommandMistake(
                f"{DIRECTION_OF[rest[0]]} moves nothing{left}; you may move {legal}"
            )

    def _hint(self, plies: int) -> None:
        self._check_running()
        asked = None if plies == AS_THE_ENGINE else plies
        valued = thought(partial(self._session.advisor.values, self._game, asked))
        if valued is not None:
            show_hints(valued)

    def _auto(self, count: int) -> None:
        """Have the engine make moves; the session makes them one by one."""
        self._check_running()
        self._session.moves_due = count

    def _review(self) -> None:
        """Judge every move; Ctrl-C ends it with those judged by then."""
        judged: dict[int, Judgement] = {}
        thought(partial(self._judge_all, judged))
        show_count("")
        show_review(self._session.record, judged)

    def _judge_all(self, judged: dict[int, Judgement]) -> None:
        record = self._session.record
        game = ThreesGame(record.seed)
        for number, letter in enumerate(record.moves):
            show_count(f"move {number + 1} of {len(record.moves)}")
            judged[number] = self._session.advisor.judge(game, DIRECTION_OF[letter])
            game.play(DIRECTION_OF[letter])
