"""Reads .mat texts: the rules and scores of a match, game by game.

mat_lines reads the layout, and replay checks the games.

Rules that the file does not name are the usual ones (Crawford; Jacoby, no beavers), unless the
games are legal only under other rules.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, product

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.match_state import MATCH_LENGTH_MAX, SCORE_MAX
from engine_ext.backgammon.move_text import split_move
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.notation import MoveError, format_move, parse_move
from engine_ext.backgammon.xgid import state_from_xgid
from master.games.backgammon.matches.mat_lines import (
    Cell,
    GameText,
    Header,
    MatchText,
    cut,
    read_header,
    shown,
)
from master.games.backgammon.matches.record import (
    Action,
    AnalysedMatch,
    Beaver,
    Double,
    Drop,
    Game,
    Match,
    Play,
    Resign,
    Result,
    Take,
)
from master.games.backgammon.matches.repairs import breach_warnings, stand_in
from master.games.backgammon.matches.replay import (
    MULTIPLE_MAX,
    GameStage,
    ReplayState,
    apply,
    check_award,
    legal_play,
    may_be_crawford,
    score_after,
    start_of,
    turned_to,
)
from master.games.errors import LineError, RecordError
from master.games.skipped import SkippedGame

_ROLL = re.compile(r"([0-9])([0-9]):\s*(.*)")
_CUBE = re.compile(r"([a-z]+)\s*(?:=*>\s*)?(\d{1,9})?")
_WINS = re.compile(r"wins?\s+(\d{1,9})\s+points?(?:\s+and\s+the\s+match)?")
_NOTHING = re.compile(r"(?<!\S)(?:0/0|25/25|bar/bar)(?!\S)", re.IGNORECASE)
_UNKNOWN = re.compile(r"\?+")

_DOUBLES = {"double", "doubles", "redouble", "redoubles"}
_TAKES = {"take", "takes", "accept", "accepts"}
_DROPS = {"drop", "drops", "pass", "passes", "reject", "rejects"}
_BEAVERS = {"beaver", "beavers"}
_PASSES = {"cannot move", "can't move", "no move", "no play"}
_MARKERS = ("loss", "loses", "resign")
"""Words that add nothing to the `Wins` line beside them."""

_SET_POSITION_CHARACTERS = 26

AUTOMATIC_CUBES = (2, 4, 8, 16, 32, 64)
"""Possible cubes at the start: six equal opening rolls in a row occur once in 46,656 games."""


@dataclass
class MatGameReader:
    """Converts the cells of one game to actions."""

    match: Match
    game: Game
    state: ReplayState
    text: GameText
    name: str
    scale: int = 1
    """The factor for its points and cubes: gnubg leaves automatic doubles out."""

    def __post_init__(self) -> None:
        self.actions: list[Action] = []
        self.wins: tuple[Cell, int] | None = None
        self.resigned: Cell | None = None
        self.last_roll = _last_roll(self.text.cells)

    def read(self, following: tuple[int, int] | None) -> Game:
        """Read every cell, and then the result; `following` is the next game's score."""
        positions = list(self.text.positions)
        for index, cell in enumerate(self.text.cells):
            while positions and positions[0][0] <= index:
                self._check_position(positions.pop(0), cell)
            try:
                self._read_cell(cell)
            except RecordError as error:
                player = self.match.players[cell.column]
                message = f"{player}: {error}"
                raise LineError(self.name, cell.line, message, cell.column) from None
        line = self.wins[0].line if self.wins else self.text.line
        try:
            result = self._result(following)
        except RecordError as error:
            raise LineError(self.name, line, str(error)) from None
        return replace(self.game, actions=tuple(self.actions), result=result)

    def _check_position(self, given: tuple[int, int, str], cell: Cell) -> None:
        """Accept XG's `Set Pos` if it agrees with the plays, in either player's view."""
        _, line, text = given
        letters = text[:_SET_POSITION_CHARACTERS]
        reached = self.state.game.position
        known = {reached, reached.swapped()} if self.actions else {START}
        try:
            position = state_from_xgid(f"{letters}:0:0:1:00:0:0:0:0:10").position
        except ValueError as error:
            raise LineError(self.name, line, f"in Set Pos: {error}") from None
        if position not in known and position.swapped() not in known:
            message = "expected a game from the opening position: a set position cannot be read"
            raise LineError(self.name, line, message)

    def _read_cell(self, cell: Cell) -> None:
        text = " ".join(cell.text.lower().split())
        wins = _WINS.fullmatch(text)
        if wins:
            if self.wins is not None:
                raise RecordError("expected one result, found a second")
            self.wins = (cell, int(wins[1]) * self.scale)
        elif text.startswith(_MARKERS):
            self.resigned = cell if text.startswith("resign") else self.resigned
        elif self.wins is not None:
            raise RecordError(f"expected nothing after the result, found {shown(cell.text)}")
        else:
            action = self._action(cell, text)
            if action is not None:
                self.state = apply(self.state, action)
                self.actions.append(action)

    def _action(self, cell: Cell, text: str) -> Action | None:
        roll = _ROLL.fullmatch(cell.text)
        if roll:
            dice = (int(roll[1]), int(roll[2]))
            return self._play(cell, dice, roll[3].strip())
        cube = _CUBE.fullmatch(text)
        word = cube[1] if cube else ""
        value = int(cube[2]) if cube and cube[2] else None
        answers = self.state.stage is GameStage.ANSWER
        if word in (*_BEAVERS, *_DROPS) and self._is_beavered(cell.column):
            kind = "a passed beaver" if word in _DROPS else "a beaver of a beaver (raccoon)"
            raise RecordError(f"{kind} cannot be kept")
        if word in _BEAVERS or (word in _DOUBLES and answers and cell.column == self.state.decider):
            self._check_cube(value, 4)
            return Beaver(cell.column)
        if word in _DOUBLES:
            self._check_cube(value, 2)
            return Double(cell.column)
        if word in _TAKES:
            return None if self._is_beavered(cell.column) else Take(cell.column)
        if word in _DROPS:
            return Drop(cell.column)
        if word.startswith("raccoon"):
            raise RecordError("a beaver of a beaver (raccoon) cannot be kept")
        raise RecordError(f"expected a roll, a cube action or a result, found {shown(cell.text)}")

    def _is_beavered(self, player: int) -> bool:
        """Whether the player doubled, and was beavered just now."""
        is_last = bool(self.actions) and isinstance(self.actions[-1], Beaver)
        return is_last and player == self.state.decider

    def _check_cube(self, value: int | None, factor: int) -> None:
        expected = self.state.game.match.cube_value * factor // self.scale
        if value not in (None, expected):
            raise RecordError(f"expected the cube to go to {expected}, found {value}")

    def _play(self, cell: Cell, dice: tuple[int, int], text: str) -> Play | None:
        player = cell.column
        text = _NOTHING.sub("", text).strip()
        is_unknown = not text or _UNKNOWN.fullmatch(text) is not None
        if dice == (0, 0) and is_unknown:  # Backgammon Studio: resigned instead of rolling
            return None
        unmoved = Play(player, dice, ())
        roll = f"{dice[0]}{dice[1]}"
        if not all(1 <= die <= 6 for die in dice):
            raise RecordError(f"expected two dice from 1 to 6, found {roll}")
        state = turned_to(self.state, unmoved)
        if player != state.decider or state.stage not in (
            GameStage.OPENING,
            GameStage.ROLL,
            GameStage.MOVE,
        ):
            apply(self.state, unmoved)  # raises, and names the error
            raise AssertionError("a play out of turn must not be possible")
        if text.lower().startswith("illegal play"):
            raise RecordError(f"expected a legal move of {roll}, found an illegal play")
        position = state.game.position
        if is_unknown:
            is_end = cell is self.last_roll or cell is self.text.cells[-1]
            if not is_end and legal_play(position, dice, ()) is None:
                found = shown(text) if text else "none"
                raise RecordError(f"expected the move of {roll} that was played, found {found}")
            return unmoved
        if text.lower() in _PASSES:
            return _forced_pass(position, unmoved)
        try:
            return Play(player, dice, parse_move(position, dice, text).steps)
        except MoveError as error:
            if cell is self.last_roll and _is_part(position, dice, text):
                return unmoved
            raise RecordError(f"illegal play with {roll}: {error}") from None

    def _result(self, following: tuple[int, int] | None) -> Result | None:
        if self.wins is None and self.state.result is None:
            if self.resigned is not None and following is None:
                raise RecordError("expected 'Wins N points' after the resignation")
            gains = gains_of(self.game.score, following)
            if gains is None:
                return None
            return self._unplayed(*gains)
        if self.wins is None:
            return self.state.result
        cell, points = self.wins
        if self.state.result is not None:
            return self._checked(self.state.result, cell, points)
        winner = cell.column
        gains = gains_of(self.game.score, following)
        if gains is not None:
            if cell.is_sure and gains != (winner, points):
                raise RecordError(
                    f"{self.match.players[winner]} wins {points} here, but by the next score "
                    f"{self.match.players[gains[0]]} wins {gains[1]}"
                )
            winner, points = gains
        return self._unplayed(winner, points)

    def _checked(self, result: Result, cell: Cell, points: int) -> Result:
        """The result of the actions, if the file agrees: it may count only the points needed."""
        if cell.is_sure and cell.column != result.winner:
            raise RecordError(
                f"{self.match.players[result.winner]} has won, but the result stands in the "
                f"column of {self.match.players[cell.column]}"
            )
        if points != result.points and not self._is_enough(result.winner, points, result.points):
            raise RecordError(f"expected 'Wins {result.points}', found 'Wins {points}'")
        return result

    def _is_enough(self, winner: int, points: int, real: int) -> bool:
        """Whether the points are those needed to win, as some servers write them."""
        needed = self.match.length - self.game.score[winner]
        return self.match.length > 0 and points == needed < real

    def _unplayed(self, winner: int, points: int) -> Result | None:
        """The result of a game that the actions leave open: a drop, a resignation, or an award."""
        if points < 1:
            raise RecordError("expected a result of at least 1 point")
        cube = self.state.game.match.cube_value
        multiple, rest = divmod(points, cube)
        if self.state.stage is GameStage.ANSWER and points == cube and winner != self.state.decider:
            self.actions.append(Drop(1 - winner))
            return Result(winner, points)
        if rest == 0 and multiple <= MULTIPLE_MAX:
            resignation = Resign(1 - winner, multiple)
            self.state = apply(self.state, resignation)
            if self.state.result != Result(winner, points):
                raise RecordError(
                    f"with the Jacoby rule an undoubled game counts {cube}, found {points}"
                )
            self.actions.append(resignation)
            return Result(winner, points)
        needed = self.match.length - self.game.score[winner]
        if self.match.length and points == needed and multiple < MULTIPLE_MAX:
            self.actions.append(Resign(1 - winner, multiple + 1))
            self.state = apply(self.state, self.actions[-1])
            return self.state.result
        check_award(self.match, self.game, self.state, Result(winner, points))
        return Result(winner, points)


