"""Reports of analysed games: the object, PGN that others read, the curve."""

import io
from dataclasses import replace
from typing import Any

import chess
import chess.pgn

from master.games.chess.analysis.judging import Mark
from master.games.chess.analysis.report import (
    BLOCKS,
    CURVE_WIDTH_MAX,
    annotated_pgn,
    chances_svg,
    curve_line,
    error_lines,
    game_report,
    marked,
    value_text,
    white_value,
)
from master.games.chess.analysis.report import figure_lines as lines_of
from master.games.chess.pgn.reading import read_game
from tests.master.games.chess.analysis.games import LEGAL, SCHOLAR, analysed


def test_others_read_the_same_game_and_values() -> None:
    for text in (SCHOLAR, LEGAL):
        game = analysed(text)
        read = chess.pgn.read_game(io.StringIO(annotated_pgn(game)))
        assert read is not None
        assert read.errors == []
        nodes = list(read.mainline())
        assert [node.move.uci() for node in nodes] == list(game.record.game.moves)
        for node, move in zip(nodes[:-1], game.moves, strict=False):
            reported = node.eval()
            assert reported is not None
            assert move.value is not None
            score = reported.pov(not node.turn())
            if move.value.is_mate:
                assert score.mate() == move.value.number
            else:
                assert score.score() == move.value.number
        assert nodes[-1].eval() is None
        assert any(len(node.parent.variations) > 1 for node in nodes if node.parent)
        assert read.headers["White"] == game.player("w")


def test_every_move_is_in_the_object() -> None:
    game = analysed(SCHOLAR)
    report: Any = game_report(game)
    assert [move["san"] for move in report["moves"]] == [
        "e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#",
    ]  # fmt: skip
    assert report["moves"][5]["mark"] == "??"
    assert report["moves"][6]["value"] == {"centipawns": None, "mate": 1}
    assert report["players"]["black"]["blunders"] == 1
    assert marked([game]) >= 1


def test_the_curve_names_the_players() -> None:
    assert "Ann - Bob" in chances_svg(analysed(SCHOLAR))


def test_the_engine_is_named_as_the_annotator() -> None:
    for text in (SCHOLAR, LEGAL):
        read = chess.pgn.read_game(io.StringIO(annotated_pgn(analysed(text), "Odd 7, Hash 64")))
        assert read is not None
        assert not read.errors
        assert read.headers["Annotator"] == "Odd 7, Hash 64"


def test_an_annotated_game_that_is_analysed_again_is_the_same() -> None:
    game = analysed(LEGAL)
    assert marked([game])
    once = annotated_pgn(game)
    again = replace(game, record=read_game(once).record)
    assert annotated_pgn(again) == once
    assert once.count("[%eval") == len(game.moves) - 1


def test_a_value_of_the_file_gives_way_to_ours_and_all_else_stays() -> None:
    text = (
        "1. e4 { [%eval 0.99] [%clk 0:03:00] } 1... e5 {good [%eval #3,12]} "
        "2. Nf3 {[%eval 1.5]} {[%evaluation 3]} (2. f4 {[%eval 0.5]}) {unscored} Nc6 *"
    )
    game = analysed(SCHOLAR)
    other = replace(game, record=read_game(text).record, moves=game.moves[:2])
    first, second = (
        value_text(white_value(move, is_black=at % 2 == 1)).removeprefix("+")
        for at, move in enumerate(other.moves)
    )
    reported = " ".join(annotated_pgn(other).split("\n\n")[1].split())
    assert reported == (
        f"1. e4 {{[%eval {first}]}} {{[%clk 0:03:00]}} 1... e5 {{[%eval {second}]}} {{good}} "
        "2. Nf3 {[%eval 1.5]} {[%evaluation 3]} (2. f4 {[%eval 0.5]}) {unscored} 2... Nc6 *"
    )


def test_a_variation_of_the_same_moves_is_not_added_again() -> None:
    game = analysed(SCHOLAR)
    bad = next(move for move in game.moves if move.mark is not Mark.GOOD)
    better = game.better(bad)
    for kept in (f"({better})", f"({better.replace('. ', '.')} $1 {{so}})"):
        notes: list[tuple[str, ...]] = [()] * (len(game.record.game.moves) + 1)
        notes[bad.number + 1] = (kept,)
        again = replace(game, record=replace(game.record, notes=tuple(notes)))
        reported = " ".join(annotated_pgn(again).split())
        assert kept in reported
        assert (f"({better})" in reported) == (kept == f"({better})")


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
