"""Analysed games of chess: how they are read, judged and reported."""

import gzip
import io
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import chess
import chess.engine
import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.probes.probe_text import ProbeValue
from master.games.chess.analysis.judging import JudgedMove, Mark, Position, chances, figures
from master.games.chess.analysis.records import ReadGame, all_records_of, read_records
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
from master.games.chess.pgn.splitting import GAME_BYTES_MAX
from master.games.errors import RecordError
from master.games.skipped import GameNumbers, SkippedGame
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


def test_a_better_line_that_has_no_room_ends_with_a_whole_move() -> None:
    whole = error_lines(GAME, 20, 1_000)
    at = whole[0].index("better")
    words = [line[at:].split() for line in whole]
    assert max(map(len, words)) > 3
    for width in range(at, max(map(len, whole)) + 1):
        for line, full in zip(error_lines(GAME, 20, width)[1:], words[1:], strict=True):
            kept = line[at:].split()
            assert kept == full[: len(kept)]
            assert not kept or not kept[-1].endswith(".")
            more = [word for word in full[len(kept) :] if not word.endswith(".")]
            assert (
                not more or len(" ".join(full[: full.index(more[0], len(kept)) + 1])) > width - at
            )
    assert error_lines(GAME, 0, None) == []


values = st.builds(ProbeValue, st.integers(-3_000, 3_000)) | st.builds(
    ProbeValue, st.integers(-9, 9).filter(bool), st.just(True)
)


@pytest.mark.parametrize(("text", "blunder"), [(SCHOLAR, "3... Nf6"), (LEGAL, "5... Bxd1")])
def test_the_blunder_is_found(text: str, blunder: str) -> None:
    game = analysed(text)
    worst = max(game.moves, key=lambda move: move.lost)
    assert game.name(worst) == blunder
    assert worst.mark is Mark.BLUNDER
    assert not worst.is_best
    last = game.moves[-1]
    assert last.value == ProbeValue(1, is_mate=True)
    assert last.mark is Mark.GOOD
    white, black = game.figures("w"), game.figures("b")
    assert white.accuracy is not None
    assert black.accuracy is not None
    assert white.accuracy > black.accuracy
    assert white.moves + black.moves == len(game.moves)


@pytest.mark.skipif(shutil.which("stockfish", path="/usr/games") is None, reason="no stockfish")
@pytest.mark.when_changed
def test_stockfish_sees_the_same_blunders() -> None:
    for text in (SCHOLAR, LEGAL):
        game = analysed(text)
        with chess.engine.SimpleEngine.popen_uci("/usr/games/stockfish") as engine:
            for move in game.moves:
                if move.mark is not Mark.BLUNDER:
                    continue
                board = chess.Board()
                for earlier in game.record.game.moves[: move.number]:
                    board.push(board.parse_uci(earlier))
                limit = chess.engine.Limit(nodes=50_000)
                best = engine.analyse(board, limit)["score"].relative.score(mate_score=3_000)
                board.push(board.parse_uci(move.move))
                made = -engine.analyse(board, limit)["score"].relative.score(mate_score=3_000)
                assert best - made > 100


@given(values, values)
def test_more_is_never_less(one: ProbeValue, other: ProbeValue) -> None:
    if not one.is_mate and not other.is_mate and one.number <= other.number:
        assert chances(one) <= chances(other)
    assert 0 <= chances(one) <= 100
    assert chances(ProbeValue(-one.number, one.is_mate)) == pytest.approx(100 - chances(one))


@given(values, values)
def test_a_move_loses_nothing_or_something(before: ProbeValue, after: ProbeValue) -> None:
    move = JudgedMove(0, "e2e4", Position(before, ("d2d4",)), Position(after, ("e7e5",)))
    assert 0 <= move.lost <= 100
    assert 0 <= move.accuracy <= 100
    assert 0 <= move.centipawns_lost <= 2_000
    assert (move.mark is Mark.GOOD) == (move.lost < 5)
    best = JudgedMove(0, "d2d4", Position(before, ("d2d4",)), Position(after, ("e7e5",)))
    assert (best.lost, best.mark) == (0, Mark.GOOD)


def test_who_has_not_moved_has_no_accuracy() -> None:
    game = analysed(SCHOLAR)
    nobody = figures(game.record.game, [], "w")
    assert nobody.accuracy is None
    assert nobody.moves == 0


def read_of(path: Path, numbers: str = "") -> list[ReadGame | SkippedGame]:
    return list(read_records(path, GameNumbers.from_text(numbers) if numbers else None))


def players(games: list[ReadGame | SkippedGame]) -> list[str]:
    return [each.record.white if isinstance(each, ReadGame) else "" for each in games]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.pgn"


def test_every_game_is_read(file: Path) -> None:
    file.write_text(SCHOLAR + "\n" + LEGAL + "\n\n" + SCHOLAR.replace("\n", "\r\n"), newline="")
    assert players(read_of(file)) == ["Ann", "Legal", "Ann"]
    file.write_text("1. e4 e5 *")
    (game,) = read_of(file)
    assert isinstance(game, ReadGame)
    assert game.record.game.moves == ("e2e4", "e7e5")


