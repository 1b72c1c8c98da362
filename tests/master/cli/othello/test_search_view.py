"""How a search by a fleet looks."""

from dataclasses import replace

import pytest

from engine_ext.othello.board import OthelloBoard
from master.cli.othello.search_view import bracket, moves_of, search_view, standing_line
from master.games.othello.fleet_search import FleetStanding
from master.search.standing import RunningPart, SearcherLine, Standing

BOARD = OthelloBoard.start(8)
FLEET = (SearcherLine("attic", 2, 3, 80_000_000, 41.5e6), SearcherLine("cellar", 1, 1, 1, 0.0))
SPOTS = (RunningPart("attic", (0, 1), 57, 0.25), RunningPart("cellar", None, 50, 0.01))


def shown(**changes: object) -> FleetStanding:
    standing = Standing(60, -4, 10, None, 80_000_001, 12.3, 1_200, 34, FLEET, SPOTS)
    changed = replace(standing, **changes)  # type: ignore[arg-type]
    return FleetStanding("solving 60 empty squares", BOARD, changed, 90_000_000)


def lines(what: FleetStanding, width: int = 100, height: int = 20) -> list[str]:
    return [line.plain.rstrip() for line in search_view(what, width, height)]


def test_head_analysers_and_hot_spots_are_shown() -> None:
    assert lines(shown(move=2)) == [
        "solving 60 empty squares: value -4 to +10, best f5",
        "90,000,000 nodes, 12 s, 1,200 parts, 34 hot spots split",
        "attic     41.5 M/s       80,000,000 nodes  3 parts   2 workers",
        "cellar     0.0 M/s                1 nodes  1 part    1 worker",
        "",
        "attic       250 ms  57 empty squares behind d3 e3",
        "cellar       10 ms  50 empty squares behind ?",
    ]


@pytest.mark.parametrize("height", range(6, 30))
def test_display_fits_the_terminal(height: int) -> None:
    many = shown(analysers=FLEET * 20, running=SPOTS * 20)
    found = lines(many, 40, height)
    assert 3 <= len(found) < height
    assert max(map(len, found)) <= 40


@pytest.mark.parametrize(
    ("lower", "upper", "text"),
    [
        (None, None, "value unknown"),
        (-64, 64, "value unknown"),
        (-64, 10, "value at most +10"),
        (2, None, "value at least +2"),
        (2, 4, "value +2 to +4"),
        (0, 0, "value +0"),
    ],
)
def test_bracket_says_what_is_proved(lower: int | None, upper: int | None, text: str) -> None:
    assert bracket(shown(lower=lower, upper=upper)) == text


def test_evaluations_have_two_decimals() -> None:
    what = replace(shown(lower=-150, upper=6400), is_exact=False)
    assert bracket(what) == "value at least -1.50"
    assert lines(what)[-2].endswith("57 moves deep behind d3 e3")


def test_log_line_names_the_fleet() -> None:
    assert standing_line(shown()) == (
        "solving 60 empty squares, value -4 to +10: 90,000,000 nodes, 41.5 M/s, 12 s, 2 analysers"
    )
    assert standing_line(shown(analysers=())).endswith("0.0 M/s, 12 s, no analyser is ready")


def test_passes_have_no_name() -> None:
    board = OthelloBoard.from_text("OOX" + "-" * 61 + " X")
    assert board.must_pass or board.is_over
    assert moves_of(board, (0,)) == []
    assert moves_of(BOARD, (3, 0)) == [BOARD.moves()[3], BOARD.play(BOARD.moves()[3]).moves()[0]]
