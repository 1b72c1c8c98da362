"""A rollout's result: a JSON object with stable keys, tables, text to paste, data for pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine_ext.backgammon.board import position_from_id
from engine_ext.backgammon.context import DOUBLE_PASS, DOUBLE_TAKE, NO_DOUBLE, RolloutContext
from engine_ext.backgammon.cube import Cube, cube_action
from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.match_state import CENTRED, ON_ROLL, GameState, MatchState
from engine_ext.backgammon.met_words import table_of
from engine_ext.backgammon.xgid import to_xgid
from master.contract.views import AlternativeSummary, JobView
from master.games.backgammon.drawing.board_svg import state_svg
from master.games.backgammon.play.board_view import MINE, THEIRS, board_lines, scene_of
from master.games.backgammon.position_reports import PROB_NAMES
from master.games.job_words import JobWords, Outcome
from master.games.spans import unstyled
from master.reports.job_result import job_report, retired_lines
from master.reports.job_table import question_line, round_count
from master.reports.report import Report
from master.reports.texts import counted, percent, signed, unsigned


def state_of(context: RolloutContext) -> GameState:
    """Return the position of a rollout, with score, cube and rules."""
    match = MatchState(
        cube_value=context.cube_value,
        cube_owner=context.cube_owner,
        match_length=context.match_length,
        score=context.score,
        crawford=context.crawford,
        jacoby=context.jacoby,
        beavers=context.beavers,
        dice=context.dice,
    )
    return GameState(position_from_id(context.position_id), match)


def job_position(view: JobView) -> str:
    """Return the GNUBG ID of a rollout's position."""
    return to_gnubg_id(state_of(RolloutContext.from_text(view.context)))


def job_board(view: JobView) -> str:
    """Return the drawing of a rollout's position."""
    return state_svg(state_of(RolloutContext.from_text(view.context)))


def job_outcomes(view: JobView) -> tuple[tuple[Outcome, ...], ...]:
    """Return the outcomes of each alternative's games, from the best for it to the worst."""
    return tuple(_outcomes(found.means) for found in view.alternatives)


def _outcomes(means: tuple[float, ...]) -> tuple[Outcome, ...]:
    win, win_g, win_bg, lose_g, lose_bg = means[:5]
    return (
        Outcome("wins a backgammon", win_bg, is_won=True),
        Outcome("wins a gammon", win_g - win_bg, is_won=True),
        Outcome("wins a single game", win - win_g, is_won=True),
        Outcome("loses a single game", 1.0 - win - lose_g, is_won=False),
        Outcome("loses a gammon", lose_g - lose_bg, is_won=False),
        Outcome("loses a backgammon", lose_bg, is_won=False),
    )


NAME_WIDTH_MAX = 32
"""A move with four steps and hits; longer names are cut."""

WIN_WIDTH = 8
PROBS_WIDTH = 36
"""Columns for gammons and backgammons; left out on a terminal without that much room."""

NUMBERS_WIDTH = 65
DIFF_WIDTH = 9
STACKED_INDENT = 3

_HEADINGS = (
    "   Win", "    W g", "   W bg", "     Lose", "    L g", "   L bg", "   Cubeless", "  Cubeful",
    "     MWC",
)  # fmt: skip
MWC_WIDTH = len(_HEADINGS[-1])
"""Of the last column, which only match play has."""

_LEFT_OUT = ("Lose", "W bg", "L bg", "W g", "L g", "MWC", "Cubeless", "Win")
"""Columns that a narrow terminal has no room for, the least needed first; lose is 1 - win."""


def rollout_report(view: JobView) -> Report:
    """Return the documented object; see job_report."""
    context = RolloutContext.from_text(view.context)
    cube = _cube_of(context)
    report = job_report(view, {"seed": context.seed}, _named_values)
    entries = report["alternatives"]
    assert isinstance(entries, list)
    for entry, found in zip(entries, view.alternatives, strict=False):
        entry["mwc"] = cube.equity_to_mwc(found.means[6]) if cube.match_length else None
    return report


def _named_values(names: Sequence[str], values: Sequence[float | None]) -> Report:
    named = dict(zip(names, values, strict=True))
    return {"probs": {name: named.pop(name) for name in PROB_NAMES}, **named}


