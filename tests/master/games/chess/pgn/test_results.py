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


def test_result_and_termination_are_written_again() -> None:
    tags = '[Result "0-1"]\n[Termination "time forfeit"]\n\n'
    text = write_pgn(read_game(f"{tags}{SHUFFLED} 0-1").record)
    assert '[Result "0-1"]\n[Termination "time forfeit"]\n' in text
    assert text.endswith(" Ng8 0-1\n")
