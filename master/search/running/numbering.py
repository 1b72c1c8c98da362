"""Numbers of parts on the wire, which show the search that a part belongs to.

Jobs' parts are counted up from 1 by the scheduler of jobs. Those of searches begin far above them,
each search with a range of its own, so the number of a reply shows its search.
"""

from protocol.messages import NUMBER_MAX

SEARCH_PART_FIRST = 1 << 52
"""Jobs' parts stay below: a million of them a second would take a hundred years."""

PARTS_MAX = 1 << 32
"""Parts of one search: a thousand a second for fifty days."""

SEARCHES_MAX = 1 << 20
"""Stretches; with them the largest number is 2**53 - 1, the protocol's.  Then they begin anew."""

JOB_PARTS = range(SEARCH_PART_FIRST)
SEARCH_PARTS = range(SEARCH_PART_FIRST, NUMBER_MAX + 1)


def to_wire(search: int, part: int) -> int:
    """Return the number on the wire of part `part` of search `search`."""
    assert 0 <= part < PARTS_MAX, f"part {part} of one search"
    return SEARCH_PART_FIRST + (search % SEARCHES_MAX) * PARTS_MAX + part


def from_wire(number: int) -> tuple[int, int]:
    """Return (search modulo SEARCHES_MAX, part) of a search's part."""
    return divmod(number - SEARCH_PART_FIRST, PARTS_MAX)
