"""Arguments that commands about Othello share."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from engine_ext.othello.board import OthelloBoard
from master.cli.arguments import no_such_option
from master.games.othello.record import OthelloRecord, position_of, read_position


def to_othello_board(words: Sequence[str]) -> OthelloBoard:
    """Return the board that these words of a command line mean; UsageError if they mean none."""
    return position_of(to_othello_record(words))


def to_othello_record(words: Sequence[str]) -> OthelloRecord:
    """Return the game that leads to the board that these words mean; UsageError likewise.

    A board may begin with `-`, so such commands receive unknown options as words.
    """
    for word in words:
        if re.fullmatch(r"--?[a-z][a-z-]*(=.*)?", word):
            raise no_such_option(word)
    try:
        return read_position(" ".join(words))
    except ValueError as error:
        raise click.UsageError(str(error)) from error
