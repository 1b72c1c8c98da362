"""Reports of analysed games: the object, PGN that others read, the curve."""

import io
from typing import Any

import chess
import chess.pgn

from master.games.chess.analysis.report import annotated_pgn, chances_svg, game_report, marked
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
            told = node.eval()
            assert told is not None
            assert move.value is not None
            score = told.pov(not node.turn())
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
