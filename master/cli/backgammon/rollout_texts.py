"""A rollout's result as text to paste into a message: by itself it says all that was asked.

Knows views of jobs, and how eXtreme Gammon words a result; prints nothing.  Plain ASCII, no wider
than 80 columns where the names of the moves allow it.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine_ext.backgammon.context import DOUBLE_PASS, DOUBLE_TAKE, NO_DOUBLE, RolloutContext
from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.xgid import to_xgid
from master.cli.backgammon.rollout_report import cube_lines, rollout_lines
from master.cli.backgammon.rollout_words import ranked
from master.cli.output import counted, signed
from master.contract.views import AlternativeSummary, JobView
from master.games.backgammon.job_pictures import state_of
from master.games.backgammon.play.board_view import MINE, THEIRS, board_lines, scene_of
from master.reports.job_table import question_line, round_count

CONFIDENCE = 1.96
"""Standard errors on both sides of a mean that hold the true one in 95 of 100 cases."""

NAME_WIDTH = 28
"""A move with four steps."""


def export_lines(view: JobView) -> list[str]:
    """Return position, question, settings and result, with this program's table."""
    engine = f"manyply, backgammon engine {view.engine}"
    return [*_head(view), "", _games(view), *rollout_lines(view, None), "", engine]


def xg_lines(view: JobView) -> list[str]:
    """Return the same with a table in eXtreme Gammon's words."""
    context = RolloutContext.from_text(view.context)
    is_cube = context.alternatives == (NO_DOUBLE, DOUBLE_TAKE)
    if not view.alternatives:
        return [*_head(view), "", "no trial of every alternative is finished yet"]
    table = _cube_table(view) if is_cube else _move_table(view)
    return [*_head(view), "", *table, "", _games(view)]


def _head(view: JobView) -> list[str]:
    """Return IDs, score, board and what is asked."""
    context = RolloutContext.from_text(view.context)
    state = state_of(context)
    board = ["".join(span.text for span in line).rstrip() for line in board_lines(scene_of(state))]
    ids = [to_xgid(state), f"GNUBG ID: {to_gnubg_id(state)}"]
    return [*ids, "", _score(context), *board, _question(context)]


def _score(context: RolloutContext) -> str:
    if not context.match_length:
        rules = [name for name in ("jacoby", "beavers") if getattr(context, name)]
        return f"Money play{', '.join(['', *rules])}"
    mine, theirs = context.score
    rule = ", Crawford game" if context.crawford else ""
    return f"{MINE} {mine}, {THEIRS} {theirs}, match to {context.match_length}{rule}"


def _question(context: RolloutContext) -> str:
    if context.alternatives == (NO_DOUBLE, DOUBLE_TAKE):
        return f"{MINE} on roll, cube action?"
    if context.dice is None:
        return f"{MINE} on roll"
    return f"{MINE} to play {context.dice[0]}{context.dice[1]}"


def _games(view: JobView) -> str:
    return f"{counted(round_count(view), 'game')} of each: {question_line(view)}"


def _move_table(view: JobView) -> list[str]:
    lines = []
    for rank, index in enumerate(ranked(view), start=1):
        found, name = view.alternatives[index], view.alternative_names[index]
        diff = "" if found.diff_to_best == 0 else f" ({signed(found.diff_to_best, 3)})"
        equity = f"eq:{signed(found.means[-1], 3)}{diff}"
        lines += [f"{rank:>5}. Rollout     {name:{NAME_WIDTH}} {equity}", *_chances(found)]
        if found.std_errors[-1] is not None:
            lines.append(_confidence(found.means[-1], found.std_errors[-1]))
        lines.append("")
    return lines[:-1]


def _chances(found: AlternativeSummary) -> list[str]:
    win, win_g, win_bg, lose_g, lose_bg = found.means[:5]
    return [
        f"      Player:   {_percent(win)} (G:{_percent(win_g)} B:{_percent(win_bg)})",
        f"      Opponent: {_percent(1 - win)} (G:{_percent(lose_g)} B:{_percent(lose_bg)})",
    ]


def _percent(chance: float) -> str:
    return f"{100 * chance:.2f}%"


def _confidence(mean: float, std_error: float) -> str:
    half = CONFIDENCE * std_error
    return f"      Conf.: +- {half:.3f} ({signed(mean - half, 3)}...{signed(mean + half, 3)}) [95%]"


def _cube_table(view: JobView) -> list[str]:
    no_double, double_take = view.alternatives
    equities = {
        "No double": no_double.means[-1],
        "Double/Take": double_take.means[-1],
        "Double/Pass": DOUBLE_PASS,
    }
    best = max(equities["No double"], min(equities["Double/Take"], DOUBLE_PASS))
    cubeless = (
        f"No Double={signed(no_double.means[5], 3)}, Double={signed(double_take.means[5], 3)}"
    )
    return [
        *_chances(no_double),
        f"      Cubeless equities: {cubeless}",
        "      Cubeful equities:",
        *(f"        {_answer(name, equity, best)}" for name, equity in equities.items()),
        *_errors(("No double", "Double/Take"), view.alternatives),
        *cube_lines(view)[-1:],
    ]


def _answer(name: str, equity: float, best: float) -> str:
    diff = "" if equity == best else f" ({signed(equity - best, 3)})"
    return f"{name + ':':14}{signed(equity, 3)}{diff}"


def _errors(names: Sequence[str], found: Sequence[AlternativeSummary]) -> list[str]:
    return [
        f"{_confidence(each.means[-1], each.std_errors[-1])} {name}"
        for name, each in zip(names, found, strict=True)
        if each.std_errors[-1] is not None
    ]
