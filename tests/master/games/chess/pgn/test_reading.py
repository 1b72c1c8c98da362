"""Texts of games as many programs write them."""

from __future__ import annotations

import re
import shutil
import subprocess

import chess
import pytest

from engine_ext.chess.fen import read_fen, write_fen
from engine_ext.chess.uci_engine.engine_spec import GAMES_PATH
from master.games.chess.pgn.reading import TAGS_MAX, PgnGame, read_game, read_pgn

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
        with pytest.raises(ValueError, match=r"king|six words|ranks"):
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