def automatic_cubes(text: GameText, gains: tuple[int, int] | None) -> Iterator[tuple[int, int]]:
    """Yield the cubes, other than 1, with which a money game may have begun, and the points' scale.

    A game that begins with equal rolls begins with a doubled cube, if the players agree on that.
    gnubg writes the points and cubes of such a game without that doubling: only the next score
    shows it.  Others write the real value of the cube.

    Args:
        text: of the game.
        gains: the winner and the points by the next score; None: it does not show them.
    """
    words = [" ".join(cell.text.lower().split()) for cell in text.cells]
    wins = [int(found[1]) for word in words if (found := _WINS.fullmatch(word))]
    first_cube = next(
        (int(found[2]) for word in words
         if (found := _CUBE.fullmatch(word)) and found[1] in _DOUBLES and found[2]), 2,
    )  # fmt: skip
    for cube in AUTOMATIC_CUBES:
        if gains is not None and wins and gains[1] == cube * wins[-1]:
            yield cube, cube
        if first_cube == 2 * cube:
            yield cube, 1


def gains_of(score: tuple[int, int], following: tuple[int, int] | None) -> tuple[int, int] | None:
    """The winner and the points by the next score; None if nobody won, or the score is missing."""
    if following is None:
        return None
    gains = [after - before for after, before in zip(following, score, strict=True)]
    if gains.count(0) != 1 or min(gains) < 0:
        return None
    return (0, gains[0]) if gains[0] else (1, gains[1])


