"""`manyply rollout`: a position, played to the end many times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from engine_ext.backgammon.limits import SEED_DEFAULT, SEED_MAX, TRUNCATION_PLY_MAX
from master.cli.arguments import (
    TRIALS_MAX,
    CountType,
    board_option,
    check_layout,
    json_option,
    layout_options,
    read_std_error,
    read_std_errors,
    reads,
    reads_text,
    together,
)
from master.cli.backgammon.rule_options import (
    counts_beside_level,
    filter_option,
    given_rules,
    ply_option,
    read_dice,
    read_id_or_recorded,
    ruled,
    rules_options,
)
from master.cli.errors import CommandError
from master.cli.place import Place, place_options
from master.games.backgammon.rollout_defaults import (
    CANDIDATES_DEFAULT,
    CANDIDATES_MAX,
    LOOKAHEADS,
    SETTLED_DEFAULT,
    TRIALS_CAP,
    TRIALS_DEFAULT,
)

if TYPE_CHECKING:
    from engine_ext.backgammon.match_state import GameState
    from engine_ext.backgammon.match_table import MatchTable
    from master.contract.master import Master

_LEVEL_PLIES = ", ".join(f"{name} {ply}" for name, (ply, _) in LOOKAHEADS.items())

_LEVELS = (
    ply_option("--plies", "ply", "Look-ahead, in gnubg's count, of checker play.", 0),
    ply_option("--cube-plies", "cube_ply", "Look-ahead of cube decisions.  [default: as --plies]"),
    ply_option("--opponent-plies", "opponent_ply",
               "Look-ahead of the side not on roll in ID.  [default: as --plies]"),
    ply_option("--opponent-cube-plies", "opponent_cube_ply",
               "Its look-ahead of cube decisions.  "
               "[default: as --opponent-plies, else --cube-plies]"),
    click.option("--late-after", type=CountType(0, TRUNCATION_PLY_MAX), default=0, metavar="TURNS",
                 help="Use --late-plies after this many half-moves; 0: never."),
    ply_option("--late-plies", "late_ply",
               "Look-ahead of late checker play.  [default: as before]"),
    ply_option("--late-cube-plies", "late_cube_ply",
               "Look-ahead of late cube decisions.  [default: as --late-plies]"),
    filter_option,
)  # fmt: skip

_ENDS = (
    click.option("--truncate", "truncation_ply", type=CountType(0, TRUNCATION_PLY_MAX), default=0,
                 metavar="PLIES", help="Evaluate after this many half-moves; 0: never."),
    ply_option("--truncate-plies", "evaluation_ply",
               "Look-ahead of that evaluation.  [default: as --cube-plies]"),
    click.option("--bearoff-truncation/--no-bearoff-truncation", default=True,
                 help="End a game where a bear-off table has its exact value.  [default: on]"),
)  # fmt: skip

_DICE_AND_CUBE = (
    click.option("--cubeful/--cubeless", default=True,
                 help="With or without the doubling cube.  [default: cubeful]"),
    click.option("--variance-reduction/--no-variance-reduction", default=True,
                 help="Reduce variance: subtract the luck of the dice.  [default: on]"),
    click.option("--quasi-random/--no-quasi-random", default=True,
                 help="All first rolls come equally often (stratified dice).  [default: on]"),
    click.option("--initial", "rollout_initial", is_flag=True,
                 help="Roll out as an opening position: the first roll is no double."),
)  # fmt: skip

play_options = together(*_LEVELS, *_ENDS, *_DICE_AND_CUBE)
"""All of them."""


@click.command("backgammon", short_help="A position, played to the end many times.")
@click.argument(
    "state", metavar="ID", callback=reads_text(read_id_or_recorded), nargs=-1, required=True
)
@click.option(
    "--dice", callback=reads(read_dice), metavar="DICE", help="Compare the moves of this roll."
)
@click.option(
    "--move",
    "moves",
    multiple=True,
    metavar="MOVE",
    help='Compare this move, e.g. "8/5 6/5"; repeat for more.',
)
@click.option("--cube", "is_cube", is_flag=True, help="Compare no double with double/take.")
@click.option(
    "--candidates",
    type=CountType(0, CANDIDATES_MAX),
    metavar="N",
    show_default=True,
    default=CANDIDATES_DEFAULT,
    help="With --dice: the N best moves by static evaluation; 0: every legal move.",
)
@click.option(
    "--trials",
    type=CountType(1, TRIALS_MAX),
    metavar="N",
    help=f"Games of each alternative.  [default: {TRIALS_DEFAULT}, or at "
    f"most {TRIALS_CAP} with --stop-se]",
)
@click.option(
    "--stop-se",
    callback=reads(read_std_error),
    metavar="X",
    help="Stop when every alternative's equity has at most this standard error.",
)
@click.option(
    "--stop-settled",
    is_flag=False,
    flag_value=f"{SETTLED_DEFAULT:g}",
    callback=reads(read_std_errors),
    metavar="[JSD]",
    help="Stop when the best leads every other by this many standard errors of their difference, "
    "and stop rolling out moves that trail by that much.  [default, without a number: "
    f"{SETTLED_DEFAULT:g}]",
)
@click.option(
    "--seed",
    type=CountType(0, SEED_MAX),
    metavar="S",
    show_default=True,
    default=SEED_DEFAULT,
    help="The same seed rolls the same dice.",
)
@click.option(
    "--level",
    type=click.Choice(tuple(LOOKAHEADS)),
    help=f"Look-ahead and filter by name, as of `manyply analyse`: plies {_LEVEL_PLIES}.  --plies "
    "and --filter overrule it.",
)
@play_options
@rules_options
@place_options
@layout_options
@json_option
@board_option
def rollout_backgammon(
    state: GameState,
    trials: int | None,
    stop_se: float | None,
    stop_settled: float | None,
    place: Place,
    layout: str | None,
    is_json: bool,
    board: bool | None,
    table: MatchTable | None,
    jacoby: bool | None,
    beavers: bool | None,
    level: str | None,
    **question: Any,
) -> None:
    """Roll a position out: play it to the end many times and average.

    Without --dice, --move or --cube the position itself is rolled out, or the moves of the roll
    that the ID holds.  ID can be "move 3.42 of m2.mat", a move of a match file.
    Ctrl-C stops and keeps everything; `manyply resume` goes on.
    """
    from master.cli.backgammon.position_board import show_board_if
    from master.cli.jobs.watching import run_job
    from master.contract.goals import Goal
    from master.games.backgammon.rollout_request import RolloutOptions, rollout_job, to_context
    from master.games.errors import AskedError

    check_layout(layout, is_json=is_json)
    question |= _of_level(level)
    state = ruled(state, given_rules({"table": table, "jacoby": jacoby, "beavers": beavers}))
    try:
        context = to_context(state, RolloutOptions(table=table, **question))
        request = rollout_job(state, context, Goal(trials, stop_se, stop_settled))
    except AskedError as error:
        raise CommandError(str(error)) from error

    if not is_json and layout is None:
        show_board_if(board, state, question["dice"])

    async def start(running: Master) -> int:
        return await running.submit(request)

    run_job(place, start, is_json=is_json, games=("backgammon",), layout=layout)


def _of_level(name: str | None) -> dict[str, Any]:
    """Return a level's look-ahead and filter, as far as no option overrules them."""
    if name is None:
        return {}
    ply, move_filter = LOOKAHEADS[name]
    named: dict[str, Any] = {"ply": ply, "move_filter": move_filter}
    return {field: value for field, value in named.items() if not counts_beside_level(field)}
