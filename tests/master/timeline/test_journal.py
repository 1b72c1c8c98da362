"""The journal: who reads it later sees what was told, and it is bounded."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.timeline import journal as module
from master.timeline.journal import Journal
from master.timeline.spans import Ending, Kind
from master.timeline.timeline import Part, Timeline
from tests.master.timeline.streams import Walk, all_rows, check_laws, same


@pytest.mark.slow
@given(st.integers(0, 1 << 32), st.integers(0, 100), st.integers(0, 100))
def test_what_is_read_later_is_what_was_told(seed: int, first: int, rest: int) -> None:
    straight, late = Timeline(), Timeline()
    journal = Journal(late)
    walks = [Walk(random.Random(seed), reported) for reported in (straight, journal)]
    for steps in (first, rest):
        for walk in walks:
            for _ in range(steps):
                walk.step()
        assert journal.read()
        late.advance(walks[0].now)
        straight.advance(walks[0].now)
        assert same(late.news(), straight.news())


def test_it_is_read_a_block_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "BLOCK_TURNS", 4)
    timeline = Timeline()
    journal = Journal(timeline)
    journal.come(1, "attic", 1)
    for number in range(5):
        journal.advance(float(number))
        journal.hand_out(1, Part(Kind.TRIALS, 1, number, 1))
        journal.end(number, 1, Ending.DONE)
    reads: list[bool] = []
    while not reads or not reads[-1]:
        reads.append(journal.read())
    assert reads == [False, False, True]
    assert [row.part for row in all_rows(timeline)] == [0, 1, 2, 3, 4]


@given(st.integers(0, 1 << 32), st.integers(0, 150))
def test_of_what_is_dropped_who_is_there_is_told(seed: int, steps: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK_TURNS", 10)
        straight, late = Timeline(), Timeline()
        journal = Journal(late, blocks_max=3)
        for reported in (straight, journal):
            walk = Walk(random.Random(seed), reported)
            for _ in range(steps):
                walk.step()
        assert len(journal._blocks) <= 3
        while not journal.read():
            continue
        late.advance(walk.now)
        straight.advance(walk.now)
        check_laws(late)
        lanes = [[lane.stays for lane in each.news().lanes] for each in (late, straight)]
        assert lanes[0] == lanes[1]
        known = {(row.part, row.attempt) for row in all_rows(straight)}
        assert {(row.part, row.attempt) for row in all_rows(late)} <= known
