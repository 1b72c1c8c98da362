"""Files of games."""

import gzip
from pathlib import Path

import pytest

from master.games.chess.analysis.records import ReadGame, all_records_of, read_records
from master.games.chess.pgn.splitting import GAME_BYTES_MAX
from master.games.errors import RecordError
from master.games.game_numbers import GameNumbers
from master.games.skipped import SkippedGame
from tests.master.games.chess.analysis.games import LEGAL, SCHOLAR


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
