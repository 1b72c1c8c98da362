"""A game of chess at the terminal: the turns, the engine's moves, the texts and the typed words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from engine_ext.chess.fen import is_chess960, write_fen
from master.cli.chess.play_advisor import (
    ChessAdvisor,
    Level,
    LevelOpponent,
    read_level,
)
from master.cli.output import echo, screen
from master.cli.playing.game_file import GameFile
from master.cli.playing.game_session import thought
from master.cli.playing.opponent_options import seed_or_chance
from master.cli.playing.play_terminal import ask
from master.cli.playing.turn_session import TurnSession
from master.cli.playing.unfinished import Options
from master.cli.playing.words import (
    CommandMistake,
    Commands,
    Row,
    TypedWord,
    alone,
    hint_word,
    understood,
)
from master.games.chess.board_view import ChessScene, draw_scene
from master.games.chess.game import DRAWN, ChessGame, Ending, side_of
from master.games.chess.record import ChessRecord
from master.games.chess.san import by_king, numbered, read_move, write_san
from master.games.chess.search_report import ranked_lines
from master.games.chess.threaded_search import ChessLine, value_text
from master.games.opponents import LEVELS
from master.games.spans import Line
from master.reports.texts import printable

LINE_MOVES_SHOWN = 8
"""Of a hint's line: with numbers, rank and value about 75 columns."""

DRAW_PLIES_MIN = 40
"""Half-moves before the engine agrees to a draw: the opening decides nothing."""

SIDES = {"w": "White", "b": "Black"}


def player_text(record: ChessRecord, side: str) -> str:
    """Return a player's side and name, without characters that control a terminal."""
    name = record.black if side == "b" else record.white
    return f"{SIDES[side]} {printable(name)}".rstrip()


def game_lines(record: ChessRecord, *, is_flipped: bool) -> list[Line]:
    """Draw the board."""
    game = record.game
    last = by_king(game.boards[-2], game.moves[-1]) if game.moves else ""
    names = player_text(record, "w"), player_text(record, "b")
    return draw_scene(ChessScene(game.board, names, last, is_flipped), screen())


def result_text(record: ChessRecord) -> str:
    """Return how the game ended: `White Ann wins by checkmate.`."""
    ending = record.game.ending
    assert ending is not None, "the game is over"
    if ending in (Ending.CHECKMATE, Ending.RESIGNATION):
        winner = player_text(record, "w" if record.game.result == "1-0" else "b")
        return f"The game is over: {winner} wins by {ending.value}."
    return f"The game is over, a draw: {ending.value}."


def show_hints(game: ChessGame, hints: tuple[ChessLine, ...]) -> None:
    """Print moves, best first, with their values and the expected lines."""
    short = tuple(ChessLine(hint.value, hint.moves[:LINE_MOVES_SHOWN]) for hint in hints)
    echo(f"{'Pawns':>14}  Line", is_bold=True)
    echo("\n".join(ranked_lines(game.board, short)))


def moves_text(game: ChessGame) -> str:
    """Return the moves so far with their numbers."""
    start = game.start
    moves = numbered(game.sans, start.move_number, is_black=start.is_black)
    return moves or "no move is made"


@dataclass(frozen=True, slots=True)
class ChessSettings:
    """How games are played.

    Args:
        humans: the sides that the player plays; "w", "b" or both.
        names: of white and of black, where a record has none.
        opponent: the engine plays as this level; None: at its full strength.
    """

    humans: frozenset[str]
    names: tuple[str, str] = ("", "")
    opponent: LevelOpponent | None = None


