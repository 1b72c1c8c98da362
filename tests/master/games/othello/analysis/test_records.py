"""Files of Othello games: GGF, transcripts, and WTHOR's."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.games.errors import RecordError
from master.games.othello.analysis import records
from master.games.othello.analysis.records import GAMES_MAX, read_record_file
from master.games.othello.analysis.wthor import (
    PLAYER_BYTES,
    TOURNAMENT_BYTES,
    WthorGame,
    WthorGames,
    read_names,
    read_wthor,
    write_names,
    write_wthor,
)
from master.games.othello.record import OthelloRecord, write_ggf
from master.games.skipped import GameNumbers
from tests.master.games.othello.games import random_game

GAMES = [random_game(seed, 60) for seed in range(3)]


def squares(path: Path) -> list[tuple[str, ...]]:
    return [record.game.squares for _, record in read_record_file(path).chosen(None).records]


def wthor_file(folder: Path, count: int = 3) -> Path:
    games = tuple(WthorGame(0, 1, 0, 0, 0, game.squares) for game in GAMES)
    path = folder / "WTH_2001.WTB"
    path.write_bytes(write_wthor(WthorGames(2001, 22, (games * count)[:count])))
    return path


def test_the_same_games_are_read_in_every_format(tmp_path: Path) -> None:
    ggf, lines = tmp_path / "games.ggf", tmp_path / "games.txt"
    ggf.write_text("3 " + "".join(write_ggf(OthelloRecord(game)) for game in GAMES))
    lines.write_text("# three\n\n" + "\n".join("".join(game.squares).upper() for game in GAMES))
    expected = [game.squares for game in GAMES]
    assert squares(ggf) == squares(lines) == squares(wthor_file(tmp_path)) == expected


def test_names_stand_beside_a_wthor_file(tmp_path: Path) -> None:
    path = wthor_file(tmp_path)
    (tmp_path / "WTHOR.JOU").write_bytes(write_names(["Ann", "Bob"], PLAYER_BYTES))
    (tmp_path / "WTHOR.TRN").write_bytes(write_names(["Paris"], TOURNAMENT_BYTES))
    ((number, record),) = read_record_file(path).chosen(GameNumbers.from_text("2")).records
    assert (number, record.black, record.white) == (2, "Bob", "Ann")
    assert record.tags == (("EV", "Paris"), ("DT", "2001"))
    (tmp_path / "other.jou").write_bytes(b"")
    assert read_record_file(path).chosen(GameNumbers.from_text("2")).records[0][1].black == "", (
        "which of two is not known"
    )


def test_a_broken_file_of_names_is_named(tmp_path: Path) -> None:
    path = wthor_file(tmp_path)
    (tmp_path / "a.jou").write_bytes(b"no names")
    with pytest.raises(RecordError, match=r"a\.jou: 8 bytes: expected the 16"):
        read_record_file(path)


def test_only_games_that_are_wanted_are_read(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_text("f5d6\nf5f5\nf5f4\n")
    file = read_record_file(path)
    assert [number for number, _ in file.chosen(GameNumbers.from_text("1,3")).records] == [1, 3]
    with pytest.raises(RecordError, match=r"games\.txt, game 2, line 2: move 2 \(f5\): f5 is not"):
        file.chosen(GameNumbers.from_text("2"))
    with pytest.raises(RecordError, match="has 3 games: there is no game 4"):
        file.chosen(GameNumbers.from_text("1,4"))


def test_too_many_games_are_to_be_chosen_from(tmp_path: Path) -> None:
    file = read_record_file(wthor_file(tmp_path, GAMES_MAX + 1))
    with pytest.raises(RecordError, match="has 1,001 games: name 1,000 at most"):
        file.chosen(None)
    assert len(file.chosen(GameNumbers.from_text(f"{GAMES_MAX + 1}")).records) == 1


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("a.txt", b"", "has no games: expected GGF, transcripts"),
        ("a.txt", b"# nothing\n", "has no games"),
        ("a.wtb", b"f5d6", "expected the 16 of a WTHOR header"),
        ("a", b"\0\1", "expected the 16 of a WTHOR header"),
        ("a.ggf", b"(;GM[Chess];)", r"game 1, line 1: expected GM\[Othello\]"),
    ],
)
def test_what_holds_no_games_is_named(
    tmp_path: Path, name: str, content: bytes, complaint: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(RecordError, match=complaint):
        read_record_file(path).chosen(None)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(RecordError, match="cannot read"):
            read_record_file(path)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"f5\n" * 11, "a.txt: expected at most 10 games"),
        (b"f5d6" * 30_000, "a.txt, game 1, line 1: a game has at most 100,000 characters"),
    ],
)
def test_what_no_file_of_games_has_is_refused(
    tmp_path: Path, content: bytes, complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "FILE_GAMES_MAX", 10)
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    with pytest.raises(RecordError, match=complaint):
        read_record_file(path).chosen(None)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_on_any_system(tmp_path: Path, end: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(end.join("".join(game.squares) for game in GAMES).encode())
    assert squares(path) == [game.squares for game in GAMES]


def test_a_bad_game_is_skipped_by_name_in_every_format(tmp_path: Path) -> None:
    """A game on a larger board, one that cannot be, and a damaged square."""
    ggf = [write_ggf(OthelloRecord(game)) for game in GAMES]
    ggf[1] = f"(;GM[Othello]TY[10]BO[10 {'-' * 44}O*{'-' * 8}*O{'-' * 44} *]B[f5];)\n"
    (tmp_path / "a.ggf").write_text("".join(ggf))
    lines = ["".join(game.squares) for game in GAMES]
    lines[1] = "f5f5"
    (tmp_path / "a.txt").write_text("# three\n" + "\n".join(lines))
    spoilt = bytearray(wthor_file(tmp_path).read_bytes())
    spoilt[16 + 68 + 8] = 19
    (tmp_path / "a.wtb").write_bytes(spoilt)
    for name, line, reason in (
        ("a.ggf", 2, "BO[] starts with the board's size, 8, 6 or 4, not '10'"),
        ("a.txt", 3, "move 2 (f5)"),
        ("a.wtb", None, "19 is no square"),
    ):
        found = read_record_file(tmp_path / name).chosen(None)
        assert [number for number, _ in found.records] == [1, 3]
        assert [record.game.squares for _, record in found.records] == [
            GAMES[0].squares,
            GAMES[2].squares,
        ]
        (skipped,) = found.skipped
        assert (skipped.number, skipped.line) == (2, line)
        assert skipped.reason.startswith(reason)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_no_square(tmp_path: Path, encoding: str) -> None:
    lines, ggf = tmp_path / "games.txt", tmp_path / "games.ggf"
    lines.write_text("\n".join("".join(game.squares) for game in GAMES), encoding=encoding)
    ggf.write_text("".join(write_ggf(OthelloRecord(game)) for game in GAMES), encoding=encoding)
    assert squares(lines) == squares(ggf) == [game.squares for game in GAMES]


def test_names_in_latin_1_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.ggf"
    path.write_bytes(write_ggf(OthelloRecord(GAMES[0], "Stéphane", "Bo")).encode("latin-1"))
    assert read_record_file(path).chosen(None).records[0][1].black == "Stéphane"


wthor_squares = st.builds(str.__add__, st.sampled_from("abcdefgh"), st.sampled_from("12345678"))
numbers, discs = st.integers(0, 0xFFFF), st.integers(0, 64)
wthor_games = st.builds(
    WthorGame,
    numbers,
    numbers,
    numbers,
    discs,
    discs,
    st.lists(wthor_squares, max_size=60).map(tuple),
)
files = st.builds(
    WthorGames, st.integers(1977, 2100), st.integers(0, 60),
    st.lists(wthor_games, max_size=4).map(tuple),
)  # fmt: skip

KNOWN = bytes.fromhex(
    "140a 0c1f 01000000 0000 d107 08 00 16 00 0200 0300 0400 28 21 38 40" + 58 * "00"
)
"""A game of 2001 by hand: f5 d6, made in December 2010, black has 40 discs."""


@given(files)
def test_games_are_read_back(file: WthorGames) -> None:
    content = write_wthor(file)
    assert len(content) == 16 + 68 * len(file.games)
    assert read_wthor(content) == file


def test_bytes_mean_what_the_federation_says() -> None:
    game = WthorGame(2, 3, 4, 40, 33, ("f5", "d6"))
    assert read_wthor(KNOWN) == WthorGames(2001, 22, (game,))


@given(st.lists(st.text("abc é'.", max_size=19).map(str.strip), max_size=5))
def test_names_are_read_back(names: list[str]) -> None:
    for name_bytes in (PLAYER_BYTES, TOURNAMENT_BYTES):
        content = write_names(names, name_bytes)
        assert len(content) == 16 + name_bytes * len(names)
        assert read_names(content, name_bytes) == tuple(names)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (b"", "0 bytes: expected the 16 of a WTHOR header"),
        (write_names(["Ann"], PLAYER_BYTES), "names of players .*: expected games, a .wtb file"),
        (KNOWN[:-1], "83 bytes: expected 84 for 1 games"),
        (KNOWN + b"\0", "85 bytes: expected 84"),
        (KNOWN[:12] + b"\x0a" + KNOWN[13:], "board of size 10: expected 8"),
        (KNOWN[:13] + b"\x01" + KNOWN[14:], "type 1: expected games"),
        (KNOWN[:4] + b"\xff" * 4 + KNOWN[8:], "4,294,967,295 games: expected 100,000 at most"),
        (KNOWN[:10] + b"\xff\xff" + KNOWN[12:], "the year 65535: expected 9999 at most"),
        (KNOWN[:24] + b"\x13" + KNOWN[25:], "game 1: 19 is no square: expected 11"),
        (KNOWN[:-1] + b"\x0b", "game 1: a move follows after the last one"),
    ],
)
def test_what_is_broken_is_named(content: bytes, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        read_wthor(content)


def test_names_of_another_file_are_refused() -> None:
    with pytest.raises(ValueError, match="116 bytes: expected 146 for 5 names"):
        read_names(write_names(["a"] * 5, PLAYER_BYTES), TOURNAMENT_BYTES)


def spoilt(file: WthorGames, place: int, value: int) -> bytes:
    content = bytearray(write_wthor(file))
    content[place % len(content)] = value
    return bytes(content)


broken = st.builds(spoilt, files, st.integers(0, 1000), st.integers(0, 255))


@given(st.one_of(st.binary(max_size=300), broken))
def test_any_bytes_are_games_or_an_error(content: bytes) -> None:
    try:
        file = read_wthor(content)
    except ValueError:
        return
    assert read_wthor(write_wthor(file)) == file


@given(st.binary(max_size=300))
def test_any_bytes_are_names_or_an_error(content: bytes) -> None:
    for name_bytes in (PLAYER_BYTES, TOURNAMENT_BYTES):
        try:
            names = read_names(content, name_bytes)
        except ValueError:
            continue
        assert len(names) * name_bytes + 16 == len(content)
