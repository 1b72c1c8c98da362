"""FIBS boards, `board:You:Other:` and fifty numbers between colons, and the decisions in them.

Source: the help of the First Internet Backgammon Server,
`rawboard`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import Enum

from engine_ext.backgammon.board import Position
from engine_ext.backgammon.match_state import (
    CENTRED,
    MATCH_LENGTH_MAX,
    ON_ROLL,
    OPPONENT,
    GameState,
    MatchState,
)
from engine_ext.backgammon.move_text import BAR, OFF


class Due(Enum):
    """The decision that is due, and its player."""

    TURN = "roll or double"
    MOVE = "the move of a roll"
    ANSWER = "the answer to a double"
    BEAVERED = "the answer to a beaver"
    RESIGNATION = "the answer to a resignation"


@dataclass(frozen=True)
class DueQuestion:
    """One decision.

    Args:
        due: its kind.
        state: TURN and MOVE: the current one; the player on roll decides.  ANSWER: with the double
            offered by the player on roll, and the opponent decides.  BEAVERED: the player on roll
            has doubled and was beavered; the cube is as it will be if they accept.  RESIGNATION:
            the opponent of the player on roll resigns, and the player on roll decides.
        resignation: RESIGNATION: the number of games offered, 1 to 3; else 0.
    """

    due: Due
    state: GameState
    resignation: int = 0


POINTS = 26
NUMBERS = 50
NAME_CHARACTERS_MAX = 100
"""FIBS and gnubg have names of at most some 30."""

UNLIMITED = 9_999
"""The match length that FIBS writes for money play; gnubg writes 0."""

_TEXT = re.compile(
    rf"board:([^:]{{0,{NAME_CHARACTERS_MAX}}}):([^:]{{0,{NAME_CHARACTERS_MAX}}})"
    rf"((?::-?[0-9]{{1,5}}){{{NUMBERS}}})",
    re.ASCII,
)


class FibsError(ValueError):
    """A board that cannot be read; the text names the error in one sentence."""


@dataclass(frozen=True)
class FibsBoard:
    """The fields, in their order; pairs are of the player called You and of the opponent.

    Args:
        names: of both.
        match_length: points; UNLIMITED or 0 is money play.
        scores: of both.
        points: 0 to 25; the player of colour 1 has positive numbers, the other negative ones.
        turn: the colour of the player on roll; 0: the game is over.
        dice, opponent_dice: 0, 0 for none.
        cube_value: before a double that is offered.
        may_double: whether each has access to the cube.
        is_doubled: whether a double is offered.
        colour: of You, 1 or -1.
        direction: of You: -1 from point 24 to 1, 1 the other way.
        off: checkers borne off.
        on_bar: checkers on the bar, which are also in the points 0 and 25; gnubg writes zeros.
        can_move: the number of You's checkers that can move; gnubg writes 0.
        is_after_crawford: whether the Crawford game has been played.
        redoubles: the number of beavers allowed; from gnubg, whether this is not the Crawford game.
    """

    names: tuple[str, str]
    match_length: int
    scores: tuple[int, int]
    points: tuple[int, ...]
    turn: int
    dice: tuple[int, int]
    opponent_dice: tuple[int, int]
    cube_value: int
    may_double: tuple[bool, bool]
    is_doubled: bool
    colour: int
    direction: int
    off: tuple[int, int]
    on_bar: tuple[int, int]
    can_move: int = 0
    is_after_crawford: bool = False
    redoubles: int = 0

    @property
    def text(self) -> str:
        """The text of the board."""
        home, bar = (0, 25) if self.direction < 0 else (25, 0)
        numbers = (
            self.match_length, *self.scores, *self.points, self.turn, *self.dice,
            *self.opponent_dice, self.cube_value, *map(int, self.may_double),
            int(self.is_doubled), self.colour, self.direction, home, bar, *self.off, *self.on_bar,
            self.can_move, 0, int(self.is_after_crawford), self.redoubles,
        )  # fmt: skip
        return ":".join(("board", *map(_name, self.names), *map(str, numbers)))


def _name(name: str) -> str:
    return name.replace(":", "_")[:NAME_CHARACTERS_MAX]


def read_fibs_board(text: str) -> FibsBoard:
    """Read the text of a board.

    Raises:
        FibsError: it is none.
    """
    match = _TEXT.fullmatch(text)
    if match is None:
        count = text.count(":")
        raise FibsError(
            f"expected board:, two names and {NUMBERS} numbers between colons"
            + (f", not {count - 2}" if count != NUMBERS + 2 else "")
        )
    numbers = [int(number) for number in match[3].split(":")[1:]]
    scalars = numbers[3 + POINTS :]
    board = FibsBoard(
        names=(match[1], match[2]),
        match_length=numbers[0],
        scores=(numbers[1], numbers[2]),
        points=tuple(numbers[3 : 3 + POINTS]),
        turn=scalars[0],
        dice=(scalars[1], scalars[2]),
        opponent_dice=(scalars[3], scalars[4]),
        cube_value=scalars[5],
        may_double=(bool(scalars[6]), bool(scalars[7])),
        is_doubled=bool(scalars[8]),
        colour=scalars[9],
        direction=scalars[10],
        off=(scalars[13], scalars[14]),
        on_bar=(scalars[15], scalars[16]),
        can_move=scalars[17],
        is_after_crawford=bool(scalars[19]),
        redoubles=scalars[20],
    )
    _check_signs(board)
    return board


def _check_signs(board: FibsBoard) -> None:
    for name, sign in (("colour", board.colour), ("direction", board.direction)):
        if sign not in (1, -1):
            raise FibsError(f"expected a {name} of 1 or -1, not {sign}")
    if board.turn == 0:
        raise FibsError("expected a game that goes on, not a turn of 0")
    if board.turn not in (1, -1):
        raise FibsError(f"expected a turn of 1 or -1, not {board.turn}")


CHECKERS = 15
SLOTS = 26


@dataclass(frozen=True)
class SessionRules:
    """The rules that a board does not contain.

    Args:
        jacoby: money play: gammons count only after a double.
        beavers: money play: a double may be beavered.
        crawford: match play: there is a Crawford game.
        resignation: the games that the opponent of the player on roll offers to lose; 0 = none.
    """

    jacoby: bool = True
    beavers: bool = False
    crawford: bool = True
    resignation: int = 0


@dataclass(frozen=True)
class BoardForm:
    """The form in which a state is written.

    Args:
        you: which player of the match state is You, 0 or 1.
        colour, direction: of You.
        is_gnubg: gnubg's form; then You is player 1, of colour 1 and direction -1.
    """

    you: int = 1
    colour: int = 1
    direction: int = -1
    is_gnubg: bool = False


def question_of(board: FibsBoard, rules: SessionRules = SessionRules()) -> DueQuestion:
    """Return the question of a board.

    Raises:
        ValueError: the board is impossible; the text says why.
    """
    if not 0 <= rules.resignation <= 3:
        raise FibsError(f"expected a resignation of 1 to 3 games, not {rules.resignation}")
    is_doubled = board.is_doubled or not any(board.may_double)
    you = _is_you_on_roll(board)
    match = _match_of(board, rules, is_doubled=is_doubled)
    state = GameState(_position_of(board, is_you_on_roll=you), match)
    if is_doubled and _owner(board, is_doubled=is_doubled) == OPPONENT:
        return DueQuestion(Due.BEAVERED, state)
    if is_doubled:
        return DueQuestion(Due.ANSWER, state)
    if rules.resignation:
        return DueQuestion(Due.RESIGNATION, state, rules.resignation)
    return DueQuestion(Due.TURN if match.dice is None else Due.MOVE, state)


def _is_you_on_roll(board: FibsBoard) -> bool:
    return board.turn == board.colour


def _position_of(board: FibsBoard, *, is_you_on_roll: bool) -> Position:
    """Return the checkers, seen by the player on roll."""
    yours, theirs = [0] * SLOTS, [0] * SLOTS
    for place, count in enumerate(board.points):
        slot = place if board.direction < 0 else BAR - place
        if count * board.colour > 0:
            yours[slot] = abs(count)
        elif count:
            theirs[BAR - slot] = abs(count)
    for who, side, off in zip(("You", "the opponent"), (yours, theirs), board.off, strict=True):
        if side[OFF]:
            raise FibsError(f"expected no checkers of {who} at the opponent's bar")
        side[OFF] = off
        if sum(side) != CHECKERS:
            raise FibsError(f"expected {CHECKERS} checkers of {who}, not {sum(side)}")
    return Position(yours, theirs) if is_you_on_roll else Position(theirs, yours)


def _match_of(board: FibsBoard, rules: SessionRules, *, is_doubled: bool) -> MatchState:
    is_you_on_roll = _is_you_on_roll(board)
    length, scores = _length_and_scores(board)
    owner, value = _owner(board, is_doubled=is_doubled), board.cube_value
    is_beaver = is_doubled and owner == OPPONENT
    return MatchState(
        cube_value=2 * value if is_beaver else value,
        cube_owner=owner,
        match_length=length,
        score=scores if is_you_on_roll else scores[::-1],
        crawford=rules.crawford and _is_crawford(board, length, scores),
        jacoby=rules.jacoby,
        beavers=rules.beavers,
        dice=_roll(board),
        is_double_offered=is_doubled and not is_beaver,
        player_on_roll=1 if is_you_on_roll else 0,
    )


def _length_and_scores(board: FibsBoard) -> tuple[int, tuple[int, int]]:
    """Return match length and scores, You first; of too long a match, the points to go.

    Above MATCH_LENGTH_MAX the number of points to go makes no difference.
    """
    first, second = board.scores
    scores = (second, first) if _is_reversed(board) else (first, second)
    length = board.match_length
    if length == UNLIMITED:
        return 0, scores
    if length > MATCH_LENGTH_MAX and max(scores) < length:
        left = [min(length - points, MATCH_LENGTH_MAX) for points in scores]
        return MATCH_LENGTH_MAX, (MATCH_LENGTH_MAX - left[0], MATCH_LENGTH_MAX - left[1])
    return length, scores


def _is_reversed(board: FibsBoard) -> bool:
    """Whether names and scores begin with the opponent's, like gnubg's."""
    if board.is_doubled or (board.colour, board.direction) != (1, -1):
        return False
    if any(board.on_bar) or board.can_move:
        return False
    if any(board.dice):
        return board.dice == board.opponent_dice
    return board.redoubles == 1


def _is_crawford(board: FibsBoard, length: int, scores: tuple[int, int]) -> bool:
    """Whether one player is a point away, and this is neither after the Crawford game nor without.

    FIBS and gnubg agree in this, though not in the meaning of the last field.
    """
    is_one_away = [length - points for points in scores].count(1) == 1
    return is_one_away and not board.is_after_crawford and not board.redoubles


def _owner(board: FibsBoard, *, is_doubled: bool) -> int:
    """Return the cube's owner, seen by the player on roll."""
    may = board.may_double if _is_you_on_roll(board) else board.may_double[::-1]
    if may == (True, False):
        return ON_ROLL
    if may == (False, True):
        return OPPONENT
    # Neither may: FIBS hides the owner while a double is offered; the cube belonged to the doubler.
    return ON_ROLL if is_doubled and may == (False, False) and board.cube_value > 1 else CENTRED


