"""The questions about the decisions of a recorded match, and the analysis made of the answers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from engine_ext.backgammon.analysis import ActionAnalysis
from engine_ext.backgammon.analysis_text import analysis_from_text
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met_words import met_word
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.questions import (
    AnalyseQuestion,
    AnalysisSettings,
    DecisionKind,
)
from master.games.backgammon.matches.flow import GameStage
from master.games.backgammon.matches.record import AnalysedMatch, Match, Play, Resign
from master.games.backgammon.matches.replay import Moment, walk
from master.games.errors import RecordError


@dataclass(frozen=True)
class ActionQuestion:
    """The question about one action.

    Args:
        game: index of the game.
        action: index of the action in it.
        question: to analyse it; the double and the answer to it are one question.
        is_luck_only: the roll was left unmoved (its player resigned): nothing was decided, and
            only the luck of the answer is kept.
    """

    game: int
    action: int
    question: AnalyseQuestion
    is_luck_only: bool = False

    def analysis(self, answer: str) -> ActionAnalysis:
        """Return the analysis in an answer's text; AnswerError: the text is no answer."""
        analysis = analysis_from_text(answer)
        return ActionAnalysis(luck=analysis.luck) if self.is_luck_only else analysis


def ask_about(
    match: Match,
    settings: AnalysisSettings,
    engine: str,
    games: Iterable[int] | None = None,
    players: Collection[int] = (0, 1),
    table: MatchTable | None = None,
) -> list[ActionQuestion]:
    """List the questions about a match, in its order.

    Args:
        match: the match.
        settings: the depths; its cube_ply decides whether there are cube questions at all.
        engine: digest of the engine that is to answer.
        games: indices of the games to analyse; None: all of them.
        players: whose actions.
        table: the match equities; None for the shipped ones.

    Raises:
        RecordError: a game breaks the rules, or its cube is beyond the engine's limit.
    """
    indices = range(len(match.games)) if games is None else games
    if not match.uses_cube:
        settings = replace(settings, cube_ply=None)
    return [
        asked
        for game in indices
        for moment in walk(match, game)
        if moment.action.player in players
        if (asked := ask_about_action(game, moment, settings, engine, table)) is not None
    ]


def answered(
    match: Match, asked: Sequence[ActionQuestion], answers: Sequence[str]
) -> AnalysedMatch:
    """Put answers, given in the order of the questions, beside the actions they are about.

    Raises:
        AnswerError: a text is no answer.
    """
    known: list[list[ActionAnalysis | None]] = [[None] * len(g.actions) for g in match.games]
    for one, text in zip(asked, answers, strict=True):
        known[one.game][one.action] = one.analysis(text)
    return AnalysedMatch(match, tuple(map(tuple, known)))


def ask_about_action(
    game: int,
    moment: Moment,
    settings: AnalysisSettings,
    engine: str,
    table: MatchTable | None = None,
) -> ActionQuestion | None:
    """Return the question about an action; None if it was no decision, or not to be asked about.

    Raises:
        RecordError: its cube is beyond the engine's limit.
    """
    if isinstance(moment.action, Resign):
        return None
    try:
        if isinstance(moment.action, Play):
            return _about_play(game, moment, moment.action, settings, engine, table)
        state = moment.state.game
        if settings.cube_ply is None or not cube_of(state.match, table).may_double:
            return None  # a dead cube, in a match's last game: equities as without one
        question = AnalyseQuestion(
            engine, state, DecisionKind.CUBE, settings, met=met_word(state.match, table)
        )
        return ActionQuestion(game, moment.index, question)
    except ValueError as error:  # of the cube, or of a question
        raise RecordError(f"game {game + 1}, action {moment.index + 1}: {error}") from None


def _about_play(
    game: int,
    moment: Moment,
    play: Play,
    settings: AnalysisSettings,
    engine: str,
    table: MatchTable | None,
) -> ActionQuestion:
    state, stage = moment.state.game, moment.state.stage
    is_left = moment.move is None
    if is_left or stage is GameStage.MOVE:  # there was no cube decision before this roll
        settings = replace(settings, cube_ply=None)
    is_opening = stage is GameStage.OPENING and play.dice[0] != play.dice[1]
    kind = DecisionKind.OPENING if is_opening else DecisionKind.MOVE
    move = moment.move or legal_moves(state.position, play.dice)[0]
    met = met_word(state.match, table)
    question = AnalyseQuestion(engine, state, kind, settings, play.dice, move.steps, met)
    return ActionQuestion(game, moment.index, question, is_left)
