"""Words that the person at a backgammon board may type besides those of every game."""

from __future__ import annotations

import re
from functools import partial

from engine_ext.backgammon.move_text import format_move
from engine_ext.backgammon.notation import parse_move
from master.cli.backgammon.playing.play_screen import (
    ENGINE,
    HUMAN,
    MARKS,
    names_of,
    show_cube,
    show_moves,
    show_review,
)
from master.cli.backgammon.playing.play_table import BackgammonTable, before_double
from master.cli.output import echo
from master.cli.playing.words import (
    CommandMistake,
    Commands,
    Row,
    TypedWord,
    alone,
    hint_word,
    review_word,
    understood,
)
from master.games.backgammon.matches.flow import apply
from master.games.backgammon.matches.record import Action, Beaver, Double, Drop, Play, Resign, Take
from master.games.backgammon.play.advice import (
    cube_loss,
    has_cube_decision,
    inverted,
    is_resignation_accepted,
    move_loss,
)
from master.games.backgammon.play.live_match import LiveMatch, Phase
from master.games.backgammon.typed import read_dice

MOVES_SHOWN = 40
"""Legal moves listed at most; `moves 8/` lists those that begin so."""

_MOVE = re.compile("[0-9]|bar|off", re.IGNORECASE)
_RESIGNATIONS = {
    "": 1, "1": 1, "2": 2, "3": 3, "s": 1, "single": 1, "n": 1, "normal": 1, "g": 2, "gammon": 2,
    "b": 3, "backgammon": 3, "bg": 3,
}  # fmt: skip


class BackgammonWords:
    """The words of one match at a table."""

    def __init__(self, table: BackgammonTable) -> None:
        """Prepare the words for a table."""
        self._table = table

    def commands(self) -> Commands:
        """Return the game's words and texts."""
        return Commands(
            prompt=self._prompt,
            words=self._words(),
            thing="match",
            new="begin another of this length",
            copy=".sgf or .mat",
            other="match",
        )

    def _words(self) -> list[TypedWord]:
        roll, take = ("roll", "r", ""), ("take", "t", "accept")
        return [
            alone(roll, self._roll_or_move, Row("(Enter), roll", "roll, or play the only move")),
            TypedWord((), self._move, Row("8/5 6/5, bar/20*", "move; also 8/5(2)")),
            alone(("double", "d", "redouble"), self._double,
                  Row("double, redouble", "offer the cube")),
            alone(take, lambda: self._answer(Take(HUMAN)),
                  Row("take, pass, beaver", "answer a double")),
            alone(("pass", "p", "drop", "reject"), lambda: self._answer(Drop(HUMAN))),
            alone(("beaver", "b"), lambda: self._answer(Beaver(HUMAN))),
            TypedWord(("resign",), self._resign,
                 Row("resign [gammon]", "give the game up; also backgammon")),
            TypedWord(("moves", "m"), self._list_moves,
                 Row("moves [8/]", "list legal moves, or those from there")),
            hint_word(self._hint, "list the N best"),
            TypedWord(("dice",), self._set_dice, Row("dice 31", "choose the roll", above="save")),
            review_word(self._review, "errors and luck so far"),
        ]  # fmt: skip

    @property
    def _live(self) -> LiveMatch:
        return self._table.record

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
            if not self._is_warned(self._loss_of_turn(Play(HUMAN, (1, 1), ()))):
                self._table.roll(HUMAN)
            return
        if live.phase is Phase.MOVE and len(live.legal_moves()) == 1:
            assert live.dice is not None, "that phase has dice"
            self._table.do(Play(HUMAN, live.dice, live.legal_moves()[0].steps))
            return
        raise CommandMistake(f"expected {live.phase.value}: try help")

    def _move(self, text: str) -> None:
        if not _MOVE.search(text):
            raise CommandMistake(f"{text!r} is no command and no move: try help")
        live = self._live
        if live.dice is None:
            raise CommandMistake(f"there is no roll to move: expected {live.phase.value}")
        move = understood(partial(parse_move, live.state.game.position, live.dice), text)
        if self._table.settings.tutor_loss is not None and len(live.legal_moves()) > 1:
            ranked = self._table.advisor.rank(live.state.game, live.dice)
            loss = move_loss(ranked, move.after.swapped())
            if self._is_warned(loss, f"{ranked[0].text} is better"):
                return
        self._table.do(Play(HUMAN, live.dice, move.steps))

    def _double(self) -> None:
        live = self._live
        if not live.state.may_double or live.dice is not None:
            raise CommandMistake(f"you cannot double now: expected {live.phase.value}")
        if not self._is_warned(self._loss_of_turn(Double(HUMAN))):
            self._table.do(Double(HUMAN))

    def _loss_of_turn(self, action: Action) -> float:
        """Return the loss of rolling or doubling; 0.0 without a tutor."""
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
        return self._table.ask(f"{question} [y/N] ").strip().lower() in ("y", "yes")

    def _resign(self, stake: str) -> None:
        if stake.lower() not in _RESIGNATIONS:
            raise CommandMistake(f"resign what? single, gammon or backgammon, not {stake!r}")
        resignation = Resign(HUMAN, _RESIGNATIONS[stake.lower()])
        lost = apply(self._live.state, resignation).result
        assert lost is not None, "that ends a game"
        probs = self._table.advisor.evaluate(before_double(self._live.state.game)).probs
        if self._live.state.player_on_roll != HUMAN:
            probs = inverted(probs)
        if not is_resignation_accepted(probs, resignation.multiple):
            engine = names_of(self._live.match)[ENGINE]
            echo(f"{engine} plays on: resign more, or play.")
            return
        if self._agrees(f"Give up {lost.points} point{'s' * (lost.points > 1)}?"):
            self._table.do(resignation)

    def _list_moves(self, start: str) -> None:
        live = self._live
        if live.dice is None:
            raise CommandMistake(f"there is no roll: expected {live.phase.value}")
        position = live.state.game.position
        texts = [format_move(position, move.steps) for move in live.legal_moves()]
        chosen = [text for text in texts if text.startswith(start)]
        if not chosen:
            echo(f"No legal move begins with {start!r}.")
        for text in chosen[:MOVES_SHOWN]:
            echo(f"  {text}")
        if len(chosen) > MOVES_SHOWN:
            echo(f"  ... {len(chosen) - MOVES_SHOWN} more: try moves 8/")

    def _hint(self, count: int) -> None:
        live = self._live
        if live.dice is not None:
            show_moves(self._table.advisor.rank(live.state.game, live.dice), count)
        elif live.phase is Phase.ANSWER or has_cube_decision(live.state):
            show_cube(self._table.advisor.judge(before_double(live.state.game)))
        else:
            echo("There is nothing to decide" + (": roll." if live.phase is Phase.TURN else "."))

    def _set_dice(self, text: str) -> None:
        dice = understood(read_dice, text)
        if self._live.phase is not Phase.TURN:
            raise CommandMistake(f"no roll of yours is due: expected {self._live.phase.value}")
        self._table.manual_roll = dice
        self._roll_or_move()

    def _review(self) -> None:
        show_review(self._table.whole.analysed)
