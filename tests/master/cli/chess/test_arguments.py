"""Positions as people type them on command lines."""

import click
import pytest

from engine_ext.chess.fen import START, read_fen
from master.cli.chess.arguments import to_chess_board


@pytest.mark.parametrize(
    "words", [(START,), START.split(), START.split()[:4], (" ".join(START.split()[:4]),)]
)
def test_fen_may_be_quoted_or_not_and_lack_its_counts(words: tuple[str, ...]) -> None:
    assert to_chess_board(words) == read_fen(START)


def test_what_is_no_position_is_a_usage_error() -> None:
    with pytest.raises(click.UsageError, match="White has 0 kings"):
        to_chess_board(["8/8/8/8/8/8/8/8", "w", "-", "-"])