def test_a_bad_game_is_skipped_with_its_place_and_the_others_are_read(file: Path) -> None:
    file.write_text(SCHOLAR + "\n" + SCHOLAR.replace("Qxf7#", "Qxf8#") + "\n" + LEGAL)
    first, bad, last = read_of(file)
    assert players([first, last]) == ["Ann", "Legal"]
    assert isinstance(bad, SkippedGame)
    assert (bad.number, bad.line) == (2, 8)
    assert bad.reason.startswith("move 4. Qxf8# is not legal here")


def test_chosen_games_alone_are_read(file: Path) -> None:
    broken = SCHOLAR.replace("Qxf7#", "Qxf8#") + "\n"
    file.write_text(broken * 3 + SCHOLAR + "\n" + broken + LEGAL + "\n" + broken)
    assert players(read_of(file, "4,6")) == ["Ann", "Legal"]
    assert [each.number for each in read_of(file, "4,6")] == [4, 6]
    with pytest.raises(RecordError, match="has 7 games: there is no game 8"):
        read_of(file, "6-8")


@pytest.mark.parametrize("text", ["", "\n\n", "\ufeff", "% nothing\n"])
def test_a_file_without_games_is_named(file: Path, text: str) -> None:
    file.write_text(text)
    with pytest.raises(RecordError, match="is empty: expected games in PGN"):
        read_of(file)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot read"):
        read_of(tmp_path / "none.pgn")


@pytest.mark.parametrize(
    ("encoding", "name"),
    [("utf-8", "M\u00fcller, \u0141"), ("iso8859-1", "M\u00fcller"), ("cp1252", "\u0160\u00e1h")],
)
def test_names_are_read_in_the_encodings_that_programs_write(
    file: Path, encoding: str, name: str
) -> None:
    file.write_bytes(SCHOLAR.replace("Ann", name).encode(encoding) + b"\n" + LEGAL.encode())
    assert players(read_of(file)) == [name, "Legal"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("is_packed", [False, True])
def test_files_of_utf16_and_of_gzip_are_read(file: Path, encoding: str, is_packed: bool) -> None:
    mark = "" if encoding == "utf-16" else "\ufeff"
    text = (mark + SCHOLAR.replace("Ann", "\u0141ucja") + "\r\n" + LEGAL * 50).encode(encoding)
    file.write_bytes(gzip.compress(text) if is_packed else text)
    assert players(read_of(file)) == ["\u0141ucja", *["Legal"] * 50]
    if not is_packed:
        assert len([*all_records_of(text, "a")]) == 51


def test_a_file_that_gzip_compressed_is_read_as_it_is_packed(file: Path) -> None:
    whole = gzip.compress((SCHOLAR + "\n" + LEGAL).encode()) + gzip.compress(b"\n1. a3 *\n")
    file.write_bytes(whole)
    assert players(read_of(file)) == ["Ann", "Legal", ""]
    for broken in (whole[:60], whole[:40] + b"\xff" * 20 + whole[60:], b"\x1f\x8b"):
        file.write_bytes(broken)
        with pytest.raises(RecordError, match="expected a whole file that gzip compressed"):
            read_of(file)


@pytest.mark.parametrize(
    "content",
    [
        b"\x7fELF\x02\x01\0\0", b"PK\x03\x04\0\0 [Event", b"$ ls\n\ncd [x]\n",
        b"Dear Ann,\n(so) it is\n",
        b'{"white": "Ann",\n "moves": {"a": 1}}\n',
        b"<html>\n<p>[1] 1-0\ntext *\n",
        SCHOLAR.encode("utf-16-le"),
    ],
)  # fmt: skip
def test_a_file_of_no_pgn_is_said_to_be_none(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    with pytest.raises(RecordError, match=r"games\.pgn: expected PGN: tags such as"):
        read_of(file)


def test_what_is_like_no_game_loses_none_behind_it(file: Path) -> None:
    for count in (1, 40):
        file.write_text("junk of 1-0\n" * count + SCHOLAR)
        found = read_of(file)
        assert players(found) == [*[""] * count, "Ann"]
        assert [each.number for each in found] == [*range(1, count + 2)]
    assert [type(each) for each in read_of(file, "1-2")] == [SkippedGame] * 2
    assert players(read_of(file, "2,41")) == ["", "Ann"]
    file.write_text("junk of 1-0\n" * 40)
    assert players(read_of(file)) == [""] * 40


def test_one_foreign_line_does_not_change_the_others(file: Path) -> None:
    text = SCHOLAR.replace("Ann", "\u0141ucja").encode() + "{caf\u00e9}\n".encode("iso8859-1")
    file.write_bytes(text)
    assert players(read_of(file)) == ["\u0141ucja"]


@pytest.mark.slow
def test_a_game_that_is_too_long_is_skipped_and_the_next_is_read(file: Path) -> None:
    huge = SCHOLAR.replace("Ann", "x" * (GAME_BYTES_MAX + 1))
    long = SCHOLAR.replace("Ann", "x" * 5_000)
    file.write_text(huge + "\n" + long + "\n" + "1. Nf3 Nf6 2. Ng1 Ng8 " * 6_000 + "\n" + LEGAL)
    first, second, third, last = read_of(file)
    assert players([last]) == ["Legal"]
    reasons = [each.reason for each in (first, second, third) if isinstance(each, SkippedGame)]
    assert reasons == [
        "it has more than 1,048,576 bytes",
        "tag White: expected at most 4,096 characters, not 5,000",
        "expected at most 20,000 half-moves",
    ]
