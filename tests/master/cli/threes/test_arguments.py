"""Short commands about Threes!, and the arguments that they share."""

import json
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from master.cli.app import manyply
from master.cli.bench import bench_figures
from master.cli.threes import bench_threes as module
from master.cli.threes.arguments import read_bag, read_next, to_threes_board
from master.cli.threes.bench_threes import bench_threes
from master.cli.threes.commands import COMMANDS
from master.games.threes.board_view import read_position
from tests.engine_ext.threes.reference_threes import (
    Cards,
    after,
    board_of,
    cards_of_boards,
    entry,
    score,
)
from tests.master.cli.terminals import WIDTHS, shown

EMPTY = "0 " * 16


@given(cards_of_boards, st.sampled_from([" ", ",", ", ", "\n", " , "]), st.booleans())
def test_cards_are_read_in_one_word_or_in_many(cards: Cards, between: str, has_dots: bool) -> None:
    texts = ["." if has_dots and not card else str(card) for card in cards]
    board = board_of(cards)
    assert to_threes_board([between.join(texts)]) == board
    assert to_threes_board(texts) == board
    assert to_threes_board([between.join(texts[:8]), between.join(texts[8:])]) == board


@given(cards_of_boards)
def test_digits_are_read_with_a_prefix_or_without(cards: Cards) -> None:
    board = board_of(cards)
    text = board.to_text()
    read = [to_threes_board([text.upper()]), to_threes_board([f"threes:{text}"])]
    assert [*read, read_position(f"threes:{text}")] == [board] * 3


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "expected 16 hex digits, or the numbers of 16 cards .*; not 0 cards"),
        ("0" * 15, "; not 15 digits"),
        ("0" * 17, "; not 17 digits"),
        ("0" * 15 + "g", "a board is 16 ranks in hex"),
        (EMPTY + "0", "; not 17 cards"),
        (EMPTY[4:], "; not 14 cards"),
        (EMPTY[2:] + "5", "no card has the number 5: expected 1, 2, 3, 6, 12, ... or 12288"),
        (EMPTY[2:] + "24576", "no card has the number 24576"),
        (EMPTY[2:] + "-3", "'-3' is no card: expected 1, 2, 3, 6, 12, ... or 0 or . for none"),
        (EMPTY[2:] + "9" * 5000, "'99999"),
        (EMPTY[2:] + "\u0663", "is no card"),
        (EMPTY[2:] + "a", "'a' is no card"),
    ],
)
def test_what_is_no_board_is_named_in_one_line(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        to_threes_board([text])
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "text", ["", "threes:", "0" * 16, f"threes:{'0' * 17}", f"threes:{'0' * 15}"]
)
def test_position_that_stands_alone_has_a_prefix_and_16_digits(text: str) -> None:
    with pytest.raises(ValueError, match="threes: and 16 hex digits"):
        read_position(text)


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("1", (1,)), ("2", (2,)), ("3", (3,)), ("6", (4,)), ("6,12", (4, 5)),
        ("24 12 6", (4, 5, 6)), (" 384, 768,1536 ", (10, 11, 12)),
    ],
)  # fmt: skip
def test_next_card_or_candidates_are_read_as_ranks(text: str, ranks: tuple[int, ...]) -> None:
    assert read_next(text) == ranks


@pytest.mark.parametrize(
    "text", ["", "1,2", "3,6", "6,24", "6,6", "6,12,24,48", ",", "x", "0", "4"]
)
def test_what_cannot_come_next_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="expected 1, 2"):
        read_next(text)


@given(st.tuples(*[st.integers(0, 9)] * 3), st.sampled_from(["", " ", ",", ", "]))
def test_bag_is_read_as_three_digits(bag: tuple[int, int, int], between: str) -> None:
    assert read_bag(between.join(map(str, bag))) == bag


@pytest.mark.parametrize("text", ["", "21", "2104", "2a0", "-210", "\u0661\u0661\u0661"])
def test_what_is_no_bag_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="is no bag: expected how many 1s, 2s and 3s are left"):
        read_bag(text)


BOARD = "1230456000000007"


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["perft", "threes", *args])


