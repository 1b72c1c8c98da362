"""PGN: files are split into games, and games are read with moves and results."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from collections.abc import Iterable

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.fen import read_fen, write_fen
from engine_ext.chess.uci_engine.engine_spec import GAMES_PATH
from master.games.chess.analysis.records import ReadGame, all_records_of
from master.games.chess.pgn.reading import TAGS_MAX, PgnError, PgnGame, read_game, read_pgn
from master.games.chess.pgn.splitting import (
    COMMENT_BYTES_MAX,
    GAME_BYTES_MAX,
    GameText,
    split_games,
)
from master.games.chess.record import write_pgn
from master.games.skipped import SkippedGame

PGN_EXTRACT = shutil.which("pgn-extract", path=GAMES_PATH) or ""


def read(moves: str, *tags: str) -> PgnGame:
    return read_game("\n".join((*tags, "", moves)))


def sans(moves: str, *tags: str) -> str:
    return " ".join(read(moves, *tags).record.game.sans)


@pytest.mark.parametrize(
    "moves",
    [
        "1. e4 e5 2. Nf3 Nc6 *",
        "1.e4 e5 2.Nf3 Nc6 *",
        "0. e4 e5 1. Nf3 Nc6 *",
        "1 e4 e5 2 Nf3 Nc6",
        "e4 e5 Nf3 Nc6",
        "1. e4 1... e5 2. Nf3 2\u2026 Nc6",
        "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6",
        "1. e2-e4 e7-e5 2. g1-f3 b8-c6 *",
        "1. e2\u2013e4 e7\u2013e5 2. g1f3 b8c6 *",
        "1. e4 += e5 = 2. Nf3 +/- Nc6 \u00b1 *",
        "1. e4+= e5= 2. Nf3!? N Nc6?! D *",
        "1. e4! e5 $10 2. Nf3 $1 $14 Nc6 \u221e *",
        "1. e4 {one}{two} e5 (1... c5 2. Nf3 (2. c3 -- 3. d4) d6) 2. Nf3 ; rest 3. d4\nNc6",
        "1. e4 e5\n\n2. Nf3\n% 3. d4\nNc6",
        "\u2659e4 e5 \u2658f3 Nc6",
    ],
)
def test_moves_are_read_in_whatever_form_they_are_written(moves: str) -> None:
    assert sans(moves) == "e4 e5 Nf3 Nc6"


@pytest.mark.parametrize(
    ("moves", "expected"),
    [
        ("e4 Nf6 e5 d5 exd6 e.p. Nc6", "e4 Nf6 e5 d5 exd6 Nc6"),
        ("e4 Nf6 e5 d5 exd6e.p. Nc6", "e4 Nf6 e5 d5 exd6 Nc6"),
        ("e4 Nf6 e5 d5 e5xd6 ep Nc6", "e4 Nf6 e5 d5 exd6 Nc6"),
        ("e4 e5 Nf3 Nf6 Bc4 Bc5 e1-g1 0-0", "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O"),
        ("e4 e5 Nf3 Nf6 Bc4 Bc5 O\u2013O+= 0\u20130!", "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O"),
        ("e4 -- d4 Z0 Nf3 @@@@ Nc3 d5", "e4 -- d4 -- Nf3 -- Nc3 d5"),
    ],
)
def test_moves_with_more_than_their_squares_are_read(moves: str, expected: str) -> None:
    assert sans(moves) == expected


SIGNS = "⟳∆Δ⌓↻→↑⇆⇄⊕⊙⨀○□△▽∇⩲⩱±∓∞≅⯹⟂⊥∥‖≤\u00d7«»†‼"
MARKS = ("=∞", "!", "?!", "+-", "-+", "+/-", "+=", "N", "TN", "D", "!N", "?!TN", "!±", "+-N", "!+-")


@pytest.mark.parametrize("mark", [*SIGNS, *MARKS])
def test_signs_of_evaluation_lose_no_game(mark: str) -> None:
    """Alone, and glued to a move."""
    assert sans(f"1. e4 {mark} e5 2. Nf3 {mark}\nNc6 1-0") == "e4 e5 Nf3 Nc6"
    assert sans(f"1. e4 e5 2. Nf3{mark} Nb8c6{mark}{{why}} 1-0") == "e4 e5 Nf3 Nc6"
    if not mark[0].isalpha():
        assert sans(f"1. e4{mark} e5{mark}") == "e4 e5"


@pytest.mark.parametrize(
    ("move", "glyphs"),
    [
        ("Nf3!N", ["$1"]), ("Nf3!+-", ["$1", "$18"]), ("Nf3!?⩲", ["$5", "$14"]),
        ("Nf3+=", ["$14"]), ("Nf3+!", ["$1"]), ("Nf3++-", ["$18"]), ("Nf3 ‼ ±", ["$3", "$16"]),
        ("Nf3 !± ∆", ["$1", "$16"]), ("Nf3+", []), ("Nf3 ⟳", []), ("Nf3N", []),
    ],
)  # fmt: skip
def test_each_of_the_marks_behind_a_move_is_kept_as_its_glyph(move: str, glyphs: list[str]) -> None:
    record = read(f"1. {move} Nf6").record
    assert record.game.sans == ["Nf3", "Nf6"]
    assert [*(record.notes or ((), ()))[1]] == glyphs


def test_marks_without_end_are_no_move() -> None:
    for marks in ("!" * 500_000, "!N" * 250_000):
        with pytest.raises(ValueError, match=r"move 1\. .* is no move such as"):
            read(f"1. {marks}e4 e5")


@pytest.mark.parametrize(
    "unseen",
    ["\u200b", "\ufeff", "\u00ad", "\u2060", "\u200e", "\ufe0e", "\u00a0", "\u202f", "\u3000"],
)
def test_what_is_not_seen_is_passed_over_but_in_comments_and_names(unseen: str) -> None:
    name = f"a{unseen}b"
    tags = f'{unseen}[Event{" " if unseen.isprintable() else ""} "{name}"]{unseen}'
    moves = (
        f"{unseen}1.{unseen}e4{unseen} {unseen} e5{unseen}{{{name}}}{unseen} 2. Nf3 Nc6 1-0{unseen}"
    )
    for before in ("*", "1-0"):
        found = read(moves, tags, f'[Result "{before}{unseen}"]')
        assert found.record.game.sans == ["e4", "e5", "Nf3", "Nc6"]
        assert found.record.result == "1-0"
        assert found.record.tags == (("Event", name),)
        assert len(found.warnings) == (before == "*")
        kept = " ".join(name.split())
        assert found.record.notes[2] == (f"{{{kept}}}",)
    if not unseen.isspace():
        assert sans(f"1{unseen}. e{unseen}4 \u2659{unseen}e5") == "e4 e5"


def test_a_capture_may_have_the_cross_of_books() -> None:
    assert sans("1. e4 d5 2. e\u00d7d5! Q\u00d7d5N") == "e4 d5 exd5 Qxd5"


def test_promotions_are_read_in_whatever_form_they_are_written() -> None:
    tags = '[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]'
    for move in ("a8=Q+", "a8Q+", "a8/Q+", "a7-a8=Q", "a7a8q", "a7-a8Q+!"):
        assert sans(move, tags) == "a8=Q+"
    for move in ("a8=N", "a8N", "a8/N", "a7-a8=N!N", "a7a8n", "a8=N\u00b1"):
        assert sans(move, tags) == "a8=N"


def test_a_null_move_is_refused_where_a_game_is_to_go_on_or_a_side_cannot_pass() -> None:
    with pytest.raises(ValueError, match="move 2: no game goes on after a null move"):
        read_pgn("1. e4 e5 2. -- d5 *")
    with pytest.raises(ValueError, match="a side in check cannot pass"):
        read("1. e4 f5 2. Qh5+ --")
    with pytest.raises(ValueError, match="a side without a legal move cannot pass"):
        read("--", '[FEN "k7/2Q5/8/8/8/8/8/7K b - - 0 1"]')


def test_notes_are_kept_where_they_stand() -> None:
    moves = (
        "{Begin} 1. e4! {[%clk 0:03:00]} $14 ; rest }\n (1. d4 {why} d5 $1) e5 {[%eval 0.2]\n} *"
    )
    record = read(moves).record
    assert record.notes == (
        ("{Begin}",),
        ("$1", "{[%clk 0:03:00]}", "$14", "{rest )}", "(1. d4 {why} d5 $1)"),
        ("{[%eval 0.2]}",),
    )
    assert read("1. e4 e5 *").record.notes == ()


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        (['[Event "a"] [Site "b"]'], {"Event": "a", "Site": "b"}),
        (['[Event "a"]', "", '[Site "b"]'], {"Event": "a", "Site": "b"}),
        (["{first}", "", '[Event "a"]'], {"Event": "a"}),
        (['[Event "The "Big" one"]'], {"Event": 'The "Big" one'}),
        (['[Event "a \\"b\\" \\\\ c"]'], {"Event": 'a "b" \\ c'}),
        (['[ Event  "a" ]', "% comment", '[Event "again"]'], {"Event": "a"}),
    ],
)
def test_tags_are_read_however_they_stand(tags: list[str], expected: dict[str, str]) -> None:
    assert dict(read("1. e4 *", *tags).record.tags) == expected


def test_a_tag_that_is_none_is_left_out_and_said() -> None:
    found = read("1. e4 *", '[Event "a"]', "[Site b]", '[ECO "C20"]')
    assert dict(found.record.tags) == {"Event": "a", "ECO": "C20"}
    assert found.warnings == ("expected a tag such as [White \"Ann\"], not '[Site b]': left out",)
    with pytest.raises(ValueError, match=f"expected at most {TAGS_MAX} tags"):
        read("1. e4 *", *(f'[A{number} "a"]' for number in range(TAGS_MAX + 1)))


@pytest.mark.parametrize("name", ["", "Standard", "From Position", "Chess960", "fischerandom"])
def test_variants_that_are_chess_are_read(name: str) -> None:
    assert sans("1. e4 *", f'[Variant "{name}"]') == "e4"


@pytest.mark.parametrize(
    "name", ["Antichess", "Three-check", "King of the Hill", "Atomic", "crazyhouse", "Horde"]
)
def test_other_variants_are_refused_by_name(name: str) -> None:
    with pytest.raises(ValueError, match=f"variant {name}: only standard chess and Chess960"):
        read("1. e4 *", f'[Variant "{name}"]')


@pytest.mark.parametrize(
    ("fen", "expected", "warning"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", ""),
        ("4k3/8/8/8/8/8/8/4K2R w K - 3", "4k3/8/8/8/8/8/8/4K2R w K - 3 1", ""),
        ("4k3/8/8/8/8/8/8/4K2R w K - 1 0", "4k3/8/8/8/8/8/8/4K2R w K - 1 1", ""),
        (
            "4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            "castling KQkq does not fit the position: read as K",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w - e6 0 1", "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
            "en passant e6 does not fit the position: read as -",
        ),
    ],
)  # fmt: skip
def test_positions_are_read_as_programs_write_them(fen: str, expected: str, warning: str) -> None:
    found = read("*", f'[FEN "{fen}"]')
    assert write_fen(found.record.game.start) == expected
    assert found.warnings == ((warning,) if warning else ())
    assert read_fen(expected) == found.record.game.start


@pytest.mark.parametrize("words", [1, 2, 3, 4, 5])
def test_words_that_a_position_lacks_are_those_of_the_judge(words: int) -> None:
    for whole in ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "4k3/8/8/8/8/8/8/4K2R b K - 0 1"):
        fen = " ".join(whole.split()[:words])
        found = read("*", f'[FEN "{fen}"]')
        assert write_fen(found.record.game.start) == chess.Board(fen).fen()
        assert not found.warnings


def test_capitals_make_no_other_tag() -> None:
    tags = ('[event "a"]', '[WHITE "Ann"]', '[result "1-0"]', '[fen "4k3/8/8/8/8/8/8/4K2R w"]',
            '[setup "1"]', '[TERMINATION "unterminated"]', '[eco "C20"]')  # fmt: skip
    found = read("1. Kd2", *tags)
    assert (found.record.white, found.record.result) == ("Ann", "1-0")
    assert found.record.game.sans == ["Kd2"]
    assert dict(found.record.tags) == {"Event": "a", "Termination": "unterminated", "eco": "C20"}
    assert found.warnings == ("tag Termination is 'unterminated', but the result is 1-0",)
    with pytest.raises(ValueError, match="variant crazyhouse: only standard chess"):
        read("1. e4 *", '[variant "crazyhouse"]')


def test_a_position_of_no_game_is_refused() -> None:
    for fen in ("8/8/8/8/8/8/8/8 w - - 0 1", "4k3/8/8/8/8/8/8/8 w", "x", "x w - - 0 1", " "):
        with pytest.raises(ValueError, match=r"king|a FEN is|ranks"):
            read("*", f'[FEN "{fen}"]')


@pytest.mark.reference
@pytest.mark.skipif(not PGN_EXTRACT, reason="pgn-extract is not installed")
def test_pgn_extract_leaves_a_game_with_a_null_move_out() -> None:
    """And says so in no exit code; ours keeps the game."""
    null = "1. e4 -- 2. d4 *"
    text = f'[Event "a"]\n\n{null}\n\n[Event "b"]\n\n1. e4 e5 2. d4 *\n'
    ended = subprocess.run(
        [PGN_EXTRACT, "-s"], input=text, capture_output=True, text=True, check=False, timeout=20
    )
    assert ended.returncode == 0
    assert re.findall(r'Event "(.)"', ended.stdout) == ["b"]
    assert len(read(null).record.game.moves) == 3


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


@pytest.mark.parametrize(
    ("moves", "move"),
    [
        ("1. e4 foo", "1..."), ("1. e4 foo *", "1..."), ("1. e4 e5 2. foo", "2."),
        ("1. e4 e5 2. foo 1-0", "2."), ("1. e4 e5 2. Nf3 bar {so} baz", "2..."),
    ],
)  # fmt: skip
def test_words_in_the_place_of_a_move_are_no_end_of_a_game(moves: str, move: str) -> None:
    with pytest.raises(PgnError, match=rf"^move {re.escape(move)} '(foo|bar)' is no move"):
        read_game(f'[White "A"]\n\n{moves}')
    assert read_game(f"{moves.replace('foo', 'resigns').replace('bar', 'draw')}").record.game.moves


@pytest.mark.parametrize(
    "wrong", ["Ke2 Ke7 Ke2", ") Nf3", "\u2603", "foo *", "(2. Nf3", "1-0 Nf3", "Ke4"]
)
@given(st.lists(st.sampled_from(["", "%esc", "{a}", "{a\n\nb} ", "; c", "{a\nb} $1", "\ufeff$2"])))
def test_a_fault_is_on_the_line_of_the_file_that_it_stands_on(wrong: str, lines: list[str]) -> None:
    before = "\n".join(['[White "A"]', "", "1. e4 e5 1-0", "", '[White "B"]', "1. e4", *lines])
    text = f"{before}\ne5 2. {wrong}\n"
    *_, bad = all_records_of(text.encode(), "a")
    assert isinstance(bad, SkippedGame)
    at = text.index(f"e5 2. {wrong}")
    assert (bad.number, bad.line, bad.fault_line) == (2, 5, text.count("\n", 0, at) + 1)
    assert bad.text("a").startswith(f"a, game 2, line {bad.fault_line}: ")


def test_a_warning_about_a_line_names_it_and_others_name_the_game() -> None:
    text = '\n\n[White "A"]\n[Result "1-0"]\n[Site b]\n\n1. e4 e5\nWhite wins\n0-1\n'
    (read,) = all_records_of(text.encode(), "a")
    assert isinstance(read, ReadGame)
    assert [line.split(":")[0] for line in read.warning_lines("a")] == [
        f"a, game 1, line {line}" for line in (5, 8, 3)
    ]


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
    assert (first.content.count(b"\n"), first.fault) == (11, "")
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
