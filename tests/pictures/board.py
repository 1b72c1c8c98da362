"""Draw the README's board: the play that its list of plays asks about.

    python -m tests.pictures.board deploy/pictures/board.svg

The better play is the engine's, so a new engine may draw another picture.
"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.play import rank_moves
from master.games.backgammon.drawing.board_svg import BoardDrawing, board_svg
from master.games.backgammon.play.board_view import scene_of

POSITION, DICE, PLAYED = "4HPwATDgc/ABMA", (3, 1), "24/23 13/10"
NAMES = ("Ann", "Bob")


def main() -> None:
    """Write the picture to the path that is given."""
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m tests.pictures.board FILE.svg")
    Path(sys.argv[1]).write_text(picture(), encoding="utf-8")
    click.echo(f"{sys.argv[1]}: {PLAYED}, and a better play")


def picture() -> str:
    """Return the board with both plays."""
    state = parse_id(POSITION)
    better = rank_moves(state, DICE)[0].text
    return board_svg(BoardDrawing(scene_of(state, DICE, NAMES), PLAYED, better))


if __name__ == "__main__":
    main()
