"""`manyply eval`, `move` and `cube`: one position, or a batch of them, here or by a fleet."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self

import click

from engine_ext.backgammon.alternatives import why_no_double
from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.levels import EXACT
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.notation import ALL_ROLLS
from engine_ext.backgammon.play import RankedMove, rank_moves
from engine_ext.control import RunControl
from master.cli.arguments import (
    CountType,
    board_option,
    json_option,
    reads,
    reads_text,
    together,
)
from master.cli.backgammon.position_board import show_board_if
from master.cli.backgammon.position_tables import matrix_of, show_map, show_matrix, write_map
from master.cli.backgammon.rule_options import (
    Rules,
    apply_rules,
    batch_option,
    filter_of,
    filter_option,
    given_rules,
    level_option,
    plies_option,
    ply_of,
    read_id_or_recorded,
    ruled,
    rules_options,
)
from master.cli.drawings import drawing_option
from master.cli.errors import CommandError, ExitCode
from master.cli.interruptible import interruptible
from master.cli.output import echo, echo_json, echo_table
from master.cli.place import Place, place_options
from master.config.paths import control_socket_path, default_state_dir
from master.contract.errors import MasterError
from master.games.backgammon.epc import epc_note
from master.games.backgammon.play.board_view import NAMES
from master.games.backgammon.position_reports import (
    SIZE_MAX,
    cube_report,
    eval_report,
    mean_equity,
    ranked_report,
    rolls_report,
    why_over,
)
from master.games.backgammon.typed import Dice, read_dice, read_id
from master.reports.report import Report
from master.reports.texts import counted, percent, signed

if TYPE_CHECKING:
    from master.cli.fleet_thread import FleetThread

FLEET_PLY_MIN = 2
"""Shallower work never pays: all 21 rolls at 1-ply take some 10 ms."""

FLEET_S_MIN = 1.0
"""Work that pays: a fleet takes so long to be loaded, dialled and agreed with
(tests/benchmarks/moves_fleet.py)."""

ROLLS_TOGETHER_MIN = 2
"""Rolls from which on they are shared among this machine's cores."""


class Ranker:
    """Ranks moves at one level. Use it as a context manager, from any one thread."""

    def __init__(
        self,
        place: Place,
        ply: int,
        table: MatchTable | None,
        move_filter: str = "normal",
        *,
        is_cubeful: bool = True,
    ) -> None:
        """Prepare to rank.

        Args:
            place: the analysers or the master.
            ply: the level.
            table: match equities of the user's own; None for the shipped ones.
            move_filter: how many moves are looked ahead at.
            is_cubeful: with the cube; without it, moves are ranked here, by this process alone.
        """
        self._is_cubeful = is_cubeful
        self._place = place
        self._ply = ply
        self._table = table
        self._filter = move_filter
        self._control = RunControl()
        self._stack = ExitStack()
        self._fleet: FleetThread | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *ending: object) -> None:
        """Stop the computation here, and leave the fleet."""
        self._control.stop()
        self._stack.close()

    def rank(self, state: GameState, rolls: Iterable[Dice]) -> list[list[RankedMove]]:
        """Return every legal move of each roll, best first.

        Raises:
            ValueError: dice, a ply or a cube that the engine does not have.
            CommandError: a fleet was called on, and cannot be used.
        """
        wanted = list(rolls)
        if not self._is_for_a_fleet(state, wanted):
            return self._rank_here(state, wanted)
        try:
            return self._rank_over(state, wanted)
        except MasterError as error:
            from master.cli.jobs.watching import error_code  # loaded with the fleet

            raise CommandError(str(error), error_code(error)) from error

    def _is_for_a_fleet(self, state: GameState, rolls: list[Dice]) -> bool:
        if not self._is_cubeful:
            return False
        if self._fleet is not None or self._place.local == 0:
            return True
        if self._ply < FLEET_PLY_MIN or not self._has_fleet():
            return False
        from master.games.backgammon.fleet_answers import expected_s  # see the module

        return expected_s(state, rolls, self._ply) >= FLEET_S_MIN

    def _has_fleet(self) -> bool:
        """Whether more than this process's own thread could compute."""
        place = self._place
        is_named = place.is_here or place.master is not None
        return is_named or control_socket_path(default_state_dir()).exists()

    def _rank_here(self, state: GameState, rolls: list[Dice]) -> list[list[RankedMove]]:
        def rank(dice: Dice) -> list[RankedMove]:
            return rank_moves(
                state, dice, self._ply, move_filter=self._filter, control=self._control,
                table=self._table, is_cubeful=self._is_cubeful,
            )  # fmt: skip

        if self._ply == 0 or len(rolls) < ROLLS_TOGETHER_MIN:
            return [rank(dice) for dice in rolls]
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            return list(pool.map(rank, rolls))

    def _rank_over(self, state: GameState, rolls: list[Dice]) -> list[list[RankedMove]]:
        from master.cli.fleet_thread import FleetThread  # see the module
        from master.games.backgammon.fleet_answers import HERE_S_MAX, rank_rolls_over

        if self._fleet is None:
            self._fleet = self._stack.enter_context(FleetThread(self._place, ("backgammon",)))
        here_s_max = 0.0 if self._place.local == 0 else HERE_S_MAX
        return self._fleet.run(
            lambda master: rank_rolls_over(
                master.ask,
                state,
                rolls,
                self._ply,
                move_filter=self._filter,
                here_s_max=here_s_max,
                table=self._table,
            )
        )


