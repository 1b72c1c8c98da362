"""Lists of decisions and their analysis: on each line an ID, then the roll and action if known.

    # text to the end of the line is a comment
    4HPwATDgc/ABMA
    4HPwATDgc/ABMA:cIkKAAAAAAAA 31 8/5 6/5
    XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:7:10 take

The roll may be in the ID only.  Besides a move, a line can end in double, take or pass (or drop).

A text with drawn boards, as eXtreme Gammon, BGBlitz and gnubg export a position in any language, is
a list too: of the IDs beside its boards.  So is a mail with IDs.  The analysis in such a text is
not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from itertools import chain, pairwise

from engine_ext.backgammon.analysis import ActionAnalysis, CheckerAnalysis, CubeAnalysis
from engine_ext.backgammon.analysis_text import analysis_from_text
from engine_ext.backgammon.ids import IdError, parse_id
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met_words import met_word
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.notation import MoveError, format_move, parse_move
from engine_ext.backgammon.questions import AnalyseQuestion, AnalysisSettings, DecisionKind
from engine_ext.backgammon.xgid import to_xgid
from master.games.backgammon.matches.judging import Judgement, judge
from master.games.backgammon.matches.record import (
    Action,
    AnalysedMatch,
    Double,
    Drop,
    Game,
    Match,
    Play,
    Take,
)
from master.games.backgammon.matches.replay import apply, start_of
from master.games.errors import RecordError

DECISIONS_MAX = 100_000
"""Most decisions of a list: at a second each they take more than a day."""

LINE_CHARACTERS_MAX = 1_000
"""Longest line before its comment: an XGID and a move take 150."""

PLAYERS = ("top", "bottom")
"""Names of players 0 and 1 of an ID: in diagrams player 1 is at the bottom."""

_DICE = re.compile(r"([1-6])[-,]?([1-6])")
_BOARD = re.compile(r"^[ \t]*\+1[23]-1[14]-1[05]-", re.MULTILINE)
"""The upper or lower edge of a drawn board."""

_ID_LINE = re.compile(
    r"(?:\s*(?:#.*)?\n)*+\s*(?:XGID=|[-A-O]{26}:|[A-Z0-9+/]{14}(?::[A-Z0-9+/]{12})?(?!\S))",
    re.IGNORECASE,
)
_PUNCTUATION = ".,;!?)]}>\"'*"
"""Signs behind an ID in a sentence."""

_XGID = re.compile(r"XGID=\S+")
_POSITION_ID = re.compile(r"Position[- ]ID ?: ?([A-Za-z0-9+/]{14})(?!\S)")
_MATCH_ID = re.compile(r"Match[- ]ID {0,3}: ?([A-Za-z0-9+/]{12})(?!\S)")

_ANSWERS = ("take", "pass", "drop")
_FOUND_MAX = 60
"""Characters of a bad line that are quoted in an error."""


@dataclass(frozen=True)
class ListedDecision:
    """One line.

    Args:
        line: its number, from 1.
        state: the game before the decision: with the roll if a move is to be chosen, with the
            double if it is to be answered, else before either.
        action: the action taken, if the line contains it.
    """

    line: int
    state: GameState
    action: Action | None = None

    def match(self) -> Match:
        """Return a match of one game that begins here, with the line's actions."""
        own = self.state.match
        score = own.score if own.player_on_roll == 0 else (own.score[1], own.score[0])
        game = Game(score, is_crawford=own.crawford, start=self.state)
        match = Match(PLAYERS, own.match_length, (), True, own.jacoby, own.beavers)
        if self.action is not None:
            state = apply(start_of(match, game), self.action)
            game = replace(game, actions=(self.action,), result=state.result)
        return replace(match, games=(game,))


def read_id_list(text: str, name: str, faults: list[str] | None = None) -> list[ListedDecision]:
    """Read a list; empty lines and comments are ignored.

    Args:
        text: of the list.
        name: of the file.
        faults: receives a message for each line that cannot be read, and is left out; None: the
            first of them is an error.

    Raises:
        RecordError: a line that cannot be read, or too many decisions; the text names file,
            line and expected form.
    """
    decisions: list[ListedDecision] = []
    is_list = is_id_list(text) and not is_board_text(text)
    texts = _written_ids(text) if is_list or not has_ids(text) else _drawn_ids(text)
    for number, said in texts:
        if len(decisions) + len(faults or ()) == DECISIONS_MAX:
            raise RecordError(f"{name}:{number}: a list has at most {DECISIONS_MAX} decisions")
        try:
            decisions.append(_read_line(number, said))
        except (IdError, MoveError, RecordError) as error:
            fault = f"{name}:{number}: {error}"
            if faults is None:
                raise RecordError(fault) from None
            faults.append(fault)
    return decisions


def _read_line(number: int, said: str) -> ListedDecision:
    if len(said) > LINE_CHARACTERS_MAX:
        raise RecordError(f"a line has at most {LINE_CHARACTERS_MAX:,} characters")
    decision = _read_words(number, said.split())
    decision.match()
    return decision


def is_board_text(text: str) -> bool:
    """Whether a text contains drawn boards, with IDs beside them."""
    return has_ids(text) and _BOARD.search(text) is not None


def has_ids(text: str) -> bool:
    """Whether a text, such as a mail, contains IDs with their names."""
    return (_XGID.search(text) or _POSITION_ID.search(text)) is not None


def is_id_list(text: str) -> bool:
    """Whether a text begins with an ID, after comments and empty lines."""
    return _ID_LINE.match(text) is not None