def rollout_lines(view: JobView, width: int | None = None, *, has_mwc: bool = True) -> list[str]:
    """Return the table's lines, best alternative first: values above their standard errors.

    Where the names do not fit beside the numbers into `width`, they go above them. In match play
    the last column has match winning chances; `has_mwc` leaves it out.
    """
    if not view.alternatives:
        return ["no trial of every alternative is finished yet"]
    names = view.alternative_names
    order = ranked(view)
    name_width = max(len(name) for name in names)
    diff_width = DIFF_WIDTH if len(names) > 1 else 0
    cube = _cube_of(RolloutContext.from_text(view.context))
    has_mwc = has_mwc and cube.match_length > 0
    numbers_width = NUMBERS_WIDTH + (MWC_WIDTH if has_mwc else 0)
    is_beside = width is None or name_width + 5 + numbers_width + diff_width <= width
    indent = " " * (name_width + 5 if is_beside else STACKED_INDENT)
    room = None if width is None or is_beside else width - STACKED_INDENT
    shown = _shown(room, has_mwc=has_mwc)
    heading = indent + "".join(_HEADINGS[place] for place in shown)
    lines = [heading + ("     Diff" if is_beside and len(names) > 1 else "")]
    for rank, index in enumerate(order, start=1):
        alternative = view.alternatives[index]
        if is_beside:
            head = f"{rank:2}. {names[index]:{name_width}} "
            lines += _alternative_lines(head, indent, alternative, cube, shown, has_diff=True)
        else:
            lines.append(f"{rank:2}. {names[index]}{_diff(alternative)}")
            lines += _alternative_lines(indent, indent, alternative, cube, shown, has_diff=False)
    caught = [f"Caught: {line}" for line in view.caught]
    return lines + cube_lines(view) + retired_lines(view) + caught


@dataclass(frozen=True)
class CubeAnswers:
    """Answers of a rollout of no double and double, take about the cube.

    Equities are the player's on roll, in units of the cube before doubling.

    Args:
        cube: before doubling.
        beaver: None where the double would not be beavered.
        action: one of the words of `cube_action`.
    """

    cube: Cube
    no_double: float
    double_take: float
    beaver: float | None
    double_pass: float
    action: str

    @property
    def best(self) -> float:
        """The equity of the right action: the double may be passed or beavered."""
        not_passed = self.double_take if self.beaver is None else self.beaver
        return max(self.no_double, min(not_passed, self.double_pass))


def cube_answers(view: JobView) -> CubeAnswers | None:
    """Return the answers to the cube question; None if that was not the question."""
    context = RolloutContext.from_text(view.context)
    if context.alternatives != (NO_DOUBLE, DOUBLE_TAKE):
        return None
    cube = _cube_of(context)
    place = view.value_names.index("equity_cubeful")
    no_double, double_take = (each.means[place] for each in view.alternatives)
    is_beavered = cube.is_beavered(double_take)
    return CubeAnswers(
        cube=cube,
        no_double=no_double,
        double_take=double_take,
        beaver=cube.equity_not_passed(double_take) if is_beavered else None,
        double_pass=DOUBLE_PASS,
        action=cube_action(no_double, double_take, DOUBLE_PASS, cube),
    )


def cube_lines(view: JobView) -> list[str]:
    """Return the results for the cube, if that was the question: pass, beaver, action.

    The better of the two alternatives is not always right: a double may be passed or beavered.
    """
    answers = cube_answers(view)
    if answers is None:
        return []
    beaver = "" if answers.beaver is None else f", beaver {signed(answers.beaver)}"
    return [
        f"Doubled: take {signed(answers.double_take)}{beaver}, pass {signed(answers.double_pass)}",
        f"Proper cube action: {answers.action}",
    ]


def _cube_of(context: RolloutContext) -> Cube:
    table, player = table_of(context.met)
    return Cube(
        value=context.cube_value,
        owner=context.cube_owner,
        match_length=context.match_length,
        score=context.score,
        crawford=context.crawford,
        jacoby=context.jacoby,
        beavers=context.beavers,
        table=table,
        player=player or 0,
    )


def _diff(alternative: AlternativeSummary) -> str:
    if alternative.diff_to_best == 0:
        return ""
    return f"  {signed(alternative.diff_to_best)} [{unsigned(alternative.diff_std_error)}]"


def _shown(room: int | None, *, has_mwc: bool) -> list[int]:
    """Return the indices of the columns of numbers for which a terminal has room."""
    shown = list(range(len(_HEADINGS) - (not has_mwc)))
    for name in _LEFT_OUT:
        # Errors stand in brackets.
        if room is None or sum(len(_HEADINGS[place]) for place in shown) + 2 <= room:
            break
        shown = [place for place in shown if _HEADINGS[place].strip() != name]
    return shown