_PROB_HEADINGS = ("Win", "W g", "W bg", "-", "Lose", "L g", "L bg")

_PROB_DROPS = (("-", "Lose"), ("W bg", "L bg"), ("MWC",), ("W g", "L g"), ("Win",), ("Ply",))
"""Columns that a narrow terminal has no room for, the least needed first; lose is 1 - win."""

_asked_options = together(
    click.argument("state", metavar="[ID]", callback=reads_text(read_id_or_recorded), nargs=-1),
    level_option,
    plies_option,
    rules_options,
    batch_option,
    json_option,
    board_option,
)
"""The options of all of these commands; `_answer` takes them, except the plies."""

_game_option = click.option(
    "--cubeful/--cubeless", "is_cubeful", default=True,
    help="Whether plays are chosen with or without the doubling cube.  [default: cubeful]",
)  # fmt: skip


def _answer(
    report: Callable[[GameState, Rules], Report],
    show: Callable[[GameState, Report], None],
    *,
    state: GameState | None,
    batch: IO[str] | None,
    is_json: bool,
    board: bool | None,
    **given: Any,
) -> None:
    """Answer one ID, or a batch of them, by a report; all of them by the rules given."""
    rules = given_rules(given)
    if (state is None) == (batch is None):
        raise click.UsageError("give one ID, or --batch FILE")
    if batch is not None:
        _answer_batch(batch, lambda one: report(apply_rules(one, rules), rules))
        return
    assert state is not None, "checked above"
    state = ruled(state, rules)
    answer = interruptible(partial(report, state, rules))
    if is_json:
        echo_json(answer)
    else:
        show_board_if(board, state, _roll_of(answer))
        show(state, answer)


def _roll_of(report: Report) -> Dice | None:
    dice = report.get("dice")
    return (dice[0], dice[1]) if isinstance(dice, list) else None


def _answer_batch(batch: IO[str], report: Callable[[GameState], Report]) -> None:
    """Answer each line by one JSON line; a bad line by {"line", "error"} and exit code 2."""
    is_bad = False
    for number, line in enumerate(batch, start=1):
        if not line.strip():
            continue
        try:
            echo_json(interruptible(partial(report, read_id(line))))
        except (ValueError, click.UsageError) as error:
            is_bad = True
            text = error.message if isinstance(error, click.UsageError) else str(error)
            echo_json({"line": number, "error": text})
    if is_bad:
        raise SystemExit(ExitCode.BAD_INPUT)