class ChessSession(TurnSession[ChessRecord, ChessGame]):
    """A session with a chess board."""

    def __init__(
        self,
        record: ChessRecord,
        settings: ChessSettings,
        advisor: ChessAdvisor,
        kept: GameFile[ChessRecord],
        ask: Callable[[str], str] = ask,
    ) -> None:
        """Prepare the session.

        Args:
            record, kept, ask: as of any session.
            settings: the players.
            advisor: searches positions.
        """
        super().__init__(record, settings.humans, kept, ask)
        self.names = settings.names
        self.advisor = advisor
        self.opponent = settings.opponent
        self.is_flipped = settings.humans == {"b"}

    def named(self, record: ChessRecord) -> ChessRecord:
        """Return a record in which both players have a name."""
        white, black = self.names
        return replace(record, white=record.white or white, black=record.black or black)

    def show_how_it_stands(self) -> None:
        """Show how the game ended: the board does not show it."""
        if self.game.side is None:
            self.draw()
            echo(result_text(self.record))

    def go_on(self) -> None:
        """Let the engine move for the side to move; Ctrl-C pauses the game instead."""
        if self.opponent is not None and not self.is_players_turn:
            choice = thought(partial(self.opponent.choose, self.game))
        else:
            found = thought(partial(self.advisor.choose, self.game))
            choice = None if found is None else (found.moves[0], value_text(found.value))
        if choice is not None:
            self.do(*choice)
        elif not self.is_players_turn:
            self.waits_for = player_text(self.record, side_of(self.game.board))

    def do(self, move: str, remark: str = "") -> None:
        """Make a legal move, print it with a remark and its consequences, and save the game."""
        board = self.game.board
        mover, san = player_text(self.record, side_of(board)), write_san(board, move)
        self.game = self.game.play(move)
        self.record = replace(self.record, recorded="")
        self.change()
        echo(f"{mover} plays {san}" + (f" ({remark})" if remark else ""))
        self.keep()
        self.show_how_it_stands()

    def offer_draw(self) -> None:
        """End the game if the other side accepts a draw: a second player does.

        The engine does after DRAW_PLIES_MIN if it does not see itself ahead.
        """
        if len(self.humans) == 1:
            if self.game.move_count < DRAW_PLIES_MIN:
                echo(f"The engine agrees to no draw before move {DRAW_PLIES_MIN // 2 + 1}.")
                return
            choice = thought(partial(self.advisor.choose, self.game))
            if choice is None:
                return
            is_own = side_of(self.game.board) in self.humans
            if (choice.value if is_own else -choice.value) < 0:
                echo("The engine declines the draw.")
                return
        self.end(self.game.ended(DRAWN))

    def end(self, game: ChessGame) -> None:
        """End the game; it no longer has the result that a file may have recorded."""
        self.record = replace(self.record, recorded="")
        super().end(game)

    @property
    def level_text(self) -> str:
        """The level of the engine as it is typed."""
        return self.advisor.level.text if self.opponent is None else self.opponent.level

    def set_level(self, level: Level | LevelOpponent) -> None:
        """Have the engine play at another level, under its name."""
        old = self.advisor.level.name if self.opponent is None else self.opponent.name
        if isinstance(level, Level):
            self.advisor.level, self.opponent = level, None
        else:
            self.opponent = level
        names = {old: level.name}
        white, black = self.names
        self.names = names.get(white, white), names.get(black, black)
        white, black = self.record.white, self.record.black
        self.record = replace(
            self.record, white=names.get(white, white), black=names.get(black, black)
        )

    @property
    def changed_options(self) -> Options:
        """The level of now, with its seed."""
        if self.opponent is None:
            level = self.advisor.level
            seconds = None if level.seconds is None else f"{level.seconds:g}"
            return {"level": None, "seed": None, "depth": level.depth, "seconds": seconds}
        return {
            "level": self.opponent.level, "seed": str(self.opponent.seed),
            "depth": self.opponent.depth, "seconds": None,
        }  # fmt: skip

    def flip(self) -> None:
        """Turn the board round; the players keep their sides."""
        self.is_flipped = not self.is_flipped
        self.is_board_due = True

    def board_lines(self) -> list[Line]:
        """Draw the board."""
        return game_lines(self.record, is_flipped=self.is_flipped)

    def moves(self) -> list[str]:
        """Return the legal moves."""
        board = self.game.board
        return sorted(write_san(board, move) for move in board.moves(is_chess960=True))