def _alternative_lines(
    head: str,
    indent: str,
    alternative: AlternativeSummary,
    cube: Cube,
    shown: Sequence[int],
    *,
    has_diff: bool,
) -> list[str]:
    means, errors = alternative.means, alternative.std_errors
    values = _prob_cells(means, 1 - means[0])
    values += [f"  {signed(means[5]):>8}", f" {signed(means[6]):>8}"]
    values.append(f" {percent(cube.equity_to_mwc(means[6])):>8}")
    error_values = _prob_cells(errors, errors[0])
    error_values += [f"  {unsigned(errors[5]):>8}", f" {unsigned(errors[6]):>8}"]
    error_values.append(f" {_mwc_error(cube, errors[6]):>8}")
    line = " " + "".join(values[place] for place in shown)
    error_line = "[" + "".join(error_values[place] for place in shown)
    if has_diff and alternative.diff_to_best != 0:
        line += f" {signed(alternative.diff_to_best):>8}"
        error_line += f" {unsigned(alternative.diff_std_error):>8}"
    return [head + line, f"{indent}{error_line}]"]


def _mwc_error(cube: Cube, std_error: float | None) -> str:
    """Return the standard error of a match winning chance: it is a straight line of the equity."""
    if std_error is None:
        return ""
    return percent(cube.equity_to_mwc(std_error) - cube.equity_to_mwc(0.0))


def _prob_cells(values: Sequence[float | None], lose: float | None) -> list[str]:
    """Return a cell for each column of probabilities, all but the first with their separator."""
    win, win_g, win_bg, lose_g, lose_bg = map(unsigned, values[:5])
    return [win, f" {win_g}", f" {win_bg}", f" - {unsigned(lose)}", f" {lose_g}", f" {lose_bg}"]


def ranked(view: JobView) -> list[int]:
    """Return the alternatives' indices, best first; of equals the better cubeless one first.

    Those that are out of contention come last, those that were out first at the end.
    """

    def place(index: int) -> tuple[int, float, list[float]]:
        found = view.alternatives[index]
        return -found.trials, -found.diff_to_best, [-mean for mean in found.means[-2:-1]]

    return sorted(range(len(view.alternatives)), key=place)


def rollout_rows(view: JobView, width: int) -> list[str]:
    """Return headings and a line for each alternative, best first."""
    name_width = min(NAME_WIDTH_MAX, max(len(name) for name in view.alternative_names))
    narrow_width = 4 + 18 + (18 if len(view.alternatives) > 1 else 0)
    is_wide = width >= narrow_width + name_width + WIN_WIDTH + PROBS_WIDTH
    has_win = width >= narrow_width + name_width + WIN_WIDTH
    name_width = max(0, min(name_width, width - narrow_width))
    heading = f"{'':{name_width + 4}}" + (f"{'Win':>8}" if has_win else "")
    if is_wide:
        heading += f"{'W g':>9}{'W bg':>9}{'L g':>9}{'L bg':>9}"
    heading += f"{'Cubeful':>9}{'':9}" + (f"{'Diff':>9}" if len(view.alternatives) > 1 else "")
    lines = [heading]
    for rank, index in enumerate(ranked(view), start=1):
        name = view.alternative_names[index][:name_width]
        numbers = _numbers(view.alternatives[index], has_win=has_win, is_wide=is_wide)
        lines.append(f"{rank:>2}. {name:{name_width}}{numbers}")
    return lines


def _numbers(alternative: AlternativeSummary, *, has_win: bool, is_wide: bool) -> str:
    win, *others = alternative.means[:5]
    text = (f"{win:z8.4f}" if has_win else "") + (
        "".join(f"{value:z9.4f}" for value in others) if is_wide else ""
    )
    text += f"{alternative.means[-1]:+z9.4f} [{unsigned(alternative.std_errors[-1])}]"
    if alternative.diff_to_best != 0:
        text += f"{alternative.diff_to_best:+z9.4f} [{unsigned(alternative.diff_std_error)}]"
    return text


def best_play(view: JobView) -> str:
    """Return the best alternative with its equity."""
    best = ranked(view)[0]
    alternative = view.alternatives[best]
    equity, error = signed(alternative.means[-1]), unsigned(alternative.std_errors[-1])
    return f"{view.alternative_names[best]} {equity} [{error.strip()}]"


WORDS = JobWords(rollout_rows, best_play)


CONFIDENCE = 1.96
"""Standard errors on both sides of a mean that hold the true one in 95 of 100 cases."""

NAME_WIDTH = 28
"""A move with four steps."""


def export_lines(view: JobView) -> list[str]:
    """Return position, question, settings and result, with this program's table."""
    engine = f"manyply, backgammon engine {view.engine}"
    return [*_head(view), "", _games(view), *rollout_lines(view, has_mwc=False), "", engine]


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
    return unstyled(board_lines(scene_of(state_of(context))))


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
        f"{labels[0]} {percent(win)} (G:{percent(win_g)} B:{percent(win_bg)})",
        f"{labels[1]} {percent(1 - win)} (G:{percent(lose_g)} B:{percent(lose_bg)})",
    ]


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