@click.command("eval")
@_asked_options
@_game_option
def eval_command(ply: int | None, level: str | None, is_cubeful: bool, **asked: Any) -> None:
    """Evaluate a position whose player on roll is about to roll."""
    depth = ply_of(ply, level, is_batch=asked["batch"] is not None)
    _answer(
        lambda one, rules: eval_report(one, depth, rules.table, is_cubeful=is_cubeful),
        _show_eval,
        **asked,
    )


def _show_eval(state: GameState, report: Report) -> None:
    echo(f"{to_gnubg_id(state)}  {report['level']}, {report['plays']} plays, player on roll")
    equities = {"Cubeless": report["equity_cubeless"], "Cubeful": report["equity_cubeful"]}
    _show_chances(report, equities)
    _show_epc(state)


def _show_epc(state: GameState) -> None:
    """Print the effective pip counts of a race, as far as they are known."""
    if note := epc_note(state, NAMES):
        echo(note)


def _show_chances(report: Report, equities: Report) -> None:
    """Print the chances of all ends of the game, and equities and the MWC beside them."""
    known = {name: signed(_number(value)) for name, value in equities.items() if value is not None}
    if isinstance(mwc := report["mwc"], float):
        known["MWC"] = percent(mwc)
    row = ("", *_prob_cells(report["probs"]), *known.values())
    echo_table("", ("", *_PROB_HEADINGS, *known), [row], groups=(7, len(known)))


def _prob_cells(probs: object) -> list[str]:
    assert isinstance(probs, dict)
    win, win_g, win_bg, lose_g, lose_bg = map(percent, probs.values())
    return [win, win_g, win_bg, "-", percent(1 - probs["win"]), lose_g, lose_bg]


def _ply_or_exact(move: Report) -> str:
    return EXACT if move["level"] == EXACT else str(move["ply"])


def _mwc_cells(move: Report) -> list[str]:
    """Return the chance of winning the match after a move, of which money play has none."""
    return [percent(mwc)] if isinstance(mwc := move["mwc"], float) else []


def _number(value: object) -> float:
    assert isinstance(value, float)
    return value


def _read_levels(text: str) -> tuple[str, ...]:
    from master.cli.backgammon.compare_levels import read_levels  # see _compare

    return read_levels(text)


_compare_option = click.option(
    "--compare", "levels", metavar="LEVELS", callback=reads(_read_levels),
    help="Rank the moves of the roll by several levels of analysis, e.g. quick,normal,deep, side "
    "by side; see `manyply analyse --help`.",
)  # fmt: skip


@click.command("backgammon", short_help="Of a roll, or of each roll.")
@click.option(
    "--dice",
    callback=reads(read_dice),
    metavar="DICE",
    help="The roll, e.g. 31; else the ID's own.",
)
@click.option("--all-rolls", "is_each", is_flag=True, help="The best move of each of the 21 rolls.")
@click.option(
    "--map",
    "is_map",
    is_flag=True,
    help="With --all-rolls: a map of the value of each roll, one die by the other.",
)
@drawing_option("--svg", "With --all-rolls: draw this map to a file.")
@_compare_option
@_asked_options
@filter_option
@_game_option
@place_options
def move_backgammon(
    dice: Dice | None,
    is_each: bool,
    is_map: bool,
    svg: Path | None,
    levels: tuple[str, ...] | None,
    ply: int | None,
    level: str | None,
    move_filter: str,
    is_cubeful: bool,
    place: Place,
    **asked: Any,
) -> None:
    """Rank every legal move of a roll, best first, or find the best of each roll.

    Analysers, or a master that runs here, are called on for work that takes longer than calling;
    --cubeless is ranked here.
    """
    if not is_cubeful and (place.analysers or place.master is not None):
        raise click.UsageError("--cubeless is ranked here: leave out --analyser, --master")
    if is_each and dice is not None:
        raise click.UsageError("--all-rolls looks at every roll: leave out --dice")
    if levels is not None:
        said = {"--all-rolls": is_each, "--cubeless": not is_cubeful}
        _compare(levels, dice, place, said, **asked)
        return
    _check_map(is_each=is_each, is_map=is_map, svg=svg, is_batch=asked["batch"] is not None)
    depth = ply_of(ply, level, is_batch=asked["batch"] is not None)
    chosen = filter_of(move_filter, level)
    with Ranker(place, depth, asked["table"], chosen, is_cubeful=is_cubeful) as ranker:

        def report(one: GameState, rules: Rules) -> Report:
            _check_going_on(one)
            if is_each:
                ranked = ranker.rank(one, ALL_ROLLS)
                rolls = rolls_report(one, ALL_ROLLS, ranked, rules.table, is_cubeful=is_cubeful)
                if svg is not None:
                    write_map(svg, one, rolls)
                return rolls
            roll = _roll(dice, one)
            return ranked_report(
                one, roll, ranker.rank(one, [roll])[0], rules.table, is_cubeful=is_cubeful
            )

        show = show_map if is_map else _show_rolls if is_each else _show_moves
        _answer(report, show, **asked)


