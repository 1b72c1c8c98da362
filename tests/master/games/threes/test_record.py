"""Games of Threes! as they are kept: master.games.threes.record."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.threes.context import SEED_MAX
from engine_ext.threes.game import ThreesGame
from master.games.threes.record import (
    DIRECTION_OF,
    LETTER_OF,
    LINE_MOVES,
    ThreesRecord,
    read_record,
    write_record,
)


@st.composite
def records(draw: st.DrawFn) -> ThreesRecord:
    """Return a game of any seed and moves; a move that is illegal there is left out."""
    record = ThreesRecord(draw(st.integers(0, SEED_MAX)))
    for letter in draw(st.text("udlr", max_size=150)):
        if DIRECTION_OF[letter] in record.board.moves():
            record = record.played(letter)
    return record


def taken_back(record: ThreesRecord, count: int) -> ThreesRecord:
    for _ in range(count):
        before = record.undo()
        assert before is not None
        record = before
    return record


@given(records(), st.data())
def test_moves_undone_and_redone_make_the_same_game(
    record: ThreesRecord, data: st.DataObject
) -> None:
    count = data.draw(st.integers(0, len(record.moves)))
    again = taken_back(record, count)
    assert again.done_again() == record
    for _ in range(count):
        after = again.redo()
        assert after is not None
        again = after
    assert again == record
    assert again.game.cells == record.game.cells
    assert again.game.next_ranks == record.game.next_ranks
    assert again.redo() is None


@given(records())
def test_a_move_is_played_as_a_replay_plays_it(record: ThreesRecord) -> None:
    replayed = ThreesGame(record.seed)
    assert all(replayed.play(DIRECTION_OF[letter]) for letter in record.moves)
    assert (replayed.cells, replayed.bag) == (record.game.cells, record.game.bag)
    assert record.game.moves == len(record.moves)


@given(records())
def test_playing_on_leaves_the_game_before_as_it_was(record: ThreesRecord) -> None:
    before = record.game.cells
    for name in record.board.moves():
        assert record.played(LETTER_OF[name]).game.cells != before
    assert record.game.cells == before


@given(records())
def test_a_game_that_was_written_is_read_again(record: ThreesRecord) -> None:
    text = write_record(record)
    assert read_record(text) == record
    assert read_record(text.replace("\n", "\r\n")) == record
    head, *lines = text.splitlines()
    assert head == f"threes 1 seed={record.seed}"
    assert all(len(line) == LINE_MOVES for line in lines[:-1])


def test_a_move_drops_what_was_taken_back() -> None:
    record = ThreesRecord(3).played("u").played("l")
    before = taken_back(record, 2)
    assert before.undone == "ul"
    assert before.played("d").redo() is None


def test_nothing_is_taken_back_from_a_start() -> None:
    assert ThreesRecord(3).undo() is None


def illegal_start() -> tuple[int, str]:
    """Return a seed, and a move that is illegal in its game, with legal ones before."""
    record = ThreesRecord(5)
    while len(moves := record.board.moves()) == 4:
        record = record.played(LETTER_OF[moves[0]])
    (letter, *_) = (each for name, each in LETTER_OF.items() if name not in moves)
    return len(record.moves) + 1, write_record(record) + letter


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a first line such as threes 1 seed=7"),
        ("threes 2 seed=3\n", "expected a first line"),
        ("threes 1 seed=-3\n", "expected a first line"),
        ("threes 1 seed=03\n", "expected a first line"),
        (f"threes 1 seed={SEED_MAX + 1}\n", "expected a first line"),
        ("threes 1 seed=3\nux", "move 2 is 'x', expected u, d, l or r"),
        ("threes 1 seed=3\nu\x1b", r"move 2 is '\\x1b', expected"),
    ],
)
def test_what_is_no_game_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as refused:
        read_record(text)
    assert "\n" not in str(refused.value)


def test_an_illegal_move_is_named_by_its_number() -> None:
    number, text = illegal_start()
    with pytest.raises(ValueError, match=f"^move {number}, [a-z]+, moves nothing$"):
        read_record(text)


def test_an_illegal_move_is_not_played() -> None:
    _, text = illegal_start()
    record = read_record(text[:-1])
    with pytest.raises(ValueError, match="moves nothing"):
        record.played(text[-1])