def _forced_pass(position: Position, unmoved: Play) -> Play:
    """Return the play without a move, if the roll has none."""
    if legal_play(position, unmoved.dice, ()) is None:
        move = legal_moves(position, unmoved.dice)[0]
        raise RecordError(f"expected a move: {format_move(position, move.steps)} is possible")
    return unmoved


def _last_roll(cells: list[Cell]) -> Cell | None:
    """Return the roll followed only by the result: its player may have resigned before moving."""
    for cell in reversed(cells):
        if not cell.text.lower().startswith(("win", *_MARKERS)):
            is_result_next = cell is not cells[-1]
            return cell if is_result_next and _ROLL.fullmatch(cell.text) else None
    return None


def _is_part(position: Position, dice: tuple[int, int], text: str) -> bool:
    """Whether the text is the beginning of a legal move: not all of the roll was played."""
    try:
        chains = split_move(text)
    except MoveError:
        return False
    steps = Counter(step for chain in chains for step in pairwise(chain.points))
    return any(steps < Counter(move.steps) for move in legal_moves(position, dice))


def read_mat(text: str, name: str = "match") -> Match:
    """Read a match or a money session; see `read_mat_warned`."""
    return read_mat_warned(text, name).match


def read_mat_warned(text: str, name: str = "match", first_line: int = 1) -> AnalysedMatch:
    """Read a match or a money session, with warnings about parts read differently than written.

    Args:
        text: the file's content.
        name: the file, for errors.
        first_line: number of the text's first line in the file.

    Returns:
        The match, its plays in the engine's step order, and warnings.  It replays
        (`replay.check_match`).  Illegal games are skipped.

    Raises:
        RecordError: no game can be read; the text is `name:line: ` and the expected text.
    """
    parts = cut(text, name, first_line)
    length = parts.length
    if not parts.games or length is None:
        raise RecordError(f"{name}: expected a line 'Game 1' with a game below it, found no game")
    if length > MATCH_LENGTH_MAX:
        raise RecordError(
            f"{name}: expected at most a {MATCH_LENGTH_MAX} point match, not {length}"
        )
    try:
        header = read_header(parts.tags)
    except RecordError as error:
        raise RecordError(f"{name}: {error}") from None
    left, right = parts.games[0].names
    plain = Match(
        header.names(left, right), length, uses_cube=header.uses_cube,
        tags=header.tags_by_column(left, right),
    )  # fmt: skip
    read: list[_GamesRead] = []
    for match in _with_rules(plain, header, parts):
        read.append(_games(parts, match, name))
        if not read[-1].faults:
            break
    if all(len(each.faults) == len(parts.games) for each in read):
        faults = [each.faults[0] for each in read]
        raise max(faults, key=lambda fault: fault.place)  # under the rules that fit the most games
    best = min(read, key=lambda each: len(each.faults))
    return AnalysedMatch(
        best.match,
        warnings=(*_warnings(best.match, header, name), *_unscored_warning(parts, best, name)),
        skipped=best.skipped(),
    )


