"""Games of Othello, their records, and what the engine is asked at a level."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.ffo import suite_position
from engine_ext.othello.ggf import read_game
from engine_ext.othello.transcript import boards_of, from_transcript
from master.games.othello.game import OthelloGame, Turn, game_from, result_of
from master.games.othello.level import DEPTH_DEFAULT, EXACT_DEFAULT, Level, exact_for
from master.games.othello.record import (
    Form,
    OthelloRecord,
    is_transcribable,
    opening_name,
    position_of,
    read_position,
    read_record,
    write_ggf,
    write_transcript,
)
from tests.engine_ext.othello import reference_othello as reference
from tests.engine_ext.othello.positions import boards
from tests.master.games.othello.games import games, random_game, random_turn, starts, steps

SHORTEST = "e6f4e3f6g5d6e7f5c5"


def squares_of(text: str) -> list[Turn]:
    return [Turn(text[i : i + 2]) for i in range(0, len(text), 2)]


class Reference:
    """The rules written plainly: a grid, a side, the moves so far and those taken back."""

    def __init__(self, start: OthelloBoard) -> None:
        self.start = reference.grid(start.to_text().split()[0])
        self.first = start.to_move
        self.moves: list[str] = []
        self.undone: list[str] = []

    def now(self) -> tuple[str, str | None]:
        """Return the squares, and whose turn it is."""
        grid, side = self.start, self._turn(self.start, self.first)
        for move in self.moves:
            assert side is not None
            legal = reference.legal(grid, side)
            square = next(square for square in legal if reference.name(square) == move)
            grid = reference.after(grid, side, square, legal[square])
            side = self._turn(grid, reference.other(side))
        return reference.text(grid), side

    @staticmethod
    def _turn(grid: reference.Grid, side: str) -> str | None:
        for one in (side, reference.other(side)):
            if reference.legal(grid, one):
                return one
        return None

    def play(self, move: str) -> None:
        self.moves.append(move)
        self.undone = self.undone[:-1] if self.undone[-1:] == [move] else []

    def undo(self) -> bool:
        if self.moves:
            self.undone.append(self.moves.pop())
            return True
        return False

    def redo(self) -> bool:
        if self.undone:
            self.moves.append(self.undone.pop())
            return True
        return False


@given(starts, st.lists(steps, max_size=60), st.randoms(use_true_random=False))
def test_any_moves_undos_and_redos_lead_where_the_plain_rules_lead(
    start: OthelloBoard, todo: list[str], choose: random.Random
) -> None:
    game, plain = game_from(start), Reference(start)
    for step in todo:
        if step == "play":
            if game.side is None:
                continue
            turn = random_turn(game, choose)
            game = game.play(turn)
            plain.play(turn.square)
        else:
            after = game.undo() if step == "undo" else game.redo()
            assert (after is not None) == (plain.undo() if step == "undo" else plain.redo())
            game = after or game
        assert [turn.square for turn in game.undone] == plain.undone
        assert list(game.boards) == boards_of(plain.moves, start)
    assert (game.board.to_text().split()[0], game.side) == plain.now()


@given(games, st.integers(0, 60))
def test_what_is_taken_back_is_done_again_with_all_that_is_known(
    game: OthelloGame, count: int
) -> None:
    back = game
    for _ in range(min(count, len(game.turns))):
        before = back.undo()
        assert before is not None
        back = before
    assert game_from(game.start, back.turns).board == back.board
    assert back.done_again() == game
    while (after := back.redo()) is not None:
        back = after
    assert back == game


def test_the_same_move_keeps_what_else_was_taken_back_and_another_drops_it() -> None:
    game = game_from(OthelloBoard.start(), squares_of("f5d6c3"))
    back = game.undo()
    back = back and back.undo()
    assert back is not None
    same, other = back.play(Turn("D6", "+1.00")), back.play(Turn("f4"))
    assert (same.turns[-1], same.undone) == (Turn("d6", "+1.00"), (Turn("c3"),))
    assert (other.undone, other.redo()) == ((), None)


@given(games)
def test_sides_of_turns_are_those_that_moved(game: OthelloGame) -> None:
    for number, turn in enumerate(game.turns):
        assert turn.square in game.boards[number].moves()
        assert game.side_of(number) == game.boards[number].to_move


@given(games)
def test_a_pass_is_reported_just_where_one_side_cannot_move(game: OthelloGame) -> None:
    if game.side is None:
        assert game.has_passed is None
        return
    due = reference.other(game.side_of(len(game.turns) - 1)) if game.turns else game.start.to_move
    grid = reference.grid(game.board.to_text().split()[0])
    assert game.has_passed == (None if reference.legal(grid, due) else due)
    assert reference.legal(grid, game.side)


@given(st.integers(0, 10**6))
def test_results_count_as_the_plain_rules_do(seed: int) -> None:
    board = random_game(seed, 60).board
    found = result_of(board)
    signs = board.to_text().split()[0]
    assert found.discs == (signs.count("X"), signs.count("O"))
    assert found.empties == signs.count("-")
    assert found.margin == reference.final_score(reference.grid(signs), "X")
    assert found.winner == (None if found.margin == 0 else "X" if found.margin > 0 else "O")


def test_empty_squares_count_for_the_winner() -> None:
    game = game_from(OthelloBoard.start(), squares_of(SHORTEST))
    found = result_of(game.board)
    assert (found.discs, found.empties, found.margin, found.winner) == ((13, 0), 51, 64, "X")


def test_begun_again_has_nothing_to_take_back_or_do_again() -> None:
    game = random_game(1, 20).undo()
    assert game is not None
    again = game.begun_again()
    assert (again.board, again.undo(), again.redo()) == (OthelloBoard.start(), None, None)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("f5f5", r"move 2 \(f5\): f5 is not empty"), ("a1", r"move 1 \(a1\): a1 turns no disc")],
)
def test_a_turn_that_is_not_legal_is_named(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        game_from(OthelloBoard.start(), squares_of(text))


names = st.text("abz -Ö", max_size=10)
tags = st.sampled_from([(), (("PC", "GGS"), ("DT", "2003"))])


@given(games, names, names, tags)
def test_a_game_in_ggf_is_read_back(
    game: OthelloGame, black: str, white: str, more: tuple[tuple[str, str], ...]
) -> None:
    record = OthelloRecord(game, black, white, more)
    assert read_record(write_ggf(record)) == (record, Form.GGF)


@given(games, st.sampled_from("XO"))
def test_resignation_ends_a_game_and_is_read_back_from_ggf(game: OthelloGame, side: str) -> None:
    if game.side is None:
        return
    over = game.resigned(side)
    assert (over.side, over.board, over.turns) == (None, game.board, game.turns)
    assert over.unsettled() == game
    assert over.undo() == game.undo()
    squares = game.board.size**2
    written = write_ggf(OthelloRecord(over))
    assert f"RE[{'-' if side == 'X' else '+'}{squares}.000:r]" in written
    assert read_record(written) == (OthelloRecord(over), Form.GGF)


@pytest.mark.parametrize(
    ("result", "loser"),
    [("-64.000:r", "X"), ("+2:r", "O"), ("+0.000:r", None), ("+64.000:t", None), ("+4:s", None),
     ("+64.000", None), ("?", None)],
)  # fmt: skip
def test_only_a_result_with_the_flag_of_resignations_ends_a_recorded_game(
    result: str, loser: str | None
) -> None:
    text = write_ggf(OthelloRecord(random_game(1, 10))).replace("BO[", f"RE[{result}]BO[")
    game = read_record(text)[0].game
    assert game.resigned_by == loser
    assert (game.side is None) == (loser is not None)


def test_board_that_is_over_has_its_own_result_in_spite_of_the_flag() -> None:
    record = OthelloRecord(random_game(1, 60))
    text = write_ggf(record)
    assert read_record(text.replace("]BO[", ":r]BO["))[0] == record


@given(games)
def test_a_transcript_is_read_back_or_refused(game: OthelloGame) -> None:
    record = OthelloRecord(game)
    if not is_transcribable(game):
        with pytest.raises(ValueError, match=r"expected the ending \.ggf"):
            write_transcript(record)
    elif game.turns:
        text = write_transcript(record)
        assert tuple(from_transcript(text)) == game.squares
        found, form = read_record(text)
        assert (found.game.boards, form) == (game.boards, Form.TRANSCRIPT)


@given(games)
def test_a_board_is_the_start_of_a_game(game: OthelloGame) -> None:
    found = read_record(game.board.to_text())
    assert found == (OthelloRecord(game_from(game.board)), Form.BOARD)


def test_a_finished_game_has_its_result_and_every_pass() -> None:
    for seed in range(20):
        game = random_game(seed, 60)
        written = read_game(write_ggf(OthelloRecord(game)))
        assert float(written.result) == result_of(game.board).margin
        sides = [move.side for move in written.moves]
        assert all(one != other for one, other in pairwise(sides))
    assert read_game(write_ggf(OthelloRecord(random_game(1, 10)))).result == ""


def test_a_name_cannot_end_the_tag_it_stands_in() -> None:
    record = OthelloRecord(random_game(1, 5), "a];)", "b\n\x1b")
    found, _ = read_record(write_ggf(record))
    assert found == replace(record, black="a?;)", white="b??")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "expected a game in GGF, a transcript such as f5d6c3, or a board"),
        ("frobnicate", r"move 1 \(frobnicate\): a transcript is squares such as f5d6c3"),
        ("f5d6a1", r"move 3 \(a1\)"),
        ("---", "a board is 64 characters"),
        ("(;GM[Othello];)", "expected the board"),
        ("(;GM[Chess];)", r"GM\[Othello\]"),
        (2 * write_ggf(OthelloRecord(game_from(OthelloBoard.start()))), "expected one game"),
    ],
)
def test_what_is_no_game_is_named(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        read_record(text)


@given(st.one_of(st.text(max_size=100), st.text("(;GM[Othello]BO8*-XOabf5)", max_size=100)))
def test_any_text_is_a_game_or_an_error(text: str) -> None:
    try:
        record, _ = read_record(text)
    except ValueError:
        return
    assert game_from(record.game.start, record.game.turns) == record.game


@settings(max_examples=5)
@given(st.integers(0, 10**6), st.sampled_from([str.upper, str.lower]), st.sampled_from(["", " "]))
def test_a_transcript_is_read_as_the_same_board_at_every_prefix(
    seed: int, case: Callable[[str], str], between: str
) -> None:
    game = random_game(seed, 60)
    for count in range(1, len(game.turns) + 1):
        found = read_position(case(between.join(game.squares[:count])))
        assert position_of(found) == game.boards[count]


@given(games)
def test_a_game_in_ggf_means_its_last_board(game: OthelloGame) -> None:
    found = read_position(write_ggf(OthelloRecord(game)))
    assert position_of(found) == (game.board if game.turns else game.start)


@given(games)
def test_a_board_is_the_position_that_it_is(game: OthelloGame) -> None:
    assert position_of(read_position(game.start.to_text())) == game.start


def test_a_name_of_the_suite_is_its_board() -> None:
    assert position_of(read_position(" ffo40\n")) == suite_position("FFO40").board
    assert read_record("FFO40")[1] is Form.SUITE


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("ffo61", "there is no FFO61: expected FFO01 to FFO59"),
        ("", "a board is 64 characters"),
        ("f5 d6 a1", r"move 3 \(a1\): a1 turns no disc of O; X may play c3"),
        ("frobnicate", "'frobnicate' is no position: expected a board, 64 characters"),
    ],
)
def test_what_is_no_position_is_named(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        read_position(text)


def test_an_opening_has_its_name_where_a_game_begins_as_usual() -> None:
    tiger = read_position("f5d6c3d3c4")
    assert opening_name(tiger.game) == "Tiger"
    assert opening_name(game_from(position_of(tiger))) is None
    assert opening_name(read_position("f5").game) is None


def test_a_byte_order_mark_is_no_square() -> None:
    assert read_record("\ufefff5d6")[0].game.squares == ("f5", "d6")
    assert read_position("\ufefff5d6").game.squares == ("f5", "d6")


levels = st.builds(
    Level, st.integers(1, 60), st.integers(0, 60), st.one_of(st.none(), st.just(1.0))
)


@given(levels, boards())
def test_boards_with_few_empty_squares_are_solved_and_others_searched_to_the_depth(
    level: Level, board: OthelloBoard
) -> None:
    question = level.question(board)
    assert question.is_solved == (board.empties <= max(level.exact_empties, level.depth))
    if board.empties > level.exact_empties:
        assert question.depth == level.depth


@given(levels, boards())
def test_a_move_is_chosen_by_the_question_of_its_hint_unless_against_the_clock(
    level: Level, board: OthelloBoard
) -> None:
    stages = level.stages(board)
    assert stages
    if level.seconds is None:
        assert stages == (level.question(board),)
    elif board.empties <= level.exact_empties:
        assert stages[-1].is_solved
        assert len(stages) == 1 or not stages[0].is_solved
    else:
        assert not any(question.is_solved for question in stages)


def test_a_weak_engine_is_weak_to_the_end() -> None:
    assert [exact_for(depth) for depth in (1, 12, 60)] == [9, EXACT_DEFAULT, EXACT_DEFAULT]
    assert exact_for(DEPTH_DEFAULT) == Level().exact_empties


def test_a_level_has_a_name_that_says_how_it_plays() -> None:
    assert Level(8).name == "manyply depth 8"
    assert Level(seconds=0.5).name == "manyply 0.5 s"
