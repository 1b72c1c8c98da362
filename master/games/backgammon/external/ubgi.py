"""UBGI, the Universal Backgammon Interface: the meaning of a line, and the replies at once.

There are two public drafts, and both are supported; their commands have different names.

* Version 0.1 (github.com/bungogood/bgci, docs/ubgi-v0.1-spec.md, 2026), which is like UCI: several
  commands set a context, and `go role ...` asks.  An error gets an `error` line.
* Draft 0.01 (github.com/oysteijo/Universal-Backgammon-Interface, Ø. Schønning-Johansen, 2025): a
  line that is an XGID or a FIBS board is answered by the best action alone, or by `sorry`.

`ubgi` is answered by `ubgiok`, as in the first draft, and then by `readyok`, as in the second.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeVar

from engine_ext.backgammon.board import Position, position_from_id
from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.limits import PLY_MAX
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import CENTRED, ON_ROLL, OPPONENT, GameState, MatchState
from engine_ext.backgammon.xgid import PREFIX, state_from_xgid
from engine_ext.control import RunControl
from master.games.backgammon.external.best_action import BEAVER, DOUBLE, TAKE, Level, answer
from master.games.backgammon.external.fibs_board import (
    Due,
    DueQuestion,
    SessionRules,
    question_of,
    read_fibs_board,
)

NOBODY = -1


@dataclass(frozen=True)
class UbgiContext:
    """The context of the next decision; players are 0 and 1, as p0 and p1.

    Args:
        length: of the match; 0 is money play.
        jacoby: money play.
        has_crawford: the match has a Crawford game.
        score: of both.
        is_after_crawford: an earlier score of this session had a player one point away.
        cube_value: 1, 2, 4, ...
        cube_owner: 0, 1, or NOBODY.
        turn: the player on roll.
        position: seen by the player on roll; None: not given yet.
        dice: the roll; None: not given yet.
    """

    length: int = 0
    jacoby: bool = True
    has_crawford: bool = True
    score: tuple[int, int] = (0, 0)
    is_after_crawford: bool = False
    cube_value: int = 1
    cube_owner: int = NOBODY
    turn: int = 0
    position: Position | None = None
    dice: tuple[int, int] | None = None

    def with_score(self, score: tuple[int, int]) -> UbgiContext:
        """Return the context with a new score: after the Crawford game there is no second one."""
        is_after = self.is_after_crawford or (score != self.score and self._is_one_away)
        return replace(self, score=score, is_after_crawford=is_after)

    @property
    def _is_one_away(self) -> bool:
        return [self.length - points for points in self.score].count(1) == 1

    def with_state(self, state: GameState) -> UbgiContext:
        """Return the context with everything in a game state; player 1 is at the bottom.

        The player on roll is then the state's.
        """
        match = state.match
        own = match.player_on_roll
        owners = {CENTRED: NOBODY, ON_ROLL: own, OPPONENT: 1 - own}
        return replace(
            self,
            length=match.match_length,
            jacoby=match.jacoby,
            score=match.score if own == 0 else (match.score[1], match.score[0]),
            is_after_crawford=match.is_post_crawford,
            cube_value=match.cube_value,
            cube_owner=owners[match.cube_owner],
            turn=own,
            position=state.position,
            dice=match.dice,
        )

    def state(self, *, has_dice: bool) -> GameState:
        """Return the game state, with the roll or before it.

        Raises:
            ValueError: the state is impossible; the text gives the reason.
        """
        assert self.position is not None, "it has been told"
        owners = {NOBODY: CENTRED, self.turn: ON_ROLL, 1 - self.turn: OPPONENT}
        match = MatchState(
            cube_value=self.cube_value,
            cube_owner=owners[self.cube_owner],
            match_length=self.length,
            score=self.score if self.turn == 0 else (self.score[1], self.score[0]),
            crawford=self.has_crawford and self._is_one_away and not self.is_after_crawford,
            jacoby=self.jacoby,
            beavers=False,
            dice=self.dice if has_dice else None,
            player_on_roll=self.turn,
        )
        return GameState(self.position, match)


LINE_BYTES_MAX = 1_024
"""The longest position is a FIBS board: two names and fifty numbers of up to five digits."""

ERROR_CHARACTERS_MAX = 200

NAME = "manyply"
AUTHOR = "the manyply authors"

STOP = "stop"
QUIT = "quit"
SORRY = "sorry"

XGID_COLONS = (8, 9)
"""Of an XGID whose prefix was left out; the last field may be missing."""

_NUMBER = re.compile("[0-9]{1,5}")
_TRUTHS = {"on": True, "true": True, "off": False, "false": False}
_OWNERS = {"center": NOBODY, "p0": 0, "p1": 1}
_IGNORED_OPTIONS = ("threads", "seed", "deterministic")
"""Recommended ones that change nothing: one thread answers, always the same."""


T = TypeVar("T")

_RULES = SessionRules()
_CONTEXT = UbgiContext()


class GoRole(Enum):
    """The form of an answer: version 0.1's roles, and the bare one of draft 0.01."""

    BARE = ""
    CHEQUER = "chequer"
    CUBE = "cube"
    TURN = "turn"