def _check_going_on(state: GameState) -> None:
    if why := why_over(state):
        raise click.UsageError(f"{why}: nothing is left to decide")


def _roll(dice: Dice | None, state: GameState) -> Dice:
    """Return the roll that is given, or that of the ID."""
    roll = dice or state.match.dice
    if roll is None:
        raise click.UsageError(
            "no roll: give --dice 31 or --all-rolls, or an ID with dice on the board"
        )
    return roll


def _compare(
    levels: tuple[str, ...],
    dice: Dice | None,
    place: Place,
    said: Mapping[str, bool],
    *,
    state: GameState | None,
    batch: IO[str] | None,
    is_json: bool,
    board: bool | None,
    **given: Any,
) -> None:
    """Print the moves of one roll as several levels rank them."""
    if state is None or batch is not None:
        raise click.UsageError("--compare is of one ID: leave out --batch")
    # Modules that ask a fleet take longer to load than a static ranking takes.
    from master.cli.backgammon import compare_levels

    compare_levels.refuse_others(said)
    rules = given_rules(given)
    state = ruled(state, rules)
    _check_going_on(state)
    comparison = compare_levels.Comparison(state, _roll(dice, state), levels, rules.table)
    if not is_json:
        show_board_if(board, state, comparison.dice)
    compare_levels.print_comparison(comparison, place, is_json=is_json)


def _check_map(*, is_each: bool, is_map: bool, svg: Path | None, is_batch: bool) -> None:
    for option in ("--map",) * is_map + ("--svg",) * (svg is not None):
        if not is_each:
            raise click.UsageError(f"{option} is of all rolls: give --all-rolls too")
        if is_batch:
            raise click.UsageError(f"{option} is of one ID: leave out --batch")


def _worth(move: Report) -> float:
    """Return the equity that a move is ranked by."""
    cubeful = move["equity_cubeful"]
    return _number(move["equity_cubeless"] if cubeful is None else cubeful)


def _show_rolls(state: GameState, report: Report) -> None:
    rolls = report["rolls"]
    assert isinstance(rolls, list)
    echo(f"{to_gnubg_id(state)}  the best move of each roll")
    headings = ("Roll", "Move", "Equity", "Next", "Ply", *_PROB_HEADINGS)
    rows = [
        (
            f"{roll['dice'][0]}-{roll['dice'][1]}", best["move"], signed(_worth(best)),
            signed(_worth(others[0]) - _worth(best)) if others else "",
            _ply_or_exact(best), *_prob_cells(best["probs"]),
        )
        for roll in rolls
        for best, *others in [roll["moves"]]
    ]  # fmt: skip
    echo_table("", headings, rows, left=2, drops=_PROB_DROPS)
    echo(f"Mean of all rolls: {signed(mean_equity(report))}")


