"""Tables of analysed games."""

from master.cli.chess.analyse_table import BLOCKS, CURVE_WIDTH_MAX, curve_line, error_lines
from master.cli.chess.analyse_table import figure_lines as lines_of
from tests.master.games.chess.analysis.games import SCHOLAR, analysed

GAME = analysed(SCHOLAR)


def test_figures_stand_below_the_players() -> None:
    heading, *rows = lines_of(GAME)
    assert heading.split() == ["Ann", "Bob"]
    assert [row.split("  ")[0] for row in rows] == [
        "accuracy", "centipawns lost a move", "inaccuracies", "mistakes", "blunders",
    ]  # fmt: skip


def test_the_curve_rises_to_the_mate() -> None:
    curve = curve_line(GAME)
    assert len(curve) == len(GAME.moves) <= CURVE_WIDTH_MAX
    assert set(curve) <= set(BLOCKS)
    assert curve[-1] == BLOCKS[-1]


def test_errors_stand_in_the_order_of_the_game_and_in_the_width() -> None:
    lines = error_lines(GAME, 20, None)
    assert lines[0].split() == ["move", "chances", "value", "better"]
    assert lines[-1].startswith("3... Nf6??")
    assert "#-1" in lines[-1]
    assert all(len(line) <= 40 for line in error_lines(GAME, 20, 40))
    assert len(error_lines(GAME, 1, None)) == 2
    assert error_lines(GAME, 0, None) == []