def _lines(text: str) -> Iterator[str]:
    """Yield the lines of a text without a copy of all of them."""
    return StringIO(text.removeprefix("\ufeff"), newline="\n")


def _written_ids(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(_lines(text), start=1):
        if said := line.partition("#")[0].strip():
            yield number, said


def _drawn_ids(text: str) -> Iterator[tuple[int, str]]:
    """Yield the IDs of boards; an XGID includes the content of the others beside it."""
    if "XGID=" in text:
        for number, line in enumerate(_lines(text), start=1):
            if (xgid := _XGID.search(line)) is not None:
                yield number, xgid[0].rstrip(_PUNCTUATION)
        return
    for number, (line, following) in enumerate(pairwise(chain(_lines(text), [""])), start=1):
        if (position := _POSITION_ID.search(line)) is not None:
            match = _MATCH_ID.search(line) or _MATCH_ID.search(following)
            yield number, position[1] if match is None else f"{position[1]}:{match[1]}"


def _read_words(number: int, words: list[str]) -> ListedDecision:
    state, rest = parse_id(words[0]), words[1:]
    if rest and (dice := _DICE.fullmatch(rest[0])) is not None:
        state, rest = _rolled(state, (int(dice[1]), int(dice[2]))), rest[1:]
    if not rest:
        return ListedDecision(number, state)
    return ListedDecision(number, state, _read_action(state, " ".join(rest)))


def _rolled(state: GameState, dice: tuple[int, int]) -> GameState:
    known = state.match.dice
    rolled = replace(state, match=replace(state.match, dice=dice))
    if known not in (None, rolled.match.dice):
        raise RecordError(f"expected the roll of the ID, {known[0]}-{known[1]}, or none")
    return rolled


def _read_action(state: GameState, text: str) -> Action:
    player = state.match.player_on_roll
    if text == "double":
        return Double(player)
    if text in _ANSWERS:
        if not state.match.is_double_offered:
            raise RecordError(f"expected a double in the ID before {text}, its answer")
        return Take(1 - player) if text == "take" else Drop(1 - player)
    if state.match.dice is None:
        found = text[:_FOUND_MAX]
        raise RecordError(
            f"expected a roll, as 31, before a move, or double, take or pass, found {found!r}"
        )
    return Play(player, state.match.dice, parse_move(state.position, state.match.dice, text).steps)


def write_id_list(decisions: Iterable[ListedDecision]) -> str:
    """Write a list that reads back the same, except for the line numbers."""
    return "".join(f"{' '.join(_words(decision))}\n" for decision in decisions)


def _words(decision: ListedDecision) -> Iterator[str]:
    yield to_xgid(decision.state)
    action = decision.action
    if isinstance(action, Play):
        yield format_move(decision.state.position, action.steps)
    elif action is not None:
        yield {Double: "double", Take: "take", Drop: "pass"}[type(action)]


@dataclass(frozen=True)
class AnalysedDecision:
    """A line and its analysis: of its roll's moves, or of its cube question.

    `judgement` judges the action in the line; None if the line contains none.
    """

    listed: ListedDecision
    known: CheckerAnalysis | CubeAnalysis
    judgement: Judgement | None


def ask_about_list(
    decisions: Sequence[ListedDecision],
    settings: AnalysisSettings,
    engine: str,
    name: str,
    table: MatchTable | None = None,
    *,
    faults: list[str],
) -> list[tuple[ListedDecision, AnalyseQuestion]]:
    """Return each line with its question; a roll's luck, and the cube before it, are not asked for.

    A line with nothing to decide is left out: `faults` receives its file, its line and the reason.
    """
    asked = []
    for listed in decisions:
        try:
            asked.append((listed, _question(listed, settings, engine, table)))
        except ValueError as error:  # of the cube, of a question, or nothing to decide
            faults.append(f"{name}:{listed.line}: {error}")
    return asked


def answered_list(
    decisions: Sequence[ListedDecision], answers: Sequence[str], table: MatchTable | None = None
) -> list[AnalysedDecision]:
    """Put answers, given in the order of the lines, beside them.

    Raises:
        AnswerError: a text is no answer.
    """
    return [
        _answered(listed, analysis_from_text(text), table)
        for listed, text in zip(decisions, answers, strict=True)
    ]


def _question(
    listed: ListedDecision, settings: AnalysisSettings, engine: str, table: MatchTable | None
) -> AnalyseQuestion:
    state, dice = listed.state, listed.state.match.dice
    settings, met = replace(settings, luck_ply=None), met_word(state.match, table)
    if dice is None:
        if not cube_of(state.match, table).may_double:
            raise ValueError("nothing is to decide: no roll, and the player on roll cannot double")
        return AnalyseQuestion(engine, state, DecisionKind.CUBE, settings, met=met)
    move = listed.action if isinstance(listed.action, Play) else None
    steps = legal_moves(state.position, dice)[0].steps if move is None else move.steps
    alone = replace(settings, cube_ply=None)
    return AnalyseQuestion(engine, state, DecisionKind.MOVE, alone, dice, steps, met)


def _answered(
    listed: ListedDecision, analysis: ActionAnalysis, table: MatchTable | None
) -> AnalysedDecision:
    known = analysis.cube if listed.state.match.dice is None else analysis.checker
    assert known is not None, "it was asked for"
    judgement = None
    if listed.action is not None:
        match = AnalysedMatch(listed.match(), ((analysis,),))
        judgement = judge(match, 0, table).decisions[0]
    return AnalysedDecision(listed, known, judgement)