_FOOTNOTE = """\
Ctrl-C stops the engine where it thinks, and ends the game
where you do.  Values are pawns for the side that moves.
Draws need no claim: a position that stands three times,
fifty moves without a capture or a pawn's move, and too
little material end the game."""


class ChessWords:
    """The words of a session."""

    def __init__(self, session: ChessSession) -> None:
        """Prepare the words for a session."""
        self._session = session

    def commands(self) -> Commands:
        """Return the game's words and texts."""
        return Commands(
            prompt=self._prompt,
            words=self._words(),
            thing="game",
            new="begin again",
            copy=".pgn",
            other="game: PGN",
            shorts={"r": "redo", "n": "new"},
            footnote=_FOOTNOTE,
        )

    def _words(self) -> list[TypedWord]:
        how = "the engine's level: a word, a depth or seconds"
        return [
            TypedWord((), self._move, Row("Nf3, e2e4", "make that move")),
            alone(("",), self._enter, Row("(Enter)", "make the only move")),
            alone(("go", "g"), self._go, Row("go", "let the engine move for you")),
            alone(("moves",), self._moves, Row("moves", "list the legal moves")),
            alone(("resign",), self._resign, Row("resign, draw", "give the game up, offer a draw")),
            alone(("draw",), self._draw),
            hint_word(self._hint, "the N best moves, what they are worth, what follows"),
            TypedWord(("level",), self._level, Row("level casual, 6, 2s", how, above="undo")),
            alone(("record",), self._record, Row("record", "print the moves", above="board")),
            alone(("fen",), self._fen, Row("fen", "print the position", above="board")),
            alone(
                ("flip",), self._session.flip, Row("flip", "turn the board round", above="board")
            ),
        ]

    @property
    def _game(self) -> ChessGame:
        return self._session.game

    def _prompt(self) -> str:
        side = self._game.side
        if side is None:
            return "The game is over: new, undo or quit? "
        moves = self._session.moves()
        only = f"only move {moves[0]}" if len(moves) == 1 else "your move"
        check = ", check" if self._game.board.is_check else ""
        return f"{SIDES[side]}{check}, {only}? "

    def _check_running(self) -> None:
        if self._game.side is None:
            raise CommandMistake("the game is over: expected new, undo or quit")

    def _enter(self) -> None:
        """Enter alone: make the only move there is."""
        self._check_running()
        moves = self._session.moves()
        if len(moves) > 1:
            raise CommandMistake(f"expected a move such as {moves[0]}: try help")
        self._move(moves[0])

    def _move(self, text: str) -> None:
        self._check_running()
        self._session.do(understood(partial(read_move, self._game.board), text))

    def _go(self) -> None:
        self._check_running()
        self._session.go_on()

    def _resign(self) -> None:
        self._check_running()
        self._session.resign()

    def _draw(self) -> None:
        self._check_running()
        self._session.offer_draw()

    def _moves(self) -> None:
        self._check_running()
        echo(" ".join(self._session.moves()))

    def _hint(self, count: int) -> None:
        self._check_running()
        found = thought(partial(self._session.advisor.hints, self._game, count))
        if found is not None:
            show_hints(self._game, found)

    def _level(self, text: str) -> None:
        """Set the engine's level, or print it."""
        if text.lower() in LEVELS:
            self._session.set_level(LevelOpponent(text.lower(), seed_or_chance(None)))
        elif text:
            self._session.set_level(understood(read_level, text))
        echo(f"level {self._session.level_text}")

    def _record(self) -> None:
        echo(moves_text(self._game))

    def _fen(self) -> None:
        board = self._game.board
        echo(write_fen(board, is_chess960(board)))