def _roll(board: FibsBoard) -> tuple[int, int] | None:
    """Return the roll, written in the fields of the player on roll, or of either player."""
    rolls = (board.dice, board.opponent_dice)
    for roll in rolls if _is_you_on_roll(board) else rolls[::-1]:
        if any(roll):
            return roll
    return None


def board_of(
    question: DueQuestion, names: tuple[str, str] = ("You", "Other"), form: BoardForm = BoardForm()
) -> FibsBoard:
    """Write a question; SessionRules are left out, since a board has no place for them.

    Args:
        question: to write.
        names: of You and of the opponent.
        form: of the board.
    """
    if form.is_gnubg:
        form = replace(form, you=1, colour=1, direction=-1)
    state, match = question.state, question.state.match
    is_you_on_roll = match.player_on_roll == form.you
    sides = (state.position.on_roll, state.position.opponent)
    owner, value, is_doubled = match.cube_owner, match.cube_value, match.is_double_offered
    if question.due is Due.BEAVERED:
        value, is_doubled = value // 2, True
    may = (owner != OPPONENT, owner != ON_ROLL)
    mine, other = (0, 1) if is_you_on_roll else (1, 0)
    yours, theirs = sides[mine], sides[other]
    scores = match.score[mine], match.score[other]
    board = FibsBoard(
        names=names,
        match_length=match.match_length,
        scores=scores,
        points=_points(yours, theirs, form),
        turn=form.colour if is_you_on_roll else -form.colour,
        dice=match.dice if match.dice and is_you_on_roll else (0, 0),
        opponent_dice=match.dice if match.dice and not is_you_on_roll else (0, 0),
        cube_value=value,
        may_double=(may[mine], may[other]),
        is_doubled=is_doubled,
        colour=form.colour,
        direction=form.direction,
        off=(yours[OFF], theirs[OFF]),
        on_bar=(yours[BAR], theirs[BAR]),
        is_after_crawford=match.is_post_crawford,
    )
    return _as_gnubg(board, match) if form.is_gnubg else board


def _points(yours: tuple[int, ...], theirs: tuple[int, ...], form: BoardForm) -> tuple[int, ...]:
    counts = [0] * SLOTS
    for slot in range(1, SLOTS):
        counts[slot] += yours[slot] * form.colour
        counts[BAR - slot] -= theirs[slot] * form.colour
    return tuple(counts if form.direction < 0 else counts[::-1])


def _as_gnubg(board: FibsBoard, match: MatchState) -> FibsBoard:
    """Return a board with the fields that gnubg writes differently."""
    roll = match.dice or (0, 0)
    is_reversed = not board.is_doubled
    return replace(
        board,
        names=board.names[::-1] if is_reversed else board.names,
        scores=board.scores[::-1] if is_reversed else board.scores,
        dice=roll,
        opponent_dice=roll,
        on_bar=(0, 0),
        redoubles=int(not match.crawford),
    )