@dataclass
class _GamesRead:
    """The games of a text, read under some rules: the match so far, and the errors in games.

    `numbers` are those of the faulty games in the text.
    """

    match: Match
    numbers: list[int] = field(default_factory=list)
    faults: list[LineError] = field(default_factory=list)

    def skipped(self) -> tuple[SkippedGame, ...]:
        return tuple(
            SkippedGame(number, fault.message, fault.place[0])
            for number, fault in zip(self.numbers, self.faults, strict=True)
        )


def _warnings(match: Match, header: Header, name: str) -> tuple[str, ...]:
    """Return warnings about a match read without Crawford rule, unless its header excludes it."""
    if match.length == 0 or match.uses_crawford or header.crawford is False:
        return ()
    return breach_warnings(name, match)


def _with_rules(plain: Match, header: Header, parts: MatchText) -> Iterator[Match]:
    """Yield the match under each set of rules that fits the file's, the usual ones first."""

    def choices(given: bool | None, usual: bool, matters: bool) -> tuple[bool, ...]:
        if given is not None or not matters:
            return (bool(given),)
        return (usual, not usual)

    is_money = plain.length == 0
    is_beavered = any(_has_word(text, "beaver") for text in parts.games)
    for crawford, jacoby, beavers in product(
        choices(None if header.crawford else header.crawford, True, not is_money),
        choices(header.jacoby, True, is_money),
        choices(header.beavers, is_beavered, is_money),
    ):
        yield replace(plain, uses_crawford=crawford, jacoby=jacoby, beavers=beavers)


