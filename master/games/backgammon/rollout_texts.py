"""A rollout's result as text to paste into a message, with the whole question.

Its words are those of eXtreme Gammon. Our own table is plain ASCII, no wider than 80 columns where
the names of the moves allow it.
"""

from __future__ import annotations

from engine_ext.backgammon.context import DOUBLE_TAKE, NO_DOUBLE, RolloutContext
from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.match_state import CENTRED, ON_ROLL
from engine_ext.backgammon.xgid import to_xgid
from master.contract.views import AlternativeSummary, JobView
from master.games.backgammon.job_pictures import state_of
from master.games.backgammon.play.board_view import MINE, THEIRS, board_lines, scene_of
from master.games.backgammon.rollout_report import (
    CubeAnswers,
    cube_answers,
    ranked,
    rollout_lines,
)
from master.reports.job_table import question_line, round_count
from master.reports.texts import counted, signed

CONFIDENCE = 1.96
"""Standard errors on both sides of a mean that hold the true one in 95 of 100 cases."""

NAME_WIDTH = 28
"""A move with four steps."""


def export_lines(view: JobView) -> list[str]:
    """Return position, question, settings and result, with this program's table."""
    engine = f"manyply, backgammon engine {view.engine}"
    return [*_head(view), "", _games(view), *rollout_lines(view, None), "", engine]


def xg_lines(view: JobView) -> list[str]:
    """Return the same in eXtreme Gammon's words, as the programs that read its texts expect them.

    The lines are those of its "copy position" with an analysis: head, board, question, table,
    settings of the rollout.  Its line of the version is left out, as another program rolled.
    """
    if not view.alternatives:
        return [*_xg_head(view), "", "no trial of every alternative is finished yet"]
    answers = cube_answers(view)
    table = _move_table(view) if answers is None else _cube_table(view, answers)
    return [*_xg_head(view), "", *table, "", *_xg_settings(view)]


def _ids(view: JobView) -> list[str]:
    state = state_of(RolloutContext.from_text(view.context))
    return [to_xgid(state), f"GNUBG ID: {to_gnubg_id(state)}"]


def _board(context: RolloutContext) -> list[str]:
    lines = board_lines(scene_of(state_of(context)))
    return ["".join(span.text for span in line).rstrip() for line in lines]


def _head(view: JobView) -> list[str]:
    """Return IDs, score, board and the question."""
    context = RolloutContext.from_text(view.context)
    question = f"{MINE} on roll, cube action?" if _is_cube(context) else _question(context)
    return [*_ids(view), "", _score(context), *_board(context), question]


def _score(context: RolloutContext) -> str:
    if not context.match_length:
        rules = [name for name in ("jacoby", "beavers") if getattr(context, name)]
        return f"Money play{', '.join(['', *rules])}"
    mine, theirs = context.score
    rule = ", Crawford game" if context.crawford else ""
    return f"{MINE} {mine}, {THEIRS} {theirs}, match to {context.match_length}{rule}"


def _is_cube(context: RolloutContext) -> bool:
    return context.alternatives == (NO_DOUBLE, DOUBLE_TAKE)


def _question(context: RolloutContext) -> str:
    if context.dice is None:
        return f"{MINE} on roll"
    return f"{MINE} to play {context.dice[0]}{context.dice[1]}"


def _games(view: JobView) -> str:
    return f"{counted(round_count(view), 'game')} of each: {question_line(view)}"


def _xg_head(view: JobView) -> list[str]:
    """Return the lines above the analysis."""
    context = RolloutContext.from_text(view.context)
    mine, theirs = state_of(context).position.pip_counts()
    length = f"/{context.match_length}" if context.match_length else ""
    stake = f"{context.score[0]}-{context.score[1]}{length}{' Crawford' * context.crawford}"
    owner = "" if context.cube_owner == CENTRED else f", {_owner(context)} own cube"
    question = f"{MINE} on roll, cube action" if _is_cube(context) else _question(context)
    return [
        *_ids(view), "", f"{MINE}:Player 1   {THEIRS}:Player 2", _xg_score(context),
        *_board(context), f"Pip count  {MINE}: {mine}  {THEIRS}: {theirs} {MINE}-{THEIRS}: {stake}",
        f"Cube: {context.cube_value}{owner}", question,
    ]  # fmt: skip


def _owner(context: RolloutContext) -> str:
    return MINE if context.cube_owner == ON_ROLL else THEIRS


def _xg_score(context: RolloutContext) -> str:
    mine, theirs = context.score
    points = f"Score is {MINE}:{mine} {THEIRS}:{theirs}"
    if context.match_length:
        return f"{points} {context.match_length} pt.(s) match."
    words = ((context.jacoby, "Jacoby"), (context.beavers, "Beaver"))
    rules = " ".join(word for is_given, word in words if is_given)
    return f"{points}. Unlimited Game{', ' * bool(rules)}{rules}"


