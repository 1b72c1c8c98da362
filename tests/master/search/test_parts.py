import pytest

from master.search.game import Child
from master.search.parts import TRANSITIONS, Analyser, Attempt, Part, PartState
from master.search.tree import SearchTree
from tests.master.search.hand_driven import WrittenGame


def part_of(state: PartState = PartState.QUEUED) -> Part:
    return Part(1, SearchTree(WrittenGame(), Child(b"", 2), 10), 0, state=state)


@pytest.mark.parametrize("before", PartState)
@pytest.mark.parametrize("after", PartState)
def test_transitions_are_those_of_the_table(before: PartState, after: PartState) -> None:
    part = part_of(before)
    if (before, after) in TRANSITIONS:
        part.enter(after)
        assert part.state is after
    else:
        with pytest.raises(AssertionError, match="part 1"):
            part.enter(after)


def test_done_is_the_end_and_a_stopped_part_never_runs_again() -> None:
    assert not [after for before, after in TRANSITIONS if before is PartState.DONE]
    assert (PartState.STOPPING, PartState.RUNNING) not in TRANSITIONS


def test_stopping_attempt_makes_room() -> None:
    analyser = Analyser(1)
    assert analyser.is_idle()
    analyser.attempts[1, 1] = Attempt(part_of(), 1, 0.0)
    assert not analyser.is_idle()
    assert (analyser.free_slots(1), analyser.free_slots(2)) == (0, 1)
    analyser.attempts[1, 1].is_current = False
    assert analyser.is_idle()
    assert analyser.free_slots(1) == 1