def _games(parts: MatchText, match: Match, name: str) -> _GamesRead:
    """Read the games by the rules of a match without games."""
    read = _GamesRead(match)
    is_unscored = _is_unscored(parts)
    for index, written in enumerate(parts.games):
        text = written
        following = parts.games[index + 1].score if index + 1 < len(parts.games) else None
        games = read.match.games
        if is_unscored:
            score = score_after(games[-1]) if games else (0, 0)
            text, following = replace(text, score=score), None
        try:
            game: Game | None = _read_game(read.match, text, following, name)
        except LineError as error:
            read.numbers.append(index + 1)
            read.faults.append(error)
            game = stand_in(match, games, text.score)
        if game is not None:
            read.match = replace(match, games=(*games, game))
    return read


def _read_game(match: Match, text: GameText, following: tuple[int, int] | None, name: str) -> Game:
    """Read the game after those of a match; in money play it may begin with automatic doubles."""
    if match.length:
        return _read_begun(match, text, following, name)
    gains = gains_of(text.score, following)
    for cube, scale in automatic_cubes(text, gains):
        try:
            found = _read_begun(match, text, following, name, cube, scale)
        except LineError:
            continue
        if gains is None or found.result == Result(*gains):
            return found
    return _read_begun(match, text, following, name)


def _read_begun(
    match: Match,
    text: GameText,
    following: tuple[int, int] | None,
    name: str,
    cube: int = 1,
    scale: int = 1,
) -> Game:
    """Read the game as one that begins with this cube."""
    try:
        _check_score(match.games, text)
        game = Game(text.score, cube=cube)
        options: tuple[bool, ...] = (False,)
        if match.uses_crawford:
            options = may_be_crawford(replace(match, games=(*match.games, game)), len(match.games))
        is_crawford = options[0] if len(options) == 1 else not _has_word(text, "double")
        game = replace(game, is_crawford=is_crawford)
        state = start_of(match, game)
    except RecordError as error:
        raise LineError(name, text.line, str(error)) from None
    return MatGameReader(match, game, state, text, name, scale).read(following)


def _is_unscored(parts: MatchText) -> bool:
    """Whether all games of a session are at 0 : 0: some programs do not keep the score."""
    is_session = parts.length == 0 and len(parts.games) > 1
    return is_session and all(text.score == (0, 0) for text in parts.games)


def _unscored_warning(parts: MatchText, read: _GamesRead, name: str) -> tuple[str, ...]:
    if not _is_unscored(parts) or max(read.match.games[-1].score) == 0:
        return ()
    return (f"{name}: every game stands at 0 : 0; the score is counted from the results",)


def _check_score(games: Sequence[Game], text: GameText) -> None:
    if max(text.score) > SCORE_MAX:
        raise RecordError(f"a score is at most {SCORE_MAX}")
    if not games:
        return
    expected = score_after(games[-1])
    if games[-1].result is not None and text.score != expected:
        raise RecordError(
            f"expected the score {expected[0]}-{expected[1]} after the game before, "
            f"found {text.score[0]}-{text.score[1]}"
        )
    if text.score[0] < expected[0] or text.score[1] < expected[1]:
        raise RecordError(f"the score falls to {text.score[0]}-{text.score[1]}")


def _has_word(text: GameText, word: str) -> bool:
    return any(word in cell.text.lower() for cell in text.cells)
