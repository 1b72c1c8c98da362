"""Options of the engine that other programs play against."""

from __future__ import annotations

import click

from engine_ext.backgammon.match_table import MatchTable
from master.cli.arguments import reads, together
from master.cli.backgammon.arguments import ply_option
from master.cli.backgammon.rule_options import read_match_table
from master.games.backgammon.external.best_action import Level

PLIES_DEFAULT = 2

level_options = together(
    ply_option("--plies", "ply", "How far the engine looks ahead at moves.", PLIES_DEFAULT),
    ply_option("--cube-plies", "cube_ply", "And at cube decisions.  [default: as --plies]"),
    click.option(
        "--met", "table", callback=reads(read_match_table), metavar="FILE",
        help="Match equity table, XML as gnubg's.  [default: Kazaross-XG2]",
    ),
)  # fmt: skip
"""A command is given them as `ply`, `cube_ply` and `table`."""


def level_of(ply: int, cube_ply: int | None, table: MatchTable | None) -> Level:
    """Return the level that these options name."""
    return Level(ply, ply if cube_ply is None else cube_ply, table)
