"""`manyply play backgammon`: a match against the engine, analysed while it is played."""

from __future__ import annotations

import re
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.move_text import format_move
from engine_ext.backgammon.notation import parse_move
from engine_ext.backgammon.questions import AnalysisSettings
from master.cli.arguments import CountType, reads
from master.cli.backgammon.external.external_opponent import (
    ExternalOpponent,
    OpponentGoneError,
    read_place,
)
from master.cli.backgammon.playing.backgammon_session import (
    ADVICE_PLY,
    ENGINE,
    HUMAN,
    MARKS,
    BackgammonSession,
    Settings,
    before_double,
    dated,
    names_of,
    show_cube,
    show_moves,
    show_review,
)
from master.cli.backgammon.playing.play_advisor import FleetAdvisor
from master.cli.backgammon.rule_options import ply_option
from master.cli.errors import CommandError, ExitCode
from master.cli.fleet_thread import FleetThread
from master.cli.jobs.watching import error_code
from master.cli.output import echo
from master.cli.place import Place, place_options
from master.cli.playing.game_file import Formats, GameFile
from master.cli.playing.opponent_options import level_option, seed_or_chance
from master.cli.playing.play_terminal import login, read_name
from master.cli.playing.player import play_at_terminal
from master.cli.playing.unfinished import PlayCommand, continue_option, unfinished
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
from master.contract.errors import MasterError
from master.games.backgammon.matches.files import read_match_file
from master.games.backgammon.matches.flow import apply
from master.games.backgammon.matches.mat_write import write_mat
from master.games.backgammon.matches.record import (
    Action,
    AnalysedMatch,
    Beaver,
    Double,
    Drop,
    Match,
    Play,
    Resign,
    Take,
)
from master.games.backgammon.matches.sgf_write import write_sgf
from master.games.backgammon.play.advice import (
    TUTOR_LOSS_MIN,
    cube_loss,
    has_cube_decision,
    inverted,
    is_resignation_accepted,
    move_loss,
)
from master.games.backgammon.play.live_match import SEED_MAX, LiveMatch, Phase, match_from
from master.games.backgammon.play.opponents import OPPONENTS, BackgammonOpponent
from master.games.backgammon.typed import read_dice, read_id
from master.games.errors import RecordError
from protocol.address import Address

MOVES_SHOWN = 40
"""Legal moves listed at most; `moves 8/` lists those that begin so."""

_MOVE = re.compile("[0-9]|bar|off", re.IGNORECASE)
_RESIGNATIONS = {
    "": 1, "1": 1, "2": 2, "3": 3, "s": 1, "single": 1, "n": 1, "normal": 1, "g": 2, "gammon": 2,
    "b": 3, "backgammon": 3, "bg": 3,
}  # fmt: skip


