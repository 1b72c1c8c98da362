"""The texts of a match at the terminal: board, moves, cube answers, results."""

from __future__ import annotations

from collections.abc import Sequence

from engine_ext.backgammon.match_state import CENTRED, ON_ROLL
from engine_ext.backgammon.move_text import format_move
from engine_ext.backgammon.play import CubeDecision, RankedMove
from master.cli.output import echo, echo_table
from master.cli.terminal import terminal_width
from master.games.backgammon.analyse_report import error_lines, figure_lines
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.figures import match_figures
from master.games.backgammon.matches.record import (
    Action,
    Beaver,
    Double,
    Drop,
    Match,
    Play,
    Resign,
    Result,
    Take,
)
from master.games.backgammon.matches.replay import score_after
from master.games.backgammon.play.board_view import (
    MINE,
    RESIGNED,
    SIDE_BY_SIDE_COLUMNS,
    THEIRS,
    BoardScene,
    board_lines,
)
from master.games.backgammon.play.live_match import LiveMatch, TimelineEntry
from master.games.spans import Line
from master.reports.texts import printable, signed

HUMAN, ENGINE = 0, 1
"""The players: at the bottom of the board, and at the top."""

MARKS = (MINE, THEIRS)
ERRORS_SHOWN = 10


def names_of(match: Match) -> tuple[str, str]:
    """Return the players' names without control characters, which a file may hold."""
    first, second = map(printable, match.players)
    return first or "player 1", second or "player 2"


def match_lines(live: LiveMatch) -> list[Line]:
    """Draw the board as the human player sees it."""
    return board_lines(scene_of(live), terminal_width() or SIDE_BY_SIDE_COLUMNS)


def scene_of(live: LiveMatch) -> BoardScene:
    """Return the board to draw, the human player at the bottom."""
    state = live.state.game
    is_human = state.match.player_on_roll == HUMAN
    owner = state.match.cube_owner
    if owner != CENTRED and not is_human:
        owner = 1 - owner
    assert owner in (CENTRED, ON_ROLL, 1), "seats are as the bottom player sees them"
    return BoardScene(
        position=state.position if is_human else state.position.swapped(),
        names=names_of(live.match),
        scores=state.match.score if is_human else state.match.score[::-1],
        match_length=state.match.match_length,
        cube_value=state.match.cube_value,
        cube_owner=owner,
        dice=live.dice,
        turn=int(not is_human),
        is_crawford=state.match.crawford,
    )


def entry_text(entry: TimelineEntry, match: Match) -> str:
    """Return an action as a sentence: `X manyply rolls 3-1: 8/5 6/5`."""
    player = entry.action.player
    return f"{MARKS[player]} {names_of(match)[player]} {_done(entry, entry.action)}"


def _done(entry: TimelineEntry, action: Action) -> str:
    if isinstance(action, Play):
        roll = f"rolls {max(action.dice)}-{min(action.dice)}"
        if not action.steps:
            return f"{roll} and cannot move"
        return f"{roll}: {format_move(entry.before.game.position, action.steps)}"
    if isinstance(action, Resign):
        return f"resigns {RESIGNED[action.multiple]}"
    value = entry.before.game.match.cube_value
    return {
        Double: f"doubles to {2 * value}",
        Take: "takes",
        Beaver: f"takes and beavers to {4 * value}",
        Drop: "passes",
    }[type(action)]


def result_text(match: Match, result: Result) -> str:
    """Return the end of the last game and the score of the match."""
    score = score_after(match.games[-1])
    points = "1 point" if result.points == 1 else f"{result.points} points"
    names = names_of(match)
    length = f" in the match to {match.length}" if match.length else ""
    return (
        f"{names[result.winner]} wins {points}.  "
        f"{names[0]} {score[0]}, {names[1]} {score[1]}{length}."
    )


def show_moves(ranked: Sequence[RankedMove], count: int) -> None:
    """Print the best moves."""
    best = ranked[0].equity_cubeful
    rows = [
        (
            f"{move.rank}.", move.text, signed(move.equity_cubeful, 3),
            "" if move.rank == 1 else signed(move.equity_cubeful - best, 3), move.level,
            f"{100 * move.probs.win:z.1f}%", f"{100 * move.probs.win_gammon:z.1f}%",
            f"{100 * move.probs.lose_gammon:z.1f}%",
        )
        for move in ranked[:count]
    ]  # fmt: skip
    headings = ("", "Move", "Equity", "Diff", "Level", "Win", "W g", "L g")
    echo_table("", headings, rows, left=2, drops=(("W g", "L g"), ("Win",), ("Level",)))


def show_cube(decision: CubeDecision) -> None:
    """Print the cube question's answers."""
    rows = [
        ("No double", signed(decision.no_double, 3)),
        ("Double, take", signed(decision.double_take, 3)),
        ("Double, pass", signed(decision.double_pass, 3)),
    ]
    echo_table("", ("", "Equity"), rows)
    echo(f"Proper cube action: {decision.action}")


def show_review(analysed: AnalysedMatch) -> None:
    """Print the figures of the analysis so far, and the worst errors."""
    figures = match_figures(analysed)
    width = terminal_width()
    errors = error_lines(analysed, figures, ERRORS_SHOWN, width)
    echo("")
    shown = figure_lines(analysed, figures, None, source="as analysed", width=width)
    for line in (*shown, "", *errors):
        echo(line)
