"""Where games of a PGN file begin and end."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.games.chess.pgn.splitting import (
    COMMENT_BYTES_MAX,
    GAME_BYTES_MAX,
    GameText,
    split_games,
)

A = b'[Event "a"]\n[White "A"]\n\n1. e4 e5 1-0\n'
B = b'[Event "b"]\n[White "B"]\n\n1. d4 d5 2. c4\ne6 0-1\n'


def split(*content: bytes, wanted: Iterable[int] | None = None) -> list[GameText]:
    lines = b"".join(content).splitlines(keepends=True)
    numbers = None if wanted is None else set(wanted)
    return list(split_games(lines, lambda number: numbers is None or number in numbers))


def places(games: list[GameText]) -> list[tuple[int, int]]:
    return [(game.number, game.line) for game in games]


@given(st.lists(st.sampled_from([A, B]), max_size=6), st.integers(0, 3))
def test_games_one_after_the_other_are_found_with_or_without_empty_lines(
    games: list[bytes], empty: int
) -> None:
    found = split(*(game + b"\n" * empty for game in games))
    assert [game.content.strip() for game in found] == [game.strip() for game in games]
    assert [game.number for game in found] == [*range(1, len(games) + 1)]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (A + B, [1, 5]),
        (A.rstrip() + B, [1, 4]),
        (b'[Event "a"]\n\n[White "A"]\n\n1. e4 1-0\n\n' + B, [1, 7]),
        (b'[Event "a"]\n[White "A"]\n\n[Event "b"]\n\n1. e4 *\n', [1, 4]),
        (b'[Event "a"]\n[White "A"]\n\n[White "b"]\n\n1. e4 *\n', [1, 4]),
        (b'[Event "a"] [White "A"] 1. e4 * [Event "b"] [White "B"]\n1. d4 *\n', [1, 1]),
        (b"e4 e5 *\nd4 d5 *\nc4 (c3 *\nc5) *\n", [1, 2, 3]),
        (b"1. e4 e5\n\n2. d4 *\n", [1]),
        (
            "e4 1\u20130\nd4 1 - 0\nc4 \u00bd-\u00bd\nb4 0:1 \nf4 1/2 \u2013 1/2\na4".encode(),
            [*range(1, 7)],
        ),
        (b"e4 1\x960\nd4 \xbd-\xbd\nc4 0-0\ne5 0-0-0\na4", [1, 2, 3]),
        (b"{ of the file }\n; and this\n\n" + A, [1]),
        (b"% [Event \n" + A, [2]),
        (b"\xef\xbb\xbf" + A + b"\xef\xbb\xbf" + B, [1, 5]),
        (b'[Event "a; {b"]\n\n1. e4 *\n\n' + B, [1, 5]),
        (b'[Event "The "a""]\n[Site "\\\\"]\n\n1. e4 *\n\n' + B, [1, 6]),
        (A + b"{ after [%clk 1:00:00] }\n; [no tag\n" + B, [1, 7]),
        (A.replace(b"\n", b"\r\n") + B, [1, 5]),
        (b'[event "a"]\n[White "A"]\n[EVENT "b"]\n\n[white "B"]\n\n[White "C"]\n', [1, 3, 7]),
    ],
)
def test_games_begin_on_lines(content: bytes, expected: list[int]) -> None:
    assert [game.line for game in split(content)] == expected


@pytest.mark.parametrize("unseen", ["\u200b", "\ufeff", "\u00a0", "\u00ad", "\u2060", "\u3000"])
def test_what_is_not_seen_begins_no_game_and_hides_none(unseen: str) -> None:
    mark = unseen.encode()
    for between in (b"", b"\n", mark + b"\n", b"\n" + mark + b"\n\n", (b" " + mark) * 5_000):
        found = split(mark, A.rstrip(), mark, b"\n", between, mark, B, between, mark)
        assert [game.content.count(b"[") for game in found] == [2, 2]
        assert [game.number for game in found] == [1, 2]
    plain = split(b"1. e4 1-0", mark, b"\n", mark, b"1. d4 *\n")
    assert [game.number for game in plain] == [1, 2]
    tags = b'[Event\xc2\xa0"a"]\n\n1. e4 *\n[\xc2\xa0Event "b"\xc2\xa0]\n\n1. d4 *\n'
    assert len(split(tags)) == 2


QUOTING = b"""\
[Event "a"]

1. e4 {A game began so:

[Event "Paris"]
[White "Morphy"]

1. e4 e5

and went on ; } e5 1-0
"""


def test_comments_of_several_paragraphs_may_quote_tags() -> None:
    first, second = split(QUOTING, b"\n", B)
    assert (first.content.count(b"\n"), first.fault) == (12, "")
    assert (second.line, second.content) == (12, B)


def test_a_comment_that_is_never_closed_spoils_its_own_game_alone() -> None:
    open_game = A.replace(b"e5", b"{ careless")
    first, second, third = split(open_game, b"\n", A.replace(b"e5", b"{ good } e5"), b"\n", B)
    assert first.fault == "line 4: a comment is never closed with }"
    assert (second.line, second.fault) == (6, "")
    assert third.content == B
    first, second = split(open_game, b"\n", B)
    assert first.fault
    assert not second.fault
    filler = b"a\n" * (COMMENT_BYTES_MAX // 2 + 1)
    first, second = split(b"1. e4 {\n", filler, B)
    assert first.fault
    assert second.content == B


def test_a_game_of_any_length_takes_bounded_memory() -> None:
    long = (
        b'[Event "' + b"x" * 1_000 + b'"]\n\n1. e4 {' + (b"y" * 999 + b"}\n{") * 1_100 + b"} *\n\n"
    )
    first, second = split(long, B)
    assert first.fault == f"it has more than {GAME_BYTES_MAX:,} bytes"
    assert len(first.content) < GAME_BYTES_MAX
    assert second.content == B


@given(
    st.lists(st.sampled_from([A, B, QUOTING]), min_size=1, max_size=6),
    st.randoms(use_true_random=False),
)
def test_games_that_are_not_wanted_are_counted(games: list[bytes], choose: random.Random) -> None:
    wanted = {number for number in range(1, len(games) + 1) if choose.random() < 0.5}
    all_games, some = split(*games), split(*games, wanted=wanted)
    assert places(some) == places(all_games)
    assert [each.content for each in some] == [
        each.content if each.number in wanted else b"" for each in all_games
    ]


PARTS = [b'[Event "x"]', b"{", b"}", b"(", b")", b";", b"\n", b" e4 ", b" 1-0", b"[", b'"', b"\n\n"]


@given(st.lists(st.sampled_from(PARTS), max_size=40))
def test_moves_are_in_one_game_each(parts: list[bytes]) -> None:
    content = b"1. d4\n" + b"".join(parts)
    games = split(content)
    assert sum(game.content.count(b"e4") for game in games) == content.count(b"e4")
    assert [game.number for game in games] == [*range(1, len(games) + 1)]
    assert sorted(places(games)) == places(games)