class BackgammonWords:
    """The words of a session of backgammon."""

    def __init__(self, session: BackgammonSession) -> None:
        """Prepare the words for a session."""
        self._session = session

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
        return self._session.record

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
                self._session.roll(HUMAN)
            return
        if live.phase is Phase.MOVE and len(live.legal_moves()) == 1:
            assert live.dice is not None, "that phase has dice"
            self._session.do(Play(HUMAN, live.dice, live.legal_moves()[0].steps))
            return
        raise CommandMistake(f"expected {live.phase.value}: try help")

    def _move(self, text: str) -> None:
        if not _MOVE.search(text):
            raise CommandMistake(f"{text!r} is no command and no move: try help")
        live = self._live
        if live.dice is None:
            raise CommandMistake(f"there is no roll to move: expected {live.phase.value}")
        move = understood(partial(parse_move, live.state.game.position, live.dice), text)
        if self._session.settings.tutor_loss is not None and len(live.legal_moves()) > 1:
            ranked = self._session.advisor.rank(live.state.game, live.dice)
            loss = move_loss(ranked, move.after.swapped())
            if self._is_warned(loss, f"{ranked[0].text} is better"):
                return
        self._session.do(Play(HUMAN, live.dice, move.steps))

    def _double(self) -> None:
        live = self._live
        if not live.state.may_double or live.dice is not None:
            raise CommandMistake(f"you cannot double now: expected {live.phase.value}")
        if not self._is_warned(self._loss_of_turn(Double(HUMAN))):
            self._session.do(Double(HUMAN))

    def _loss_of_turn(self, action: Action) -> float:
        """Return the loss of rolling or doubling; 0.0 without a tutor."""
        if self._session.settings.tutor_loss is None or not has_cube_decision(self._live.state):
            return 0.0
        return cube_loss(self._session.advisor.judge(self._live.state.game), action)

    def _answer(self, action: Action) -> None:
        live = self._live
        if live.phase is not Phase.ANSWER:
            raise CommandMistake(f"nothing was doubled: expected {live.phase.value}")
        loss = 0.0
        if self._session.settings.tutor_loss is not None:
            loss = cube_loss(self._session.advisor.judge(before_double(live.state.game)), action)
        if not self._is_warned(loss):
            self._session.do(action)

    def _is_warned(self, loss: float, better: str = "") -> bool:
        """Warn of a loss; return whether the player thinks again."""
        least = self._session.settings.tutor_loss
        if least is None or loss < least:
            return False
        tail = f" ({better})" if better else ""
        echo(f"Tutor: that gives away {loss:.3f}{tail}.")
        return not self._agrees("Do it all the same?")

    def _agrees(self, question: str) -> bool:
        return self._session.ask(f"{question} [y/N] ").strip().lower() in ("y", "yes")

    def _resign(self, stake: str) -> None:
        if stake.lower() not in _RESIGNATIONS:
            raise CommandMistake(f"resign what? single, gammon or backgammon, not {stake!r}")
        resignation = Resign(HUMAN, _RESIGNATIONS[stake.lower()])
        lost = apply(self._live.state, resignation).result
        assert lost is not None, "that ends a game"
        probs = self._session.advisor.evaluate(before_double(self._live.state.game)).probs
        if self._live.state.player_on_roll != HUMAN:
            probs = inverted(probs)
        if not is_resignation_accepted(probs, resignation.multiple):
            engine = names_of(self._live.match)[ENGINE]
            echo(f"{engine} plays on: resign more, or play.")
            return
        if self._agrees(f"Give up {lost.points} point{'s' * (lost.points > 1)}?"):
            self._session.do(resignation)

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
            show_moves(self._session.advisor.rank(live.state.game, live.dice), count)
        elif live.phase is Phase.ANSWER or has_cube_decision(live.state):
            show_cube(self._session.advisor.judge(before_double(live.state.game)))
        else:
            echo("There is nothing to decide" + (": roll." if live.phase is Phase.TURN else "."))

    def _set_dice(self, text: str) -> None:
        dice = understood(read_dice, text)
        if self._live.phase is not Phase.TURN:
            raise CommandMistake(f"no roll of yours is due: expected {self._live.phase.value}")
        self._session.manual_roll = dice
        self._roll_or_move()

    def _review(self) -> None:
        show_review(self._session.whole.analysed)


def _read(path: Path) -> tuple[LiveMatch, str]:
    """Read a match; print its impossible entries, and how they were read."""
    analysed = read_match_file(path)
    if analysed.skipped:
        raise RecordError(f"{analysed.skipped[0].text(path.name)}: a match goes on with all games")
    live = LiveMatch(analysed)
    for warning in analysed.warnings:
        click.echo(f"manyply: warning: {warning}", err=True)
    ending = path.suffix.lower()
    return live, ending if ending in BACKGAMMON_FORMATS.writers else ""


def _played(live: LiveMatch) -> tuple[tuple[int, Action], ...]:
    """Return the actions of each game; analyses and a next game without actions are left out."""
    return tuple((entry.game, entry.action) for entry in live.entries)


BACKGAMMON_FORMATS: Formats[LiveMatch] = Formats(
    {
        ".sgf": lambda live: write_sgf(live.analysed),
        ".mat": lambda live: write_mat(live.match),
    },
    _read,
    _played,
)


MATCH_LENGTH_DEFAULT = 5
MATCH_LENGTH_MAX = 64


class PlayBackgammon(PlayCommand):
    """`manyply play backgammon`."""

    beginning = ("length", "money", "start", "name")
    rivals = ("level", "ply", "opponent")


