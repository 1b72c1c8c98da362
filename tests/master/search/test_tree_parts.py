import pytest

from master.search.rules import Child
from master.search.searchers import TRANSITIONS, PartState, TreePart
from master.search.tree import SearchTree
from tests.master.search.hand_driven import WrittenGame


def part_of(state: PartState = PartState.QUEUED) -> TreePart:
    return TreePart(1, SearchTree(WrittenGame(), Child(b"", 2), 10), 0, state=state)


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
