"""Arguments that commands about Othello share."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from engine_ext.othello.board import OthelloBoard


def to_othello_board(words: Sequence[str]) -> OthelloBoard:
    """Return the board that these words of a command line are; UsageError if they are none.

    A board may begin with `-`, so that such commands get options they do not know as words.
    """
    for word in words:
        if re.fullmatch(r"--?[a-z][a-z-]*(=.*)?", word):
            raise click.NoSuchOption(word.partition("=")[0])
    try:
        return OthelloBoard.from_text(" ".join(words))
    except ValueError as error:
        raise click.UsageError(str(error)) from error
