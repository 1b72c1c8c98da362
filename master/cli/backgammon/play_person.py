"""What the person at the table may type, and what comes of it.

Knows each command's meaning where the match stands; a mistake is one line, and nothing is lost.
"""

from __future__ import annotations

from collections.abc import Callable

from engine_ext.backgammon.move_text import format_move
from engine_ext.backgammon.notation import MoveError, parse_move
from master.cli.backgammon.play_screen import MARKS, names_of, show_cube, show_moves
from master.cli.backgammon.play_table import Table, before_double
from master.cli.output import echo
from master.cli.playing.play_terminal import Leave, typed_path
from master.games.backgammon.matches.flow import apply
from master.games.backgammon.matches.record import Action, Beaver, Double, Drop, Play, Resign, Take
from master.games.backgammon.play.advice import (
    cube_loss,
    has_cube_decision,
    inverted,
    is_resignation_accepted,
    move_loss,
)
from master.games.backgammon.play.commands import HELP, Command, Word, read_command
from master.games.backgammon.play.live_match import Entry, LiveMatch, Phase
from master.games.errors import RecordError
from master.games.words import CommandMistake

MOVES_SHOWN = 40
"""Legal moves listed at most; `moves 8/` lists those that begin so."""


class Person:
    """The one who types."""

    def __init__(self, table: Table) -> None:
        """Sit down at a table."""
        self._table = table
        self._answers: dict[Word, Callable[[Command], None]] = {
            Word.ROLL: lambda _: self._roll_or_move(),
            Word.MOVE: self._move,
            Word.DOUBLE: lambda _: self._double(),
            Word.TAKE: lambda _: self._answer(Take(table.human)),
            Word.BEAVER: lambda _: self._answer(Beaver(table.human)),
            Word.PASS: lambda _: self._answer(Drop(table.human)),
            Word.RESIGN: self._resign,
            Word.MOVES: self._list_moves,
            Word.HINT: self._hint,
            Word.UNDO: self._undo,
            Word.REDO: self._redo,
            Word.DICE: self._set_dice,
            Word.SAVE: self._save_as,
            Word.LOAD: self._load_from,
            Word.NEW: lambda _: self._begin_again(),
            Word.BOARD: lambda _: table.draw(),
            Word.REVIEW: lambda _: self._show_review(),
            Word.HELP: lambda _: echo(HELP),
            Word.QUIT: lambda _: self._leave(),
        }

    @property
    def _live(self) -> LiveMatch:
        return self._table.live

    def act(self) -> None:
        """Read a line and do what it says."""
        if self._table.is_board_due:
            self._table.draw()
        try:
            command = read_command(self._table.outside.ask(self._prompt()))
            self._answers[command.word](command)
        except (CommandMistake, MoveError, RecordError) as mistake:
            echo(str(mistake))

    def _prompt(self) -> str:
        live, mark = self._live, MARKS[0]
        if live.phase is Phase.MATCH_OVER:
            return "The match is over: load, new, undo, review or quit? "
        if live.phase is Phase.ANSWER:
            value = 2 * live.state.game.match.cube_value
            beaver = ", beaver" if live.state.game.match.beavers else ""
            return f"{mark} doubled to {value}: take, pass{beaver}? "
        if live.dice is None:
            double = " or double" if has_cube_decision(live.state) else ""
            return f"{mark} to roll{double}? "
        dice = f"{live.dice[0]}-{live.dice[1]}"
        legal = live.legal_moves()
        if len(legal) == 1:
            only = format_move(live.state.game.position, legal[0].steps)
            return f"{mark} {dice}, only move {only}? "
        return f"{mark} {dice}, your move? "

    def _roll_or_move(self) -> None:
        """Enter alone: roll, or play the only move there is."""
        live = self._live
        if live.phase is Phase.TURN:
            if self._is_warned(self._loss_of_turn(Play(self._table.human, (1, 1), ()))):
                return
            self._table.roll(self._table.human)
            return
        if live.phase is Phase.MOVE and len(live.legal_moves()) == 1:
            assert live.dice is not None, "that phase has dice"
            self._table.do(Play(self._table.human, live.dice, live.legal_moves()[0].steps))
            return
        raise CommandMistake(f"expected {live.phase.value}: try help")

    def _move(self, command: Command) -> None:
        live = self._live
        if live.dice is None:
            raise CommandMistake(f"there is no roll to move: expected {live.phase.value}")
        move = parse_move(live.state.game.position, live.dice, command.text)
        if self._table.settings.tutor_loss is not None and len(live.legal_moves()) > 1:
            ranked = self._table.advisor.rank(live.state.game, live.dice)
            loss = move_loss(ranked, move.after.swapped())
            if self._is_warned(loss, f"{ranked[0].text} is better"):
                return
        self._table.do(Play(self._table.human, live.dice, move.steps))

    def _double(self) -> None:
        live = self._live
        if not live.state.may_double or live.dice is not None:
            raise CommandMistake(f"you cannot double now: expected {live.phase.value}")
        if not self._is_warned(self._loss_of_turn(Double(self._table.human))):
            self._table.do(Double(self._table.human))

    def _loss_of_turn(self, action: Action) -> float:
        """Return what rolling or doubling gives away; 0.0 without a tutor."""
        if self._table.settings.tutor_loss is None or not has_cube_decision(self._live.state):
            return 0.0
        return cube_loss(self._table.advisor.judge(self._live.state.game), action)

    def _answer(self, action: Action) -> None:
        live = self._live
        if live.phase is not Phase.ANSWER:
            raise CommandMistake(f"nothing was doubled: expected {live.phase.value}")
        loss = 0.0
        if self._table.settings.tutor_loss is not None:
            loss = cube_loss(self._table.advisor.judge(before_double(live.state.game)), action)
        if not self._is_warned(loss):
            self._table.do(action)

    def _is_warned(self, loss: float, better: str = "") -> bool:
        """Warn of a loss; return whether the person thinks again."""
        least = self._table.settings.tutor_loss
        if least is None or loss < least:
            return False
        tail = f" ({better})" if better else ""
        echo(f"Tutor: that gives away {loss:.3f}{tail}.")
        return not self._agrees("Do it all the same?")

    def _agrees(self, question: str) -> bool:
        return self._table.outside.ask(f"{question} [y/N] ").strip().lower() in ("y", "yes")

    def _resign(self, command: Command) -> None:
        resignation = Resign(self._table.human, command.number)
        lost = apply(self._live.state, resignation).result
        assert lost is not None, "that ends a game"
        probs = self._table.advisor.evaluate(before_double(self._live.state.game)).probs
        if self._live.state.player_on_roll != self._table.human:
            probs = inverted(probs)
        if not is_resignation_accepted(probs, command.number):
            engine = names_of(self._live.match)[1 - self._table.human]
            echo(f"{engine} plays on: resign more, or play.")
            return
        if self._agrees(f"Give up {lost.points} point{'s' * (lost.points > 1)}?"):
            self._table.do(resignation)

    def _list_moves(self, command: Command) -> None:
        live = self._live
        if live.dice is None:
            raise CommandMistake(f"there is no roll: expected {live.phase.value}")
        position = live.state.game.position
        texts = [format_move(position, move.steps) for move in live.legal_moves()]
        chosen = [text for text in texts if text.startswith(command.text)]
        if not chosen:
            echo(f"No legal move begins with {command.text!r}.")
        for text in chosen[:MOVES_SHOWN]:
            echo(f"  {text}")
        if len(chosen) > MOVES_SHOWN:
            echo(f"  ... {len(chosen) - MOVES_SHOWN} more: try moves 8/")

    def _hint(self, command: Command) -> None:
        live = self._live
        if live.dice is not None:
            show_moves(self._table.advisor.rank(live.state.game, live.dice), command.number)
        elif live.phase is Phase.ANSWER or has_cube_decision(live.state):
            show_cube(self._table.advisor.judge(before_double(live.state.game)))
        else:
            echo("There is nothing to decide" + (": roll." if live.phase is Phase.TURN else "."))

    def _undo(self, command: Command) -> None:
        """Take back the person's last decisions, and what followed them."""
        live = self._live
        left = min(command.number, sum(map(self._is_own_choice, live.entries)))
        if not left:
            echo("There is nothing to take back.")
        while left and (entry := live.undo()) is not None:
            left -= self._is_own_choice(entry)
        self._table.is_board_due = True

    def _redo(self, command: Command) -> None:
        """Do again what was taken back, up to the person's decisions."""
        live, left = self._live, command.number
        while left and (entry := live.redo()) is not None:
            left -= self._is_own_choice(entry)
        if left == command.number:
            echo("There is nothing to do again.")
        self._table.is_board_due = True

    def _is_own_choice(self, entry: Entry) -> bool:
        action = entry.action
        has_choice = not isinstance(action, Play) or bool(action.steps)
        return action.player == self._table.human and has_choice

    def _set_dice(self, command: Command) -> None:
        if self._live.phase is not Phase.TURN:
            raise CommandMistake(f"no roll of yours is due: expected {self._live.phase.value}")
        self._table.manual_roll = command.dice
        self._roll_or_move()

    def _save_as(self, command: Command) -> None:
        path = typed_path(command.text) if command.text else None
        echo(f"Saved as {self._table.outside.save(self._live.analysed, path)}")

    def _load_from(self, command: Command) -> None:
        if not command.text:
            raise CommandMistake("load which file?")
        path = typed_path(command.text)
        self._say_where_it_is_kept()
        self._table.go_over_to(self._table.outside.load(path))

    def _begin_again(self) -> None:
        self._say_where_it_is_kept()
        self._table.begin_again()

    def _say_where_it_is_kept(self) -> None:
        if self._live.entries and (kept := self._table.keep()):
            echo(f"This match is kept in {kept}")

    def _show_review(self) -> None:
        self._table.advisor.follow(self._live)
        self._table.outside.review(self._live.analysed)

    def _leave(self) -> None:
        raise Leave