def _show_moves(state: GameState, report: Report) -> None:
    moves = report["moves"]
    assert isinstance(moves, list)
    echo(f"{to_gnubg_id(state)}  {counted(len(moves), 'legal move')}, {report['plays']} plays")
    best = _worth(moves[0])
    has_mwc = bool(_mwc_cells(moves[0]))
    headings = ("", "Move", "Equity", "Diff", *("MWC",) * has_mwc, "Ply", *_PROB_HEADINGS)
    rows = [
        (
            f"{move['rank']}.", move["move"], signed(_worth(move)),
            "" if move is moves[0] else signed(_worth(move) - best),
            *_mwc_cells(move), _ply_or_exact(move), *_prob_cells(move["probs"]),
        )
        for move in moves
    ]  # fmt: skip
    echo_table("", headings, rows, left=2, drops=_PROB_DROPS)


@click.command("cube")
@_asked_options
@_game_option
@click.option(
    "--matrix",
    "size",
    type=CountType(1, SIZE_MAX),
    metavar="N",
    help="Answer at every match score of 1 to N points to go.",
)
@click.option("--take-points", "has_window", is_flag=True,
              help="Also print how often each side has to win to take and to cash.")  # fmt: skip
def cube_command(
    ply: int | None,
    level: str | None,
    is_cubeful: bool,
    size: int | None,
    has_window: bool,
    **asked: Any,
) -> None:
    """Answer the cube question before the roll: no double, double/take, double/pass.

    With --cubeless the answers are those of a cube that nobody turns afterwards.
    """
    if has_window and size is not None:
        raise click.UsageError("--take-points is of one score: leave out --matrix")
    control = RunControl()
    depth = ply_of(ply, level, is_batch=asked["batch"] is not None)

    def report(one: GameState, rules: Rules) -> Report:
        _check_going_on(one)
        if size is None:
            return cube_report(one, depth, rules.table, is_cubeful=is_cubeful)
        return matrix_of(one, depth, size, rules, control, is_cubeful=is_cubeful)

    def show(state: GameState, report: Report) -> None:
        _show_cube(state, report)
        if has_window:
            _show_window(report["window"])

    try:
        _answer(report, show if size is None else show_matrix, **asked)
    finally:
        control.stop()  # Ctrl-C leaves threads behind that would compute the other scores


_ANSWERS = {
    "no_double": "No double",
    "double_take": "Double, take",
    "double_beaver": "Double, beaver",
    "double_pass": "Double, pass",
}


def _show_cube(state: GameState, report: Report) -> None:
    equities = {key: _number(report[key]) for key in _ANSWERS if report[key] is not None}
    not_passed = equities.get("double_beaver", equities["double_take"])
    best = max(equities["no_double"], min(not_passed, equities["double_pass"]))
    rows: list[tuple[str, ...]] = [
        (_ANSWERS[key], signed(equity), "" if equity == best else signed(equity - best))
        for key, equity in equities.items()
    ]
    echo(f"{to_gnubg_id(state)}  {report['level']}, {report['plays']} plays, player on roll")
    _show_chances(report, {"Cubeless": report["equity_cubeless"]})
    mwc = report["mwc"]
    if isinstance(mwc, dict):
        rows = [(*row, percent(mwc[key])) for key, row in zip(equities, rows, strict=True)]
    headings = ("", "Equity", "Diff", *("MWC",) * isinstance(mwc, dict))
    why = why_no_double(state.match)  # then all answers are one
    echo_table("", headings, rows[:1] if why else rows)
    echo(f"No double: {why}" if why else f"Proper cube action: {report['action']}")
    _show_epc(state)


def _show_window(window: object) -> None:
    """Print the points of both sides; an action that is not possible has none."""
    assert isinstance(window, dict)
    headings = ("", "Gammon price", "Take, dead", "Take, live", "Cash, dead", "Cash, live")
    rows = [
        (name, f"{points['gammon_price']:z.3f}", *map(_point, list(points.values())[1:]))
        for name, points in (("On roll", window["on_roll"]), ("Opponent", window["opponent"]))
    ]
    echo_table("Winning chances to take and to cash", headings, rows, groups=(1, 2, 2))


def _point(point: float | None) -> str:
    return "-" if point is None else percent(point)
