"""What chess offers: positions that `manyply show` draws."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine_ext.chess.fen import START, read_fen
from master.cli.app import manyply
from master.games.chess.typed import read_shown
from tests.master.games.chess.drawing.board_reader import read_board

FEN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["show", *args])


def test_position_is_told_and_drawn(tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    result = ran(f"chess:{FEN}", "--svg", str(path))
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(FEN + "\n")
    assert read_board(path.read_text()).signs == read_fen(FEN).signs


def test_object_has_the_moves() -> None:
    found = json.loads(ran("chess:", "--json").stdout)
    assert found["fen"] == START
    assert len(found["moves"]) == 20


def test_counts_may_be_left_out() -> None:
    assert read_shown(f"chess:{FEN[:-4]}").signs == read_fen(FEN).signs


@pytest.mark.parametrize(
    ("text", "words"),
    [("chess:nonsense", "a FEN is six words"), ("chess:8/8/8/8/8/8/8/8 w - - 0 1", "king")],
)
def test_what_is_no_position_is_said(text: str, words: str) -> None:
    result = ran(text)
    assert result.exit_code == 2
    assert words in result.stderr
