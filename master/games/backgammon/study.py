"""What a player learns from analysed matches on the page: a profile, and a quiz of the errors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from engine_ext import services
from engine_ext.backgammon.analysis_text import AnswerError
from master.games.backgammon.analyse_report import profile_report
from master.games.backgammon.levels import LEVELS
from master.games.backgammon.matches.decisions import answered, ask_about
from master.games.backgammon.matches.figures import match_figures
from master.games.backgammon.matches.files import read_match
from master.games.backgammon.matches.judging import ActionChoice, Judgement
from master.games.backgammon.matches.profile import PlayedMatch, profile_of
from master.games.backgammon.matches.quiz import QuizItem, quiz_items, verdict_on
from master.games.backgammon.matches.record import plain_name
from master.games.backgammon.position_view import shown_state
from master.games.errors import RecordError
from master.games.handlers import StudiedFile
from master.reports.report import Report

ERRORS_LISTED = 10
"""In a profile: as many as `manyply profile` lists."""


def read(file: StudiedFile, player: str) -> PlayedMatch | None:
    """Return a match of a player; RecordError: this version would ask other questions about it."""
    match = read_match(file.content, file.name).match
    level = LEVELS.get(file.level)
    asked = [] if level is None else ask_about(match, level, services.engine_digest("backgammon"))
    if level is None or len(asked) != len(file.answers):
        raise RecordError(f"{file.name}: another version analysed it; analyse it again")
    try:
        known = answered(match, asked, file.answers)
    except AnswerError as error:
        raise RecordError(f"{file.name}: {error}; analyse it again") from None
    found = PlayedMatch(file.name, known, match_figures(known), match.called(player))
    return found if found.players else None


def profile(matches: Sequence[PlayedMatch], player: str) -> Report:
    """Return how a player plays: the object of `manyply profile --json` without its settings."""
    return {"player": player, **profile_report(profile_of(matches), ERRORS_LISTED)}


def quiz(matches: Sequence[PlayedMatch], count: int) -> list[Report]:
    """Return questions about a player's largest errors, with the loss of every possible answer."""
    return [_question(item) for item in quiz_items(matches, count)]


def _question(item: QuizItem) -> Report:
    judged = item.judgement
    own, other = _names(item)
    options = [verdict_on(item, text) for text in dict.fromkeys(item.moves())]
    state = judged.state
    if judged.dice is not None:
        state = replace(state, match=replace(state.match, dice=judged.dice))
    shown = shown_state(state)
    return {
        "position": shown["ids"][0]["text"],  # type: ignore[index]
        "board": shown["board"],
        "words": shown["words"],
        "prompt": _prompt(item, own, other),
        "played": judged.played,
        "best": judged.best,
        "options": [
            {"answer": each.answer, "loss": each.loss, "is_least": each.is_least}
            for each in sorted(options, key=lambda each: each.answer)
        ],
    }


def _names(item: QuizItem) -> tuple[str, str]:
    """Return the name of the player on roll, and the other one's."""
    judged, players = item.judgement, item.match.match.players
    on_roll = 1 - judged.player if item.is_answer else judged.player
    names = [plain_name(name) or f"Player {number}" for number, name in enumerate(players, 1)]
    return names[on_roll], names[1 - on_roll]


def _prompt(item: QuizItem, own: str, other: str) -> str:
    judged: Judgement = item.judgement
    if item.is_answer:
        return f"{own} doubles. What does {other} do?"
    if judged.choice is ActionChoice.MOVE:
        assert judged.dice is not None, "a move has a roll"
        return f"{own} rolls {judged.dice[0]}-{judged.dice[1]}. What is the move?"
    return f"{own} is on roll: double or no double?"