@settings(max_examples=20)
@given(cards_of_boards)
def test_json_has_each_legal_move_by_the_rules(cards: Cards) -> None:
    found = json.loads(ran(*map(str, cards), "--json").stdout)
    assert found == {
        "moves": {
            name: {"board": board_of(moved).to_text(), "entry": list(entry(cards, name))}
            for name in ("up", "down", "left", "right")
            for moved in [after(cards, name)]
            if moved != cards
        },
        "score": score(cards),
    }


def test_people_see_the_boards_and_where_cards_enter() -> None:
    lines = ran(BOARD).stdout.splitlines()
    assert lines[0] == f"threes:{BOARD}  363 points"
    assert lines[2:6] == [
        "up                          down",
        "+-----+-----+-----+-----+   +-----+-----+-----+-----+",
        "|  1  |  2  |  3  |     |   |  +  |  +  |  +  |     |",
        "+-----+-----+-----+-----+   +-----+-----+-----+-----+",
    ]
    assert lines[13] == "left                        right"


def test_board_without_a_move_says_so() -> None:
    assert ran("1" * 16).stdout == f"threes:{'1' * 16}  0 points, no move is legal\n"


@pytest.mark.parametrize("columns", WIDTHS)
def test_boards_fit_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = shown(columns, monkeypatch, "perft", "threes", BOARD)
    assert screen.too_wide == []
    assert screen.text.count("48") == 4
    assert ("left" in next(line for line in screen.lines if "up" in line)) == (columns >= 109)


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ((), "Missing argument 'BOARD'"),
        ((BOARD, "3"), "not 2 cards"),
        (("5" * 17,), "not 17 digits"),
    ],
)
def test_mistake_is_named(args: tuple[str, ...], complaint: str) -> None:
    result = ran(*args)
    assert result.exit_code == 2
    assert complaint in result.stderr


FIGURES = {"moves_2_ply_per_s": 66123.4, "net_load_ms": 412.345, "cpu": "a processor"}


@pytest.fixture(autouse=True)
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("master.cli.threes.bench_threes.bench_threes", lambda: FIGURES)


def test_json_is_the_figures() -> None:
    assert json.loads(CliRunner().invoke(manyply, ["bench", "threes", "--json"]).stdout) == FIGURES


def test_table_rounds_them() -> None:
    result = CliRunner().invoke(manyply, ["bench", "threes"])
    title, *lines = result.stdout.splitlines()
    assert title == "Threes!, one core"
    assert [" ".join(line.split()) for line in lines] == [
        "moves at 2-ply, a second 66,123",
        "loading the net, milliseconds 412.3",
        "processor a processor",
    ]
    assert result.stderr.startswith("measuring for about")


@pytest.mark.slow
def test_every_documented_figure_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_figures, "RUN_S_MIN", 0.01)
    monkeypatch.setattr(bench_figures, "RUNS", 1)
    monkeypatch.setattr(module, "GAMES", {1: 2, 2: 1})
    figures = bench_threes()
    assert list(figures) == ["moves_1_ply_per_s", "moves_2_ply_per_s", "net_load_ms", "cpu"]
    assert set(figures) < set(module.WORDS)
    *measured, cpu = figures.values()
    assert all(isinstance(figure, float) and figure > 0 for figure in measured)
    assert cpu


def test_three_look_aheads_are_measured() -> None:
    assert list(module.GAMES) == [1, 2, 3]
    assert all(f"moves_{plies}_ply_per_s" in module.WORDS for plies in module.GAMES)


WORDS = [*((verb, "threes") for verb in COMMANDS.verbs), *((name,) for name in COMMANDS.own)]


def test_commands_are_those_of_the_manual() -> None:
    assert list(COMMANDS.own) == []
    assert set(COMMANDS.verbs) == {"play", "rollout", "move", "perft", "bench"}


@pytest.mark.parametrize("words", WORDS)
def test_each_command_is_found_by_its_words_and_helps(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(manyply, [*words, "--help"])
    assert result.exit_code == 0
    assert result.output.startswith(f"Usage: manyply {' '.join(words)} ")
