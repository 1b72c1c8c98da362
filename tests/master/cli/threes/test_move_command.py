"""What `manyply move threes` asks of the engine, and how it answers."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine_ext.threes.board import ThreesBoard
from engine_ext.threes.depth import rarity_of
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.net_file import shipped_net
from master.cli.app import manyply
from master.cli.place import Place
from master.cli.threes import move_command
from master.cli.threes.decider import Decider
from master.cli.threes.move_command import PartCount
from tests.master.cli.terminals import shown
from tests.master.cli.threes.fake_decider import DEEPER, FakeDecider, value_of

BOARD = "1230456000000007"
CARDS = "1 2 3 0 6 12 24 0 0 0 0 0 0 0 0 48"


@pytest.fixture(autouse=True)
def fake_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move_command, "Decider", FakeDecider)


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["move", "threes", *args])


@pytest.mark.parametrize(
    ("args", "next_ranks", "bag", "plies"),
    [
        (("--next", "3", "--bag", "210"), (3,), (2, 1, 0), 3),
        (("--next", "1"), (1,), (3, 4, 4), 3),
        (("--next", "6", "--bag", "000", "--plies", "1"), (4,), (4, 4, 4), 1),
        (("--next", "2", "--bag", "1,1,1", "--plies", "0"), (2,), (1, 1, 1), 1),
        (("--next", "1", "--depth", "2"), (1,), (3, 4, 4), 2),
    ],
)
def test_engine_is_asked_what_the_options_say_and_json_says_it_again(
    args: tuple[str, ...], next_ranks: tuple[int, ...], bag: tuple[int, int, int], plies: int
) -> None:
    found = json.loads(ran(BOARD, *args, "--json").stdout)
    first = value_of(bag, next_ranks, plies)
    cards = {1: 1, 2: 2, 3: 3, 4: 6}
    assert found == {
        "board": BOARD, "next": [cards[rank] for rank in next_ranks], "bag": list(bag),
        "plies": plies,
        "moves": [
            {"move": name, "value": first - 2 * place}
            for place, name in enumerate(("right", "left", "down", "up"))
        ],
    }  # fmt: skip


def test_answers_are_those_of_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(move_command, "Decider", Decider)
    found = json.loads(ran(BOARD, "--next", "3", "--bag", "444", "--plies", "2", "--json").stdout)
    cells = ThreesBoard.from_text(BOARD).cells
    answers = Adviser(shipped_net()).values(cells, (4, 4, 4), (3,), 2)
    assert {each["move"]: each["value"] for each in found["moves"]} == answers
    values = [each["value"] for each in found["moves"]]
    assert values == sorted(values, reverse=True)
    assert len({*values}) > 1


def test_look_and_place_are_those_of_the_options() -> None:
    crowded = "1234567898765430"
    args = ("--plies", "2-5", "--rare", "300", "--local", "3", "--bag", "444", "--next", "1")
    found = json.loads(ran(crowded, *args, "--json").stdout)
    assert found["plies"] == FakeDecider.decisions[-1].plies == 4
    assert FakeDecider.decisions[-1].rarity == rarity_of(300)
    assert FakeDecider.places[-1] == Place(local=3)


def test_parts_are_counted_where_it_takes_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    shown, clock = list[str](), iter([0.0, 0.9, 1.0, 2.0])
    monkeypatch.setattr(move_command, "show_count", shown.append)
    monkeypatch.setattr("master.cli.threes.move_command.time.monotonic", lambda: next(clock))
    count = PartCount()
    count.show(1, 9)
    count.clear()
    assert shown == []
    count.show(2, 9)
    count.show(3, 9)
    count.clear()
    assert shown == ["2 of 9 parts", "3 of 9 parts", ""]


def test_time_is_passed_on_and_its_look_ahead_is_reported() -> None:
    found = json.loads(ran(BOARD, "--next", "3", "--seconds", "1.5", "--json").stdout)
    assert found["plies"] == 3 + DEEPER
    assert FakeDecider.seconds[-1] == 1.5


def test_bonus_is_asked_about_with_all_its_candidates() -> None:
    board = BOARD[:-1] + "9"
    found = json.loads(ran(board, "--next", "24, 6,12", "--json").stdout)
    assert found["next"] == [6, 12, 24]
    assert found["moves"][0]["value"] == value_of((4, 4, 4), (4, 5, 6), 3)


@pytest.mark.parametrize("board", [[BOARD], CARDS.split(), [CARDS], [f"threes:{BOARD}"]])
def test_board_is_read_as_it_comes(board: list[str]) -> None:
    assert json.loads(ran(*board, "--next", "3", "--json").stdout)["board"] == BOARD


def test_people_see_what_was_assumed_and_a_table() -> None:
    lines = ran(BOARD, "--next", "3").stdout.splitlines()
    assert lines == [
        f"threes:{BOARD}  363 points",
        "Next 3; in the bag 4 x 1, 4 x 2, 3 x 3 (the likeliest)",
        "    Move   Final score, 3-ply  Diff",
        "1.  right            33,443.2",
        "2.  left             33,441.2  -2.0",
        "3.  down             33,439.2  -4.0",
        "4.  up               33,437.2  -6.0",
    ]
    assert "1 x 1, 2 x 2, 3 x 3\n" in ran(BOARD, "--next", "6", "--bag", "123").stdout


@pytest.mark.parametrize("columns", [60, 140])
def test_terminal_shows_the_board_in_colours(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = shown(columns, monkeypatch, "move", "threes", BOARD, "--next", "3")
    assert "|  1  |  2  |  3  |     |" in screen.lines
    assert "\x1b[34m\x1b[1m  1  " in screen.text
    assert screen.too_wide == []
    assert (
        "+-----"
        not in shown(
            columns, monkeypatch, "move", "threes", BOARD, "--next", "3", "--no-board"
        ).text
    )


def test_board_that_is_over_has_no_moves() -> None:
    found = ran("1" * 15 + "7", "--next", "3", "--bag", "444")
    assert found.stdout == f"threes:{'1' * 15}7  243 points, no move is legal\n"
    asked = ran("1" * 15 + "7", "--next", "3", "--bag", "444", "--json")
    assert json.loads(asked.stdout)["moves"] == []


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ((BOARD,), "Missing option '--next'"),
        (("--next", "3"), "Missing argument 'BOARD'"),
        ((BOARD, "--next", "5"), "no card has the number 5"),
        ((BOARD, "--next", "12"), "12 cannot come next: a bonus is at most an eighth"),
        ((BOARD, "--next", "3", "--bag", "21"), "'21' is no bag"),
        ((BOARD, "--next", "3", "--bag", "215"), "5 cards 3 in a bag: it has 4 of a kind at most"),
        ((BOARD, "--next", "3", "--bag", "114"), "the next card, 3, came out of the bag"),
        ((f"11111{BOARD[5:]}", "--next", "3"), "no bag can have brought these cards and the next"),
        ((BOARD, "--next", "3", "--plies", "9"), "expected 1 to 8 moves, or from N to M"),
        ((BOARD, "--next", "3", "--rare", "1"), "1 is not in the range"),
        ((BOARD, "--next", "3", "--seconds", "0"), "expected 0.1 to 3600 seconds, not '0'"),
        ((BOARD[1:], "--next", "3"), "not 15 digits"),
    ],
)
def test_mistake_is_named_in_one_line(args: tuple[str, ...], complaint: str) -> None:
    result = ran(*args)
    assert result.exit_code == 2
    *_, last = result.stderr.splitlines()
    assert last.startswith("Error: ")
    assert complaint in last


def test_plies_of_other_games_in_the_configuration_do_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    (tmp_path / "manyply").mkdir(exist_ok=True)
    (tmp_path / "manyply" / "config.toml").write_text(
        "[move]\nplies = 0\n[move.threes]\nboard = false\n"
    )
    found = json.loads(ran(BOARD, "--next", "3", "--json").stdout)
    assert found["plies"] == 1