@click.command("backgammon", cls=PlayBackgammon)
@click.argument("file", required=False, metavar="[FILE]")
@continue_option
@click.option(
    "--match", "length", type=CountType(1, MATCH_LENGTH_MAX), metavar="N",
    help=f"Play a match to N points.  [default: {MATCH_LENGTH_DEFAULT}]",
)  # fmt: skip
@click.option("--money", is_flag=True, help="Play money games instead, with Jacoby and beavers.")
@click.option(
    "--from", "start", metavar="ID", callback=reads(read_id),
    help="Begin at this position, with its cube, score and roll. You are the player on roll, or "
         "the one who has to answer a double.",
)  # fmt: skip
@level_option
@ply_option(
    "--plies",
    "ply",
    f"How far the engine looks ahead, also instead of its level.  [default: {ADVICE_PLY}]",
)
@ply_option(
    "--analysis-plies", "analysis_ply", "Look-ahead of the analysis while you play.", ADVICE_PLY
)
@click.option("--tutor", is_flag=True, help="Warn before a bad move or cube action.")
@click.option(
    "--seed", type=CountType(0, SEED_MAX), metavar="S",
    help="Seed of the dice: the same seed and moves are the same match.  [default: by chance]",
)  # fmt: skip
@click.option("--manual-dice", is_flag=True, help="Roll dice of your own, and type them in.")
@click.option("--auto-roll", is_flag=True, help="Roll for you when you cannot use the cube.")
@click.option(
    "--name", metavar="NAME", callback=reads(read_name), help="Your name.  [default: your login]"
)
@click.option(
    "--against", "opponent", metavar="external:HOST:PORT", callback=reads(read_place),
    help="Play against a program that serves gnubg's external protocol; also external:/PATH.",
)  # fmt: skip
@place_options
def play_backgammon(
    file: str | None,
    length: int | None,
    money: bool,
    start: GameState | None,
    level: str | None,
    ply: int | None,
    analysis_ply: int,
    tutor: bool,
    seed: int | None,
    manual_dice: bool,
    auto_roll: bool,
    name: str | None,
    opponent: Address | Path | None,
    place: Place,
) -> None:
    """Play a match against the engine, or continue the one in FILE.

    Enter rolls; moves are typed as they are written, e.g. 8/5 6/5; `help` lists the rest.  While
    you think, your moves are analysed; at the end the match is reviewed and saved.

    This is backgammon, also without its name; see also manyply play othello --help.
    """
    if money and length is not None:
        raise click.UsageError("--match and --money exclude each other")
    if manual_dice and seed is not None:
        raise click.UsageError("--seed rolls the dice and --manual-dice leaves them to you")
    has_length = money or length is not None
    if file is not None and (has_length or start is not None or name is not None):
        text = "FILE has its players and length: leave --match, --money, --from, --name"
        raise click.UsageError(text)
    if start is not None and has_length:
        raise click.UsageError("--from has its length and score: leave --match, --money")
    if opponent is not None and level is not None:
        raise click.UsageError("--against and --level exclude each other")
    chance = seed_or_chance(seed)
    dice = None if manual_dice else chance
    kept, analysis = GameFile(BACKGAMMON_FORMATS), AnalysisSettings(analysis_ply, analysis_ply)
    try:
        with ExitStack() as stack:
            other = None if opponent is None else stack.enter_context(ExternalOpponent(opponent))
            rival = _engine_name(level, ply) if other is None else other.name
            players = name or login(), rival
            if file:
                live = kept.load(Path(file))
            elif start is not None:
                live = LiveMatch(AnalysedMatch(dated(match_from(start, players))))
            else:
                live = _new_match(length, players, is_money=money)
            engine = _engine(level, ply, chance)
            settings = Settings(dice, TUTOR_LOSS_MIN if tutor else None, auto_roll, other, engine)
            advisor = FleetAdvisor(
                stack.enter_context(FleetThread(place, ("backgammon",))),
                ADVICE_PLY if ply is None else ply,
                analysis,
            )
            session = BackgammonSession(live, settings, advisor, kept)
            session.unfinished = unfinished("backgammon")
            if dice is not None:
                echo(f"Dice seed: {dice}.  help lists what you can type.")
            play_at_terminal(session, BackgammonWords(session).commands(), "manyply play")
    except RecordError as error:
        raise CommandError(str(error)) from error
    except OpponentGoneError as error:
        raise CommandError(str(error), ExitCode.UNREACHABLE) from error
    except MasterError as error:
        raise CommandError(str(error), error_code(error)) from error


def _engine(level: str | None, ply: int | None, seed: int) -> BackgammonOpponent | None:
    if level is None:
        return None
    strength = OPPONENTS[level]
    return BackgammonOpponent(strength if ply is None else replace(strength, ply=ply), seed)


def _engine_name(level: str | None, ply: int | None) -> str:
    words = [level] if level else []
    if ply is not None or not level:
        words.append(f"{ADVICE_PLY if ply is None else ply}-ply")
    return " ".join(["manyply", *words])


def _new_match(length: int | None, players: tuple[str, str], *, is_money: bool) -> LiveMatch:
    points = 0 if is_money else length or MATCH_LENGTH_DEFAULT
    match = Match(players, points, beavers=is_money, jacoby=is_money)
    return LiveMatch(AnalysedMatch(dated(match)))
