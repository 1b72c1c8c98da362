"""`manyply analyse chess`: by a fleet of this machine; what was analysed is not analysed again."""

import json
from pathlib import Path
from typing import Any

import chess.pgn
import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.errors import CommandError
from tests.master.games.chess.analysis.games import LEGAL, SCHOLAR


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["analyse", "chess", *args])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_text(SCHOLAR + "\n" + LEGAL)
    return path


@pytest.mark.slow
def test_games_are_analysed_and_written(file: Path, tmp_path: Path) -> None:
    out, drawing = tmp_path / "out.pgn", tmp_path / "out.svg"
    words = (str(file), "--nodes", "5000", "--local", "2")
    first = ran(*words, "--json", "--pgn", str(out), "--svg", str(drawing))
    assert first.exit_code == 0, first.output
    document = json.loads(first.stdout)
    assert [game["white"] for game in document["games"]] == ["Ann", "Legal"]
    assert document["games"][0]["moves"][5]["mark"] == "??"
    assert drawing.read_text().startswith("<svg")
    with out.open() as stream:
        games = list(iter(lambda: chess.pgn.read_game(stream), None))
    assert [len(list(game.mainline())) for game in games if game] == [7, 13]
    again = ran(*words[:3], "--json", "--local", "1")
    assert again.stdout == first.stdout
    shown = ran(*words[:3], "--local", "1")
    assert "Game 1: Ann - Bob, 1-0" in shown.stdout
    assert "3... Nf6??" in shown.stdout


def test_mistakes_are_named(file: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.pgn"
    bad.write_text("1. e4 e5 2. Ke3 *")
    for args, complaint in (
        ((str(bad),), "game 1: move 2. "),
        ((str(tmp_path / "none.pgn"),), "cannot read"),
        ((str(file), "--pgn", str(file)), "it is the file that is analysed"),
        ((str(file), "--pgn", str(tmp_path)), "expected a file"),
    ):
        error = ran(*args).exception
        assert isinstance(error, CommandError)
        assert complaint in str(error)
