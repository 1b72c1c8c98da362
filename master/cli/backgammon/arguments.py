"""Options that commands about backgammon share."""

from __future__ import annotations

import click

from engine_ext.backgammon.context import PLY_MAX
from engine_ext.backgammon.move_filters import MOVE_FILTERS
from master.cli.arguments import CountType, Decorator


def ply_option(name: str, field: str, text: str, default: int | None = None) -> Decorator:
    """Return an option that takes a ply, and shows its default unless that is None."""
    return click.option(
        name, field, type=CountType(0, PLY_MAX), default=default, show_default=default is not None,
        metavar="N", help=text,
    )  # fmt: skip


PLY_OF_ADVICE = 2
"""As deep as gnubg looks for a hint, and as everything else here that gives advice."""

PLY_OF_BATCHES = 0
"""A thousand positions in a second; deeper is a matter of minutes, and asked for."""

plies_option = ply_option(
    "--plies", "ply", "Look-ahead in gnubg's count (0 = static evaluation).  [default: "
    f"{PLY_OF_ADVICE}, or {PLY_OF_BATCHES} with --batch]",
)  # fmt: skip


def ply_of(ply: int | None, *, is_batch: bool) -> int:
    """Return the look-ahead that is given, or that which goes unsaid."""
    if ply is not None:
        return ply
    return PLY_OF_BATCHES if is_batch else PLY_OF_ADVICE


filter_option = click.option(
    "--filter", "move_filter", type=click.Choice(MOVE_FILTERS), default="normal",
    show_default=True, help="How many moves are looked ahead at, from 1-ply on.",
)  # fmt: skip

batch_option = click.option(
    "--batch", type=click.File("r", errors="replace"), metavar="FILE|-",
    help="Read one ID a line; answer one JSON object a line, in order.",
)  # fmt: skip
