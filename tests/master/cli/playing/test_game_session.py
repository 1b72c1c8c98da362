"""The turns of any game, with moves taken back and repeated, tried with Nim."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.cli.playing.game_file import GameFile
from master.cli.playing.game_session import thought
from master.cli.playing.turn_session import TurnSession
from master.games.spans import Line
from tests.master.cli.playing.scripted import Script
from tests.master.cli.toy_game.nim_session import NimRecord, NimSession

Captured = pytest.CaptureFixture[str]


def test_a_board_that_is_drawn_is_due_again_after_a_change(capsys: Captured) -> None:
    session = NimSession(NimRecord((2, 1)), Script())
    session.draw()
    assert capsys.readouterr().out == "\n||\n|\n"
    assert not session.is_board_due
    session.waits_for = "X"
    session.change()
    assert (session.is_board_due, session.waits_for) == (True, "")


def test_a_game_that_comes_to_the_table_says_how_it_stands(capsys: Captured) -> None:
    session = NimSession(NimRecord((2, 1)), Script())
    session.draw()
    session.go_over_to(NimRecord((1,), (0,)))
    assert capsys.readouterr().out.endswith("over: you win\n")
    assert session.is_board_due


def test_a_game_that_cannot_be_saved_is_said_to_be_and_goes_on(capsys: Captured) -> None:
    script = Script[NimRecord]()
    session = NimSession(NimRecord((2, 1)), script)
    assert session.keep() == Path("own.file")
    assert script.saved == [(session.whole, None)]
    script.is_disk_full = True
    assert session.keep() is None
    expected = "not saved: cannot write own.file: No space left on device\n"
    assert capsys.readouterr().out == expected


def test_ctrl_c_ends_a_thought_alone(capsys: Captured) -> None:
    def interrupted() -> int:
        raise KeyboardInterrupt

    assert thought(lambda: 7) == 7
    assert not capsys.readouterr().out
    assert thought(interrupted) is None
    assert thought(interrupted, "Never mind.") is None
    assert capsys.readouterr().out == "\nStopped.\n\nNever mind.\n"


def test_a_remark_is_printed_below_what_it_is_about(capsys: Captured) -> None:
    NimSession(NimRecord((2, 1)), Script()).remark("no such heap")
    assert capsys.readouterr().out == "no such heap\n"


END = 9


@dataclass(frozen=True)
class Count:
    """A game of nine moves, "a" and "b" in turn; a move is its number."""

    moves: tuple[int, ...] = ()
    undone: tuple[int, ...] = ()

    @property
    def side(self) -> str | None:
        return None if self.move_count == END else self.side_of(self.move_count)

    @property
    def move_count(self) -> int:
        return len(self.moves)

    def side_of(self, number: int) -> str:
        return "ab"[number % 2]

    def resigned(self, side: str) -> Count:
        raise AssertionError("nobody resigns here")

    def unsettled(self) -> Count:
        return self  # nobody resigns

    def undo(self) -> Count | None:
        if not self.moves:
            return None
        return Count(self.moves[:-1], (*self.undone, self.moves[-1]))

    def redo(self) -> Count | None:
        return Count((*self.moves, self.undone[-1]), self.undone[:-1]) if self.undone else None

    def done_again(self) -> Count:
        return Count((*self.moves, *reversed(self.undone)))

    def begun_again(self) -> Count:
        return Count()


@dataclass(frozen=True)
class CountRecord:
    """A record of it."""

    game: Count
    name: str = ""


class CountSession(TurnSession[CountRecord, Count]):
    """A session for it."""

    def named(self, record: CountRecord) -> CountRecord:
        return replace(record, name=record.name or "somebody")

    def show_how_it_stands(self) -> None:
        """Say nothing."""

    def go_on(self) -> None:
        raise AssertionError("nobody goes on here")

    def board_lines(self) -> list[Line]:
        return []

    def moves(self) -> tuple[str, ...]:
        return ()


def session(made: int, humans: str) -> CountSession:
    kept = cast("GameFile[CountRecord]", None)  # nothing is saved here
    return CountSession(CountRecord(Count(tuple(range(made)))), frozenset(humans), kept)


games = st.integers(0, END)
sides = st.sampled_from(["", "a", "b", "ab"])


@given(games, sides)
def test_undo_ends_before_a_move_of_the_persons(made: int, humans: str) -> None:
    at = session(made, humans)
    is_done = at.undo()
    assert is_done == any("ab"[number % 2] in humans for number in range(made))
    if is_done:
        assert (at.game.side or "over") in humans
        assert at.is_players_turn
    else:
        assert at.game.move_count == made


@given(games, sides, st.integers(1, 5))
def test_redo_brings_back_what_undo_took(made: int, humans: str, times: int) -> None:
    at = session(made, humans)
    before = at.game
    taken = sum(at.undo() for _ in range(times))
    assert at.whole.game == before
    assert at.is_over == (made == END)
    assert at.is_begun == (made > 0)
    while at.redo():
        taken -= 1
        assert at.is_players_turn or at.game == before
    assert at.game == before
    assert taken >= 0


@pytest.mark.parametrize("made", [0, 4, END])
def test_another_game_has_the_same_players_and_those_without_a_name_get_one(made: int) -> None:
    at = session(made, "a")
    at.go_over_to(at.record)
    assert at.record.name == "somebody"
    again = at.begun_again()
    assert (again.game.move_count, again.name) == (0, "somebody")