def _xg_settings(view: JobView) -> list[str]:
    """Return the settings of the rollout; plies are in our own line: XG counts one more."""
    context = RolloutContext.from_text(view.context)
    reduced = " with Variance Reduction" * context.variance_reduction
    return [
        "Rollout:",
        f"  {round_count(view)} Games rolled{reduced}.",
        f"  Dice Seed: {context.seed}",
        f"  {question_line(view)}",
        *(_cube_confidence(view) if _is_cube(context) else ()),
        f"  manyply, backgammon engine {view.engine}",
    ]


def _cube_confidence(view: JobView) -> list[str]:
    labels = ("Confidence No Double:", "Confidence Double:   ")
    return [
        f"  {label} {_confidence(found)}"
        for label, found in zip(labels, view.alternatives, strict=False)
        if found.std_errors[-1] is not None
    ]


def _move_table(view: JobView) -> list[str]:
    lines = []
    for rank, index in enumerate(ranked(view), start=1):
        found, name = view.alternatives[index], view.alternative_names[index]
        diff = "" if found.diff_to_best == 0 else f" ({signed(found.diff_to_best, 3)})"
        equity = f"eq:{signed(found.means[-1], 3)}{diff}"
        lines += [f"{rank:>5}. Rollout     {name:{NAME_WIDTH}} {equity}"]
        lines += [f"      {line}" for line in _chances(found, ("Player:  ", "Opponent:"))]
        if found.std_errors[-1] is not None:
            lines.append(f"      Confidence: {_confidence(found)}")
        lines.append("")
    return lines[:-1]


def _chances(found: AlternativeSummary, labels: tuple[str, str]) -> list[str]:
    win, win_g, win_bg, lose_g, lose_bg = found.means[:5]
    return [
        f"{labels[0]} {_percent(win)} (G:{_percent(win_g)} B:{_percent(win_bg)})",
        f"{labels[1]} {_percent(1 - win)} (G:{_percent(lose_g)} B:{_percent(lose_bg)})",
    ]


def _percent(chance: float) -> str:
    return f"{100 * chance:z.2f}%"


def _confidence(found: AlternativeSummary) -> str:
    mean, std_error = found.means[-1], found.std_errors[-1]
    assert std_error is not None, "the caller left out what has none"
    half = CONFIDENCE * std_error
    return f"± {half:.3f} ({signed(mean - half, 3)}..{signed(mean + half, 3)})"


_SIDES = ("Player Winning Chances:  ", "Opponent Winning Chances:")


def _cube_table(view: JobView, answers: CubeAnswers) -> list[str]:
    """Return chances, cubeless and cubeful equities of both games, and the right action."""
    cube, double = answers.cube, "Redouble" if answers.cube.owner == ON_ROLL else "Double"
    no_double = f"No {double.lower()}"
    equities = {
        f"{no_double}:": answers.no_double,
        f"{double}/Take:": answers.double_take,
        **({} if answers.beaver is None else {f"{double}/Beaver:": answers.beaver}),
        f"{double}/Pass:": answers.double_pass,
    }
    idle, taken = view.alternatives
    games = ((no_double, idle), (f"{double}/Take", taken))
    cubeless = _cubeless(idle, cube, cube), _cubeless(taken, cube, cube.after_take())
    return [
        "Analyzed in Rollout",
        *(
            line
            for name, found in games
            for line in (name, *(f"  {each}" for each in _chances(found, _SIDES)))
        ),
        "",
        f"Cubeless Equities: No Double={cubeless[0]}, Double={cubeless[1]}",
        "",
        "Cubeful Equities:",
        *(
            f"       {name:{len(double) + 9}}{_answer(each, answers.best)}"
            for name, each in equities.items()
        ),
        "",
        f"Best Cube action: {xg_action(answers.action)}",
    ]


def _cubeless(found: AlternativeSummary, before: Cube, played: Cube) -> str:
    """Return the cubeless equity of a game at the cube `played`, in units of the cube before."""
    if before.match_length:
        mwc = played.equity_to_mwc(played.cubeless_equity(found.means[:5]))
        return signed(before.mwc_to_equity(mwc), 3)
    # Gammons count here also where Jacoby's rule has none: eXtreme Gammon prints it so.
    win, win_g, win_bg, lose_g, lose_bg = found.means[:5]
    points = 2 * win - 1 + win_g + win_bg - lose_g - lose_bg
    return signed(points * played.value / before.value, 3)


def xg_action(action: str) -> str:
    """Return one of the engine's words for a cube action as eXtreme Gammon words it."""
    doubler, comma, answer = action.partition(", ")
    return f"{doubler.capitalize()} / {answer.capitalize() if comma else 'Take'}"


def _answer(equity: float, best: float) -> str:
    return signed(equity, 3) + ("" if equity == best else f" ({signed(equity - best, 3)})")
