"""Arguments that commands about Threes! share, and how their texts are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import click

from engine_ext.threes.board import ThreesBoard, rank_of
from engine_ext.threes.context import RARE_MAX, RARE_MIN, Lookahead, read_plies
from master.cli.arguments import CountType, read_seconds, reads, together
from master.games.threes.board_view import POSITION_PREFIX
from master.games.threes.decisions import BONUS_RANK_MIN, Bag
from protocol.guards.renamed_option import renamed_option

SQUARES = 16

_EXPECTED = (
    f"expected {SQUARES} hex digits, or the numbers of {SQUARES} cards with spaces or commas "
    "between them, 0 or . for none"
)


def to_threes_board(words: Sequence[str]) -> ThreesBoard:
    """Return the board that these words of a command line are; ValueError if they are none.

    Args:
        words: 16 hex digits, `threes:` before them or not, or 16 cards, row by row, in one word or
            in many.
    """
    texts = [each for each in re.split(r"[\s,]+", " ".join(words)) if each]
    if len(texts) == 1:
        digits = texts[0].removeprefix(POSITION_PREFIX)
        if len(digits) != SQUARES:
            raise ValueError(f"{_EXPECTED}; not {len(digits)} digits")
        return ThreesBoard.from_text(digits)
    if len(texts) != SQUARES:
        raise ValueError(f"{_EXPECTED}; not {len(texts)} cards")
    ranks = [0 if text in ("0", ".") else rank_of(_number(text)) for text in texts]
    return ThreesBoard.from_text("".join(f"{rank:x}" for rank in ranks))


def _number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", text):
        raise ValueError(
            f"{text[:40]!r} is no card: expected 1, 2, 3, 6, 12, ... or 0 or . for none"
        )
    return int(text)


def read_next(text: str) -> tuple[int, ...]:
    """Return the rank of a next card, or those of a bonus card's candidates; ValueError."""
    texts = [each for each in re.split(r"[\s,]+", text) if each]
    ranks = tuple(sorted(rank_of(_number(each)) for each in texts))
    is_card = len(ranks) == 1 and ranks[0] < BONUS_RANK_MIN
    is_row = ranks[:1] and ranks == tuple(range(ranks[0], ranks[0] + len(ranks)))
    if is_card or (is_row and ranks[0] >= BONUS_RANK_MIN and len(ranks) <= 3):
        return ranks
    raise ValueError(
        f"{text[:40]!r} is no next card: expected 1, 2 or 3, or up to three in a row that a bonus "
        "may be, such as 6,12,24"
    )


def read_bag(text: str) -> Bag:
    """Return the numbers of cards 1, 2 and 3 left, from three digits; ValueError otherwise."""
    match = re.fullmatch(r"([0-9])[\s,]*([0-9])[\s,]*([0-9])", text.strip())
    if match is None:
        raise ValueError(
            f"{text[:40]!r} is no bag: expected how many 1s, 2s and 3s are left, such as 210"
        )
    return int(match[1]), int(match[2]), int(match[3])


def _read_board(ctx: click.Context, param: click.Parameter, words: tuple[str, ...]) -> ThreesBoard:
    try:
        return to_threes_board(words)
    except ValueError as error:
        raise click.BadParameter(str(error), ctx=ctx, param=param) from error


board_argument = click.argument(
    "position", metavar="BOARD", nargs=-1, required=True, callback=_read_board
)


def lookahead_options(default: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the options for the moves to look ahead; the command is given them as `lookahead`.

    Args:
        default: moves, as they are typed.
    """
    options = together(
        renamed_option(
            "--plies", "moves", old=["--depth"], callback=reads(read_plies), metavar="N[-M]",
            default=default, show_default=True,
            help="Moves to look ahead; with -M up to M of them on crowded boards.",
        ),
        click.option(
            "--rare", type=CountType(RARE_MIN, RARE_MAX), metavar="R",
            help="Do not search beyond chance events rarer than 1 in R.  [default: search all]",
        ),
    )  # fmt: skip

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def with_lookahead(*args: Any, moves: Lookahead, rare: int | None, **rest: Any) -> Any:
            return function(*args, lookahead=Lookahead(moves.plies, moves.plies_max, rare), **rest)

        return options(with_lookahead)

    return add


seconds_option = click.option(
    "--seconds", callback=reads(read_seconds), metavar="S",
    help="Search deeper and deeper, for about S seconds a move.",
)  # fmt: skip