@dataclass(frozen=True)
class Wish:
    """The questions to answer.

    Args:
        role: the form of the answer.
        questions: TURN: that of the cube, then that of the roll; else one.
        level: the depth of the search.
    """

    role: GoRole
    questions: tuple[DueQuestion, ...]
    level: Level


@dataclass(frozen=True)
class Session:
    """The state of the session.

    Args:
        level: the depth of the engine's search.
        rules: for a FIBS board, which does not contain them.
        version: of this program.
        context: of the next decision.
    """

    level: Level
    rules: SessionRules = _RULES
    version: str = ""
    context: UbgiContext = _CONTEXT


@dataclass(frozen=True)
class Reaction:
    """The reaction to a line.

    Args:
        session: after it.
        replies: lines to send at once.
        wish: the questions to answer, if any.
        is_over: whether the interface ended the session.
    """

    session: Session
    replies: tuple[str, ...] = ()
    wish: Wish | None = None
    is_over: bool = False


class UbgiError(ValueError):
    """An error of the interface, with the protocol's code for it."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


def is_stopping(line: str) -> bool:
    """Whether a line ends the search that was running when it arrived."""
    return line.strip() in (STOP, QUIT)


def receive(session: Session, line: str) -> Reaction:
    """Return the reaction to a line; never raises."""
    text = line.strip()
    if text.startswith("board:") or text.upper().startswith(PREFIX) or _is_bare_xgid(text):
        return _ask_bare(session, text)
    word, _, rest = text.partition(" ")
    carry_out = _COMMANDS.get(word)
    if not word:
        return Reaction(session)
    try:
        if len(line) > LINE_BYTES_MAX:
            raise ValueError(f"expected lines of at most {LINE_BYTES_MAX} bytes")
        if carry_out is None:
            known = ", ".join(_COMMANDS)
            raise UbgiError("unknown_command", f"expected {known}, not {word[:20]!r}")
        return carry_out(session, rest.split())
    except ValueError as error:
        return Reaction(session, (error_line(error),))


def error_line(error: ValueError) -> str:
    """Return one printable line that names the error."""
    code = error.code if isinstance(error, UbgiError) else "bad_argument"
    shown = "".join(sign if " " <= sign <= "~" else "?" for sign in str(error))
    return f"error {code} {shown[:ERROR_CHARACTERS_MAX]}"


# Draft 0.01.
def _is_bare_xgid(text: str) -> bool:
    return " " not in text and text.count(":") in XGID_COLONS


def _ask_bare(session: Session, text: str) -> Reaction:
    try:
        if len(text) > LINE_BYTES_MAX:
            raise ValueError(f"expected lines of at most {LINE_BYTES_MAX} bytes")
        if text.startswith("board:"):
            question = question_of(read_fibs_board(text), session.rules)
        else:
            question = _question_in(state_from_xgid(text))
        cube_of(question.state.match)  # raises for a cube that is not played with
    except ValueError:
        return Reaction(session, (SORRY,))
    return Reaction(session, wish=Wish(GoRole.BARE, (question,), session.level))


def _question_in(state: GameState) -> DueQuestion:
    if state.match.is_double_offered:
        return DueQuestion(Due.ANSWER, state)
    return DueQuestion(Due.TURN if state.match.dice is None else Due.MOVE, state)


# Version 0.1.
def _ubgi(session: Session, words: list[str]) -> Reaction:
    level = session.level
    mode = "cubeful" if level.is_cubeful else "cubeless"
    return Reaction(
        session,
        (
            f"id name {NAME}",
            f"id author {AUTHOR}",
            f"id version {session.version}",
            f"option name Plies type spin default {level.ply} min 0 max {PLY_MAX}",
            f"option name CubePlies type spin default {level.cube_ply} min 0 max {PLY_MAX}",
            f"option name EvalMode type combo default {mode} var cubeful var cubeless",
            "option name Variant type combo default backgammon var backgammon",
            "ubgiok",
            "readyok",
        ),
    )


def _set_option(session: Session, words: list[str]) -> Reaction:
    if len(words) != 4 or (words[0], words[2]) != ("name", "value"):
        raise ValueError("expected setoption name NAME value VALUE")
    name, value, level = words[1].lower(), words[3].lower(), session.level
    if name == "plies":
        level = replace(level, ply=_number("Plies", value, PLY_MAX))
    elif name == "cubeplies":
        level = replace(level, cube_ply=_number("CubePlies", value, PLY_MAX))
    elif name == "evalmode":
        level = replace(level, is_cubeful=_choice(value, {"cubeful": True, "cubeless": False}))
    elif name == "variant":
        if value != "backgammon":
            raise UbgiError(
                "unsupported_feature", f"expected the Variant backgammon, not {value!r}"
            )
    elif name not in _IGNORED_OPTIONS:
        known = "Plies, CubePlies, EvalMode or Variant"
        raise UbgiError("unsupported_feature", f"expected {known}, not {words[1]!r}")
    return Reaction(replace(session, level=level))


def _new_game(session: Session, words: list[str]) -> Reaction:
    """Keep the session and its score; reset the rest of the context."""
    context = replace(session.context, cube_value=1, cube_owner=NOBODY, position=None, dice=None)
    return Reaction(replace(session, context=context))


def _new_session(session: Session, words: list[str]) -> Reaction:
    named = _pairs(words, ("type", "length", "jacoby", "crawford"))
    is_match = _choice(named.get("type", "money"), {"match": True, "money": False})
    if is_match and "length" not in named:
        raise ValueError("expected the length of the match: newsession type match length 7")
    return _with_context(
        session,
        UbgiContext(
            length=_number("length", named["length"], 64) if is_match else 0,
            jacoby=_choice(named.get("jacoby", "on"), _TRUTHS),
            has_crawford=_choice(named.get("crawford", "on"), _TRUTHS),
        ),
    )


def _set_score(session: Session, words: list[str]) -> Reaction:
    if len(words) != 2:
        raise ValueError("expected two scores: setscore 3 5")
    first, second = (_number("score", word, 32_767) for word in words)
    return _with_context(session, session.context.with_score((first, second)))


def _set_cube(session: Session, words: list[str]) -> Reaction:
    named = _pairs(words, ("value", "owner"))
    if len(named) != 2:
        raise ValueError("expected setcube value 2 owner p0")
    value, owner = _number("value", named["value"], 32_768), _choice(named["owner"], _OWNERS)
    return _with_context(session, replace(session.context, cube_value=value, cube_owner=owner))


def _set_turn(session: Session, words: list[str]) -> Reaction:
    turn = _choice(words[0] if len(words) == 1 else "", {"p0": 0, "p1": 1})
    return _with_context(session, replace(session.context, turn=turn))


def _position(session: Session, words: list[str]) -> Reaction:
    """Set the context: a bare position ID sets the position alone, a match ID or an XGID all."""
    if len(words) != 2 or words[0] not in ("gnubgid", "xgid"):
        raise ValueError("expected position gnubgid ID or position xgid XGID")
    context, text = session.context, words[1]
    if words[0] == "xgid":
        return _with_context(session, context.with_state(state_from_xgid(text)))
    if ":" in text:
        return _with_context(session, context.with_state(parse_id(text)))
    return _with_context(session, replace(context, position=position_from_id(text), dice=None))


def _dice(session: Session, words: list[str]) -> Reaction:
    if len(words) != 2 or not all(word in "123456" and len(word) == 1 for word in words):
        raise ValueError("expected two dice: dice 3 1")
    return _with_context(session, replace(session.context, dice=(int(words[0]), int(words[1]))))


def _with_context(session: Session, context: UbgiContext) -> Reaction:
    return Reaction(replace(session, context=context))


def _go(session: Session, words: list[str]) -> Reaction:
    named = _pairs(words, ("role", "movetime", "depth", "nodes", "trials"))
    role = _choice(
        named.get("role", "chequer"), {each.value: each for each in GoRole if each.value}
    )
    context, level = session.context, session.level
    if "depth" in named:
        ply = min(_number("depth", named["depth"], 99_999), PLY_MAX)
        level = replace(level, ply=ply, cube_ply=ply)
    if context.position is None:
        raise UbgiError("missing_context", "expected a position before: position gnubgid ID")
    if role is not GoRole.CUBE and context.dice is None:
        raise UbgiError("missing_context", "expected a roll before: dice 3 1")
    questions = [DueQuestion(Due.TURN, context.state(has_dice=False))]
    if role is not GoRole.CUBE:
        questions.append(DueQuestion(Due.MOVE, context.state(has_dice=True)))
    cube_of(questions[0].state.match)  # raises for a cube that is not played with
    asked = tuple(questions[1:] if role is GoRole.CHEQUER else questions)
    return Reaction(session, wish=Wish(role, asked, level))


def _pairs(words: list[str], names: tuple[str, ...]) -> dict[str, str]:
    """Return words that come in pairs, a name and its value."""
    if len(words) % 2 or any(name not in names for name in words[::2]):
        raise ValueError(f"expected pairs of {', '.join(names)} and a value")
    return dict(zip(words[::2], words[1::2], strict=True))


def _choice(word: str, known: dict[str, T]) -> T:
    if word not in known:
        raise ValueError(f"expected {' or '.join(known)}, not {word[:20]!r}")
    return known[word]


def _number(name: str, word: str, most: int) -> int:
    if not _NUMBER.fullmatch(word) or int(word) > most:
        raise ValueError(f"expected a {name} of 0 to {most}, not {word[:20]!r}")
    return int(word)


_COMMANDS: dict[str, Callable[[Session, list[str]], Reaction]] = {
    "ubgi": _ubgi,
    "isready": lambda session, _: Reaction(session, ("readyok",)),
    "setoption": _set_option,
    "newgame": _new_game,
    "newsession": _new_session,
    "setscore": _set_score,
    "setcube": _set_cube,
    "setturn": _set_turn,
    "position": _position,
    "dice": _dice,
    "go": _go,
    STOP: lambda session, _: Reaction(session),
    QUIT: lambda session, _: Reaction(session, is_over=True),
}


NO_MOVE = "pass"
"""The answer for a roll without a legal move, in forms in which an answer may not be empty."""

NO_DOUBLE = "nodouble"


def carry_out(wish: Wish, control: RunControl | None = None) -> str:
    """Compute; return the line that answers.

    Raises:
        SearchStopped: `control` was stopped.
    """
    words = [answer(question, wish.level, control) for question in wish.questions]
    if wish.role is GoRole.BARE:
        return TAKE if words[0] == BEAVER else words[0]  # there are no beavers
    if wish.role is GoRole.CHEQUER:
        return f"bestmove {words[0] or NO_MOVE}"
    cube = DOUBLE if words[0] == DOUBLE else NO_DOUBLE
    if wish.role is GoRole.CUBE:
        return f"bestcube {cube}"
    return f"bestturn cube={cube} move={words[1] or NO_MOVE}"
