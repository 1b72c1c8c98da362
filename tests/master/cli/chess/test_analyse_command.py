"""`manyply analyse chess`: by a fleet of this machine; what was analysed is not analysed again."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import chess.pgn
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.chess.probes.probe_text import NODES_MAX
from master.cli.app import manyply
from master.cli.chess import analyse_command
from master.cli.chess.analyse_files import rounded_nodes
from master.cli.errors import CommandError
from tests.engine_ext.chess.uci_engine.programs import STOCKFISH, needs_stockfish
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
    page = tmp_path / "out.html"
    first = ran(*words, "--json", "--pgn", str(out), "--svg", str(drawing), "--html", str(page))
    assert first.exit_code == 0, first.output
    document = json.loads(first.stdout)
    assert [game["white"] for game in document["games"]] == ["Ann", "Legal"]
    assert document["games"][0]["moves"][5]["mark"] == "??"
    assert drawing.read_text().startswith("<svg")
    assert page.read_text().count('<article class="turn') == 7 + 13
    with out.open() as stream:
        games = list(iter(lambda: chess.pgn.read_game(stream), None))
    assert [len(list(game.mainline())) for game in games if game] == [7, 13]
    again = ran(*words[:3], "--json", "--local", "1")
    assert again.stdout == first.stdout
    shown = ran(*words[:3], "--local", "1")
    assert "Game 1: Ann - Bob, 1-0" in shown.stdout
    assert "3... Nf6??" in shown.stdout


@pytest.mark.slow
@needs_stockfish
@pytest.mark.usefixtures("own_engine_again")
@pytest.mark.when_changed
def test_another_engine_analyses_here_and_elsewhere(file: Path) -> None:
    engine = f"uci:{STOCKFISH},Hash=4"
    elsewhere = f"exec:{sys.executable} -P -m analyser --stdio --engine chess={engine}"
    words = (str(file), "--nodes", "20000", "--json")
    first = ran(*words, "--engine", engine, "--analyser", elsewhere, "--local", "0")
    assert first.exit_code == 0, first.output
    document = json.loads(first.stdout)
    assert document["engine"] == services.engine_digest("chess")
    assert document["engine_name"].startswith("Stockfish ")
    assert document["engine_name"].endswith(", Hash 4")
    assert document["games"][0]["moves"][5]["mark"] == "??"
    again = ran(*words, "--engine", document["engine"], "--local", "1")
    shown = ran(str(file), "--nodes", "20000", "--engine", engine, "--local", "1")
    assert shown.stdout.startswith(f"Engine: {document['engine_name']}\n")
    assert json.loads(again.stdout) == {
        **document, "engine_name": f"engine {document['engine']}"
    }, "what was analysed is kept, by its engine"  # fmt: skip


@pytest.mark.parametrize("engine", ["uci:no-such-program", "uci:true", "no-such-program", "0123"])
def test_engines_that_are_none_are_named(file: Path, engine: str) -> None:
    refused = ran(str(file), "--engine", engine)
    assert refused.exit_code == 2
    assert "Invalid value for '--engine'" in refused.output


def test_mistakes_are_named(file: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.pgn"
    bad.write_text("1. e4 e5 2. Ke3 *")
    for args, complaint in (
        ((str(bad),), "1 game skipped; 0 read"),
        ((str(tmp_path / "none.pgn"),), "cannot read"),
        ((str(file), "--pgn", str(file)), "it is the file that is analysed"),
        ((str(file), "--pgn", str(tmp_path)), "it is a directory"),
        ((str(file), str(bad), "--player", "nobody"), "the players are Ann, Bob, Legal"),
    ):
        error = ran(*args).exception
        assert isinstance(error, CommandError)
        assert complaint in str(error)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--time", "1", "--depth", "3"), "--seconds is instead of --nodes and --plies"),
        (("--time", "1", "--engine", "0123456789abcdef"), "give --nodes instead"),
        (("--time", "x"), "seconds"),
        (("--games", "1", "more.pgn"), "--games is about the games of one FILE"),
        (("--syzygy", "/no/such", "--engine", "stockfish"), "expected a folder with Syzygy"),
    ],
)
def test_options_that_contradict_each_other_are_named(
    file: Path, words: tuple[str, ...], complaint: str
) -> None:
    refused = ran(str(file), *words)
    assert refused.exit_code == 2
    assert complaint in " ".join(refused.output.split())


def test_page_of_too_many_moves_is_refused_before_they_are_analysed(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyse_command, "MOVES_MAX", 19)
    error = ran(str(file), "--html", str(tmp_path / "out.html")).exception
    assert isinstance(error, CommandError)
    assert "20 moves in 2 games, and a page has at most 19" in str(error)


@pytest.mark.slow
def test_several_files_and_one_player_are_analysed_together(file: Path, tmp_path: Path) -> None:
    other, page = tmp_path / "other.pgn", tmp_path / "out.html"
    other.write_text(
        LEGAL.replace("Legal", "Kermur, Legal") + "\n" + SCHOLAR + "\n1. e4 e5 2. Ke3 *"
    )
    words = (str(file), str(other), "--nodes", "1000", "--local", "1")
    result = ran(*words, "--json", "--html", str(page))
    assert "2 files: 1 game skipped; 4 games read" in str(result.exception)
    document = json.loads(result.stdout)
    places = [(game["file"], game["number"]) for game in document["games"]]
    assert places == [("games.pgn", 1), ("games.pgn", 2), ("other.pgn", 1), ("other.pgn", 2)]
    assert [(each["file"], each["number"]) for each in document["skipped"]] == [("other.pgn", 3)]
    assert document["player"] is None
    assert len(set(re.findall(r'id="(m[0-9]+\.[0-9]+)"', page.read_text()))) == 2 * (7 + 13)
    of_one = json.loads(ran(*words, "--json", "--player", "legal").stdout)
    assert of_one["games"] == [document["games"][1], document["games"][2]]
    player = of_one["player"]
    own = [game["players"]["white"] for game in of_one["games"]]
    assert player["games"] == 2
    assert player["moves"] == own[0]["moves"] + own[1]["moves"]
    assert player["accuracy"] == pytest.approx(own[0]["accuracy"], abs=0.1)
    shown = ran(*words, "--player", "LEGAL").stdout
    assert "other.pgn, game 1: Kermur, Legal - " in shown
    assert "LEGAL, 2 games\n14 moves, accuracy " in shown


@pytest.mark.slow
def test_text_has_every_move_above_its_board(file: Path, tmp_path: Path) -> None:
    words, out = (str(file), "--nodes", "1000", "--local", "1"), tmp_path / "out.txt"
    plain = ran(*words).stdout
    assert ran(*words, "--text", str(out)).stdout == plain
    text = out.read_text()
    assert ran(*words, "--text", "-").stdout == text
    assert text.isascii()
    first, second = text.split("\n\n\n")
    assert first.startswith("Game 1: Ann - Bob, 1-0\nAnalysis: 1,000 positions a move, manyply ")
    assert second.startswith("Game 2: Legal - Saint Brie, 1-0\nEvent: Paris\n")
    for part, sans in ((first, "e4 e5 Qh5 Nc6 Bc4"), (second, "e4 e5 Nf3 d6 Bc4 Bg4 Nc3 g6")):
        for ply, san in enumerate(sans.split()):
            dots = "..." if ply % 2 else "."
            assert len(re.findall(rf"^{ply // 2 + 1}{re.escape(dots)} {san}[? ]", part, re.M)) == 1
    assert [part.count("\nFEN: ") for part in (first, second)] == [7, 13]
    for found in re.findall(r"^FEN: (.+)$", text, re.MULTILINE):
        assert chess.Board(found).is_valid()
    summed = ran(*words, str(file), "--text", "-", "--player", "Ann").stdout
    assert summed.startswith("games.pgn, game 1: Ann - Bob")
    assert "\n\n\nAnn, 2 games\n8 moves, accuracy " in summed


def test_a_text_that_cannot_be_written_is_refused_before_anything_is_computed(
    file: Path, tmp_path: Path
) -> None:
    out = str(tmp_path / "out")
    for words, complaint in (
        (("--text", "-", "--json"), "give it a file"),
        (("--text", str(file)), "it is the file that is analysed"),
        (("--html", str(file)), "it is the file that is analysed"),
        (("--svg", str(file)), "it is the file that is analysed"),
        (("--html", out, "--svg", out), "--html and --svg name the same file"),
        (("--text", out, "--pgn", out), "--pgn and --text name the same file"),
        (("--text", "-", "--svg", "-"), "--text and --svg name the same file"),
    ):
        refused = ran(str(file), *words)
        assert complaint in f"{refused.output} {refused.exception}"
    assert not Path(out).exists()


@pytest.mark.slow
def test_a_depth_or_a_time_is_an_effort_too(file: Path) -> None:
    words = (str(file), "--games", "1", "--local", "1", "--json")
    deep = json.loads(ran(*words, "--depth", "4").stdout)
    assert deep["depth"] == 4
    assert deep["games"] == json.loads(ran(*words, "--plies", "4").stdout)["games"]
    bounded = json.loads(ran(*words, "--depth", "4", "--nodes", "1000").stdout)
    assert (bounded["depth"], bounded["nodes"]) == (4, 1000)
    timed = ran(*words, "--time", "0.1")
    assert "0.1 s of a core here are " in timed.stderr
    document = json.loads(timed.stdout)
    assert document["depth"] is None
    assert 1_000 <= document["nodes"] < 1_000_000


@given(st.floats(10, NODES_MAX))
def test_a_time_becomes_nodes_that_stay_the_same_though_the_speed_wavers(nodes: float) -> None:
    rounded = rounded_nodes(nodes)
    assert 0.75 <= rounded / nodes <= 1.35
    assert rounded_nodes(rounded) == rounded
    assert str(rounded).rstrip("0") in {"1", "15", "2", "3", "5", "7"}


@pytest.mark.slow
def test_bad_games_are_skipped_and_the_others_analysed(file: Path, tmp_path: Path) -> None:
    good, out = file.read_text(), tmp_path / "out.pgn"
    clock = good.replace("4. Qxf7# 1-0", "{[%clk 0:01:00]} 4. -- *")
    file.write_text(f'{good}\n[Variant "Atomic"]\n\n1. e4 *\n\n1. e4 e5 2. Ke3 *\n\n{clock}')
    words = (str(file), "--nodes", "1000", "--local", "1", "--json")
    result = ran(*words, "--pgn", str(out))
    assert result.exit_code != 0
    assert "games.pgn: 2 games skipped; 4 read" in str(result.exception)
    document = json.loads(result.stdout)
    assert [game["number"] for game in document["games"]] == [1, 2, 5, 6]
    assert [game["result"] for game in document["games"]] == ["1-0"] * 4
    assert [(each["number"], each["line"]) for each in document["skipped"]] == [(3, 15), (4, 19)]
    assert "[%clk 0:01:00]" in out.read_text()
    chosen = json.loads(ran(*words, "--games", "2,5-6").stdout)
    assert chosen["games"] == document["games"][1:]
    assert chosen["skipped_count"] == 0
