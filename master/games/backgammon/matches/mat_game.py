"""Reads one game of a .mat text: the words of its cells, and the results that servers write.

mat_lines reads the layout.  replay checks every action here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.move_text import split_move
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.notation import MoveError, format_move, parse_move
from engine_ext.backgammon.xgid import state_from_xgid
from master.games.backgammon.matches.mat_lines import Cell, GameText, shown
from master.games.backgammon.matches.record import (
    Action,
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
from master.games.backgammon.matches.replay import (
    MULTIPLE_MAX,
    GameStage,
    ReplayState,
    apply,
    check_award,
    legal_play,
    turned_to,
)
from master.games.errors import LineError, RecordError

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
