"""The options of `manyply rollout` for the play of trials, with gnubg's names.

Each is given to the command under the name of its field in rollout_request.RolloutOptions.
"""

from __future__ import annotations

import click

from engine_ext.backgammon.context import TRUNCATION_PLY_MAX
from master.cli.arguments import CountType, together
from master.cli.backgammon.arguments import filter_option, ply_option

_LEVELS = (
    ply_option("--plies", "ply", "Look-ahead, in gnubg's count, of checker play.", 0),
    ply_option("--cube-plies", "cube_ply", "Look-ahead of cube decisions.  [default: as --plies]"),
    ply_option("--opponent-plies", "opponent_ply",
               "Look-ahead of the side not on roll in ID.  [default: as --plies]"),
    ply_option("--opponent-cube-plies", "opponent_cube_ply",
               "Its look-ahead of cube decisions.  "
               "[default: as --opponent-plies, else --cube-plies]"),
    click.option("--late-after", type=CountType(0, TRUNCATION_PLY_MAX), default=0, metavar="TURNS",
                 help="Both sides look ahead otherwise after so many half-moves; 0: never."),
    ply_option("--late-plies", "late_ply",
               "Look-ahead of late checker play.  [default: as before]"),
    ply_option("--late-cube-plies", "late_cube_ply",
               "Look-ahead of late cube decisions.  [default: as --late-plies]"),
    filter_option,
)  # fmt: skip

_ENDS = (
    click.option("--truncate", "truncation_ply", type=CountType(0, TRUNCATION_PLY_MAX), default=0,
                 metavar="PLIES", help="Evaluate after so many half-moves; 0: never."),
    ply_option("--truncate-plies", "evaluation_ply",
               "Look-ahead of that evaluation.  [default: as --cube-plies]"),
    click.option("--bearoff-truncation/--no-bearoff-truncation", default=True,
                 help="End a game where a bear-off table has its exact value.  [default: on]"),
)  # fmt: skip

_DICE_AND_CUBE = (
    click.option("--cubeful/--cubeless", default=True,
                 help="With or without the doubling cube.  [default: cubeful]"),
    click.option("--variance-reduction/--no-variance-reduction", default=True,
                 help="Take luck off.  [default: on]"),
    click.option("--quasi-random/--no-quasi-random", default=True,
                 help="Let all first rolls come equally often.  [default: on]"),
    click.option("--initial", "rollout_initial", is_flag=True,
                 help="Roll out as an opening position: the first roll is no double."),
)  # fmt: skip

play_options = together(*_LEVELS, *_ENDS, *_DICE_AND_CUBE)
"""All of them."""
