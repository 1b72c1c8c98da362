"""WTHOR files: master.games.othello.analysis.wthor."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

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

squares = st.builds(str.__add__, st.sampled_from("abcdefgh"), st.sampled_from("12345678"))
numbers, discs = st.integers(0, 0xFFFF), st.integers(0, 64)
wthor_games = st.builds(
    WthorGame, numbers, numbers, numbers, discs, discs, st.lists(squares, max_size=60).map(tuple)
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
