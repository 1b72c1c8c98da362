"""How recorded games ended."""

from __future__ import annotations

import pytest

from master.games.chess.pgn.reading import read_game
from master.games.chess.record import write_pgn

SHUFFLED = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8"
MATED = "1. f3 e5 2. g4 Qh4#"


def result(moves: str, **tags: str) -> tuple[str, tuple[str, ...]]:
    found = read_game("".join(f'[{name} "{value}"]\n' for name, value in tags.items()) + moves)
    return found.record.result, found.warnings


@pytest.mark.parametrize(
    ("moves", "tags", "expected"),
    [
        (f"{SHUFFLED} 0-1", {"Result": "0-1", "Termination": "Time forfeit"}, "0-1"),
        (f"{SHUFFLED} *", {"Result": "*"}, "*"),
        (SHUFFLED, {}, "1/2-1/2"),
        ("1. e4 e5 1-0", {"Result": "1-0", "Termination": "Ann won by resignation"}, "1-0"),
        ("1. e4 e5", {"Result": "1-0"}, "1-0"),
        ("1. e4 e5 0-1", {}, "0-1"),
        ("1. e4 e5 1/2", {}, "1/2-1/2"),
        ("1. e4 e5", {"Result": "\u00bd-\u00bd"}, "1/2-1/2"),
        ("1. e4 e5", {"Result": "?"}, "*"),
        ("1. e4 e5", {}, "*"),
        (MATED, {}, "0-1"),
        (f"{MATED} *", {"Result": "*"}, "*"),
    ],
)
def test_a_recorded_result_stays(moves: str, tags: dict[str, str], expected: str) -> None:
    assert result(moves, **tags) == (expected, ())


@pytest.mark.parametrize(
    ("moves", "tags", "expected", "warning"),
    [
        ("1. e4 0-1", {"Result": "1-0"}, "1-0", "tag Result is 1-0, the moves end with 0-1: read "
         "as 1-0"),
        ("1. e4 0-1", {"Result": "*"}, "0-1", "tag Result is *, the moves end with 0-1: read as "
         "0-1"),
        (f"{MATED} 1-0", {"Result": "1-0"}, "1-0", "recorded as 1-0, but the moves end with "
         "checkmate (0-1)"),
        ("1. e4 *", {"Result": "0-0"}, "*", "tag Result '0-0' is none of 1-0, 0-1, 1/2-1/2 and *"),
        ("1. e4 1-0", {"Result": "1-0", "Termination": "unterminated"}, "1-0",
         "tag Termination is 'unterminated', but the result is 1-0"),
        ("1. e4 1-0", {"Result": "1-0", "White": "Ann", "Black": "Bob", "Termination":
         "Bob won on time"}, "1-0", "tag Termination is 'Bob won on time', but the result is 1-0"),
        ("1. e4 1-0", {"Result": "1-0", "Termination": "Game drawn by agreement"}, "1-0",
         "tag Termination is 'Game drawn by agreement', but the result is 1-0"),
    ],
)  # fmt: skip
def test_disagreement_is_said(
    moves: str, tags: dict[str, str], expected: str, warning: str
) -> None:
    assert result(moves, **tags) == (expected, (warning,))


@pytest.mark.parametrize(
    ("spelled", "expected"),
    [
        *((f"1{to}0", "1-0") for to in ("-", "\u2013", "\u2014", "\u2212", ":", " - ", " : ")),
        *((f"0{to}1", "0-1") for to in ("-", "\u2013", "\u2010", ":", " \u2013 ")),
        *((f"{half}{to}{half}", "1/2-1/2") for half in ("1/2", "\u00bd", "1\u20442", "0.5")
          for to in ("-", "\u2013", ":", " - ", " \u2013 ")),
        ("\u00bd", "1/2-1/2"), ("*", "*"),
    ],
)  # fmt: skip
def test_a_result_is_read_however_it_is_spelled(spelled: str, expected: str) -> None:
    assert result(f"1. Nf3 Nf6 2. g3 g6 3. Bg2 Bg7 4. 0-0 0-0 {spelled}\n") == (expected, ())
    assert result("1. e4 e5", Result=spelled) == (expected, ())
    assert result(f"1. e4 e5 {spelled}", Result=expected) == (expected, ())


@pytest.mark.parametrize(
    ("end", "words", "expected"),
    [
        ("White wins", "White wins", "1-0"), ("resigns 1-0", "resigns", "1-0"),
        ("1:0 Black resigns.", "Black resigns", "1-0"), ("time! (a4) over", "time over", "1-0"),
        ("Draw agreed 1\u20130 really", "Draw agreed really", "1-0"),
    ],
)  # fmt: skip
def test_words_behind_the_last_move_end_the_game_and_are_said(
    end: str, words: str, expected: str
) -> None:
    said = f"expected a move or a result such as 1-0, not {words!r}: left out"
    assert result(f"1. e4 e5 {end}", Result="1-0") == (expected, (said,))
    notes = read_game("1. e4 e5 time {late} over {so} 1-0").record.notes
    assert notes == ((), (), ("{late}", "{so}"))


def test_words_before_a_move_are_none_and_moves_behind_a_result_are_too_many() -> None:
    with pytest.raises(ValueError, match=r"move 1\.\.\. 'resigns' is no move"):
        read_game("1. e4 resigns e5 1-0")
    for spelled in ("1-0", "1\u20130", "\u00bd:\u00bd"):
        with pytest.raises(ValueError, match="expected a move or the end of the game, not 'e5'"):
            read_game(f"1. e4 {spelled} e5")
    with pytest.raises(ValueError, match="expected a game in PGN"):
        read_game("Nothing of the kind")


def test_result_and_termination_are_written_again() -> None:
    tags = '[Result "0-1"]\n[Termination "time forfeit"]\n\n'
    text = write_pgn(read_game(f"{tags}{SHUFFLED} 0-1").record)
    assert '[Result "0-1"]\n[Termination "time forfeit"]\n' in text
    assert text.endswith(" Ng8 0-1\n")
