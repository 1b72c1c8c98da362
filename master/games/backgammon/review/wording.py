"""The words, numbers and boards of a review, the same on a page and in text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine_ext.backgammon.analysis import CubeAnalysis
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import CENTRED, GameState
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.questions import AnalysisSettings
from engine_ext.backgammon.ranking import Probs
from master.games.backgammon.analyse_report import settings_report
from master.games.backgammon.drawing.board_svg import BoardDrawing
from master.games.backgammon.epc import epc_note
from master.games.backgammon.figure_rows import Unit, level_words
from master.games.backgammon.matches.figures import LuckMark, luck_mark, mark
from master.games.backgammon.matches.judging import ActionChoice
from master.games.backgammon.matches.record import Beaver, Double, Drop, Game, Play, Resign, Take
from master.games.backgammon.play.board_view import BoardScene, scene_of
from master.games.backgammon.review.turns import MatchReview, Turn
from master.reports.texts import percent


def bottom(turn: Turn) -> int:
    """Return the player at the bottom: the one on roll, for a double the doubler."""
    return turn.state.match.player_on_roll


def scene(turn: Turn, names: tuple[str, str]) -> BoardScene:
    """Return a turn's board with its roll."""
    own = bottom(turn)
    return scene_of(turn.state, turn.dice, (names[own], names[1 - own]))


def drawing(turn: Turn, names: tuple[str, str]) -> BoardDrawing:
    """Return a turn's board with arrows: of the move played, and of a better one."""
    played = better = ""
    if turn.checker is not None:
        played, best = turn.checker.moves[turn.checker.played].text, turn.checker.moves[0].text
        better = best if turn.checker.error > 0.0 and best != played else ""
    return BoardDrawing(
        scene(turn, names),
        played,
        better,
        is_bottom_dark=bottom(turn) == 1,
        is_double_offered=turn.state.match.is_double_offered,
    )


def asked_state(turn: Turn, *, is_rolled: bool = True) -> GameState:
    """Return the state before a turn's decision: with the roll, or before it."""
    dice = turn.dice if is_rolled else None
    if dice is None and not turn.dice:
        return turn.state
    return replace(turn.state, match=replace(turn.state.match, dice=dice))


RESIGNED = {1: "a single game", 2: "a gammon", 3: "a backgammon"}
UNMOVED = "left unmoved"
TAGS = ("event", "round", "place", "date", "annotator")
"""Of a match, in this order before all others."""


def unit_of(review: MatchReview) -> Unit:
    """Return the unit of costs."""
    return Unit(is_match=review.analysed.match.length > 0)


def done(turn: Turn) -> str:
    """Return the action, as after the player's name: `3-1 8/5 6/5`, `doubles to 2`."""
    action, cube = turn.action, turn.state.match.cube_value
    if isinstance(action, Play):
        return f"{action.dice[0]}-{action.dice[1]} {turn.text or UNMOVED}"
    if isinstance(action, Resign):
        return f"resigns {RESIGNED[action.multiple]}"
    words = {
        Double: f"{'doubles' if turn.state.match.cube_owner == CENTRED else 'redoubles'} "
        f"to {2 * cube}",
        Take: "takes",
        Beaver: f"beavers to {4 * cube}",
        Drop: "passes",
    }
    return words[type(action)]


def place(turn: Turn) -> str:
    """Return a turn's number in reports: game and action, from 1."""
    return f"{turn.game + 1}.{turn.index + 1}"


def equity(value: float, std_error: float | None = None) -> str:
    """Return an equity, with the standard error of a rollout."""
    return f"{value:+z.3f}" + ("" if std_error is None else f" +- {std_error:.3f}")


def mwc_words(turn: Turn, value: float, table: MatchTable | None) -> str:
    """Return an equity's match winning chance, after two blanks; empty in money play."""
    match = turn.state.match
    if not match.match_length:
        return ""
    return f"  {percent(cube_of(match, table).equity_to_mwc(value))}"


def epc_words(turn: Turn, names: tuple[str, str]) -> str:
    """Return the effective pip counts of a race; empty: they are not known."""
    own = bottom(turn)
    return epc_note(turn.state, (names[own], names[1 - own]))


def loss(value: float) -> str:
    """Return a loss as a negative number; an empty text for none."""
    return f"{-value:.3f}" if value >= 0.0005 else ""


def chances(probs: Probs) -> str:
    """Return wins, gammons and backgammons, won and lost, in per cent."""
    win, win_g, win_bg, lose_g, lose_bg = (f"{100 * part:z.1f}" for part in probs)
    return f"{win} {win_g} {win_bg} - {100 * (1 - probs.win):z.1f} {lose_g} {lose_bg}"


