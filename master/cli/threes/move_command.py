"""`manyply move threes`: advice on a board that somebody has on a phone."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

import click

from engine_ext.threes.board import ThreesBoard, card_of
from engine_ext.threes.context import Lookahead
from master.cli.arguments import board_option_of, is_board_shown, json_option, reads
from master.cli.output import echo, echo_drawing, echo_json, echo_table
from master.cli.place import Place, place_options
from master.cli.playing.play_terminal import show_count
from master.cli.terminal import is_terminal
from master.cli.threes.arguments import (
    board_argument,
    lookahead_options,
    read_bag,
    read_next,
    seconds_option,
)
from master.cli.threes.decider import Decider, Valued
from master.games.threes.board_view import heading, threes_lines
from master.games.threes.decisions import (
    FULL_BAG,
    Bag,
    Decision,
    Values,
    check_bag,
    check_next,
    likeliest_bag,
)

PLIES_DEFAULT = "3"

SHOWN_AFTER_S = 1.0


@click.command("threes", short_help="Of a board, as on a phone.")
@board_argument
@click.option(
    "--next", "next_ranks", required=True, callback=reads(read_next), metavar="CARD",
    help="The card shown as next: 1, 2, 3, or the cards that a bonus may be, such as 6,12,24.",
)  # fmt: skip
@click.option(
    "--bag", callback=reads(read_bag), metavar="ABC",
    help="How many 1s, 2s and 3s are left, the next card drawn.  [default: the likeliest]",
)  # fmt: skip
@lookahead_options(PLIES_DEFAULT)
@seconds_option
@place_options
@json_option
@board_option_of("the board before the answer")
def move_threes(
    position: ThreesBoard, next_ranks: tuple[int, ...], bag: Bag | None, lookahead: Lookahead,
    seconds: float | None, place: Place, is_json: bool, board: bool | None,
) -> None:  # fmt: skip
    """Rank the moves of BOARD by expected final score, best first.

    BOARD: 16 numbers of cards row by row, with spaces or commas between them, 0 or . for none; or
    16 hex digits, 3 the card 3, 4 the card 6, ... f the card 12288.

    Cards come from a bag of four 1s, four 2s and four 3s, which is filled again when it is empty;
    --bag 000 is a full one. Without --bag the likeliest is taken of those that fit the board: as
    many 1s as 2s were merged, and before the first 48 all other cards are made of such pairs and
    of 3s.
    """
    try:
        left = _left_in_bag(position, next_ranks, bag)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    decision = Decision.of(position.cells, left, next_ranks, lookahead)
    plies, values = _valued(decision, seconds, place)
    cards = [card_of(rank) for rank in next_ranks]
    if is_json:
        echo_json({
            "board": position.to_text(), "next": cards, "bag": list(left), "plies": plies,
            "moves": [{"move": name, "value": value} for name, value in values.items()],
        })  # fmt: skip
        return
    echo(heading(position))
    if is_board_shown(board, is_terminal=is_terminal(sys.stdout)):
        echo_drawing(threes_lines(position))
    if values:
        counts = ", ".join(f"{count} x {card}" for card, count in enumerate(left, start=1))
        likeliest = " (the likeliest)" if bag is None else ""
        echo(f"Next {' or '.join(map(str, cards))}; in the bag {counts}{likeliest}")
        _show(values, plies)


def _left_in_bag(board: ThreesBoard, next_ranks: Sequence[int], bag: Bag | None) -> Bag:
    """Return the bag that is meant; ValueError for one, or a next card, that cannot be."""
    check_next(board, next_ranks)
    if bag is not None:
        check_bag(bag, next_ranks)
        return bag if any(bag) else FULL_BAG
    try:
        return likeliest_bag(board, next_ranks)
    except ValueError as error:
        raise ValueError(f"{error}: give --bag, such as --bag 444") from error


def _valued(decision: Decision, seconds: float | None, place: Place) -> Valued:
    """Return the values of the moves; a board without any is not searched."""
    if not ThreesBoard(decision.cells).moves():
        return Valued(decision.plies, {})
    count = PartCount()
    try:
        with Decider(place, count.show) as decider:
            if seconds is None:
                return decider.value(decision)
            return decider.value_within(decision, seconds)
    finally:
        count.clear()


class PartCount:
    """Shows on the terminal how far a decision is that takes longer than SHOWN_AFTER_S."""

    def __init__(self) -> None:
        """Begin to wait."""
        self._began_s = time.monotonic()
        self._is_shown = False

    def show(self, done: int, count: int) -> None:
        """Show how many questions of how many were answered, if it is time for that."""
        if time.monotonic() - self._began_s >= SHOWN_AFTER_S:
            self._is_shown = True
            show_count(f"{done} of {count} parts")

    def clear(self) -> None:
        """Clear the progress."""
        if self._is_shown:
            show_count("")


def _show(values: Values, plies: int) -> None:
    best = next(iter(values.values()))
    rows = [
        (f"{place}.", name, f"{value:,.1f}", "" if place == 1 else f"{value - best:+z,.1f}")
        for place, (name, value) in enumerate(values.items(), start=1)
    ]
    echo_table("", ("", "Move", f"Final score, {plies}-ply", "Diff"), rows, left=2)