def error_words(turn: Turn) -> str:
    """Return a turn's error and its mark: `-0.061, bad`; empty: there is none."""
    worst = max((each.error for each in turn.decisions), default=0.0)
    words = [loss(turn.error), mark(worst).value]
    return ", ".join(word for word in words if word)


def luck_words(turn: Turn) -> str:
    """Return the luck of the roll: `+0.412, lucky`; empty: it is unknown."""
    if turn.luck is None:
        return ""
    word = luck_mark(turn.luck.luck)
    return f"{turn.luck.luck:+z.3f}" + (f", {word.value}" if word is not LuckMark.NONE else "")


def cube_rows(cube: CubeAnalysis) -> list[tuple[str, float, float]]:
    """Return each cube action with its equity to the doubler, and its difference to the best."""
    rows = [("no double", cube.no_double), ("double, take", cube.double_take)]
    if cube.double_beaver is not None:
        rows.append(("double, beaver", cube.double_beaver))
    rows.append(("double, pass", cube.double_pass))
    return [(name, value, value - cube.best) for name, value in rows]


def cube_basis(cube: CubeAnalysis) -> str:
    """Return the basis of a cube analysis: chances, cubeless equity, level, standard error."""
    error = "" if cube.std_error is None else f" +- {cube.std_error:.3f}"
    return f"{chances(cube.probs)}; cubeless {cube.equity_cubeless:+z.3f}; {cube.level}{error}"


def cube_verdict(turn: Turn) -> str:
    """Return the best cube action, and the error of the one here."""
    assert turn.cube is not None, "there is a cube question"
    verdict, decision = f"Proper cube action: {turn.cube.action}", turn.cube_decision
    if decision is None:
        return f"{verdict}."
    if decision.choice in (ActionChoice.TAKE, ActionChoice.PASS):
        verdict = f"Proper answer: {decision.best}"
    size = loss(decision.error)
    if not size:
        return f"{verdict}."
    words = [f"{decision.played} is wrong", size, mark(decision.error).value]
    return f"{verdict}; {', '.join(word for word in words if word)}."


def result_words(game: Game, names: tuple[str, str]) -> str:
    """Return the result of a game."""
    if game.result is None:
        return "not finished"
    points = game.result.points
    return f"{names[game.result.winner]} wins {points} point{'s' * (points > 1)}"


def match_words(review: MatchReview) -> str:
    """Return the kind and the result of the match: `7-point match, Ann won 7-3`."""
    match, names = review.analysed.match, review.names
    what = f"{match.length}-point match" if match.length else "Money session"
    if not match.games:
        return what
    last = match.games[-1]
    score = list(last.score)
    if last.result is not None:
        score[last.result.winner] += last.result.points
    if match.length and max(score) >= match.length:
        winner = score.index(max(score))
        return f"{what}, {names[winner]} won {score[winner]}-{score[1 - winner]}"
    return f"{what}, {names[0]} {score[0]}, {names[1]} {score[1]}"


def rules_words(review: MatchReview) -> str:
    """Return the rules of the match."""
    match = review.analysed.match
    named = [("Crawford rule", match.uses_crawford)]
    if not match.length:
        named = [("Jacoby rule", match.jacoby), ("beavers", match.beavers)]
    words = [name if is_so else f"no {name}" for name, is_so in named]
    return ", ".join(words if match.uses_cube else [*words, "no cube"])


def settings_words(review: MatchReview) -> str:
    """Return the depth of the analysis, its engine and its match equities."""
    settings = review.settings
    if settings is None:
        return "analysis of the file"
    words = [level_words(settings), f"move filter {settings.move_filter}"]
    if settings.luck_ply is not None:
        words.append(f"luck {settings.luck_ply}-ply")
    words += _tables(review, settings)
    return ", ".join([*words, f"engine {review.engine}"] if review.engine else words)


def _tables(review: MatchReview, settings: AnalysisSettings) -> Iterator[str]:
    if settings.rollout is not None:
        yield f"seed {settings.rollout.seed}"
    if review.analysed.match.length:
        yield f"match equities {settings_report(settings, review.table)['met']}"


def tags_of(review: MatchReview) -> list[tuple[str, str]]:
    """Return the file's tags of the match, without the names: event, date, comment, ..."""
    tags = review.analysed.match.tags
    known = [name for name in TAGS if tags.get(name)]
    others = sorted(name for name, text in tags.items() if name not in TAGS and text)
    return [(name, tags[name]) for name in known + others]
