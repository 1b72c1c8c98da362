from hypothesis import given
from hypothesis import strategies as st

from master.api.feed import GONE_MAX, Changes, Feed, State
from master.api.messages import StatePart
from master.contract.views import AnalyserLine

KEYS = st.sampled_from(["1", "2", "3"])
OF_KIND = st.dictionaries(KEYS, st.integers(0, 2), max_size=3)
STATES = st.lists(st.fixed_dictionaries({"jobs": OF_KIND, "analysers": OF_KIND}), max_size=8)


def part(key: str, value: int) -> AnalyserLine:
    return AnalyserLine(key, "local", "ready", parts=value, key=key)


def resources(state: dict[str, dict[str, int]]) -> State:
    return {
        kind: {key: part(key, value) for key, value in of_kind.items()}
        for kind, of_kind in state.items()
    }


def key_of(part: StatePart) -> str:
    assert isinstance(part, AnalyserLine)
    return part.key


def applied(seen: State, changes: Changes | None) -> State:
    """Do what a browser does."""
    if changes is None:
        return seen
    old = {} if changes.is_whole else seen
    new = {kind: dict(old.get(kind, {})) for kind in ("jobs", "analysers")}
    for kind, keys in changes.gone.items():
        for key in keys:
            new[kind].pop(key, None)
    for kind, changed in changes.changed.items():
        new[kind] |= {key_of(each): each for each in changed}
    return new


@given(STATES, st.lists(st.booleans(), min_size=8, max_size=8))
def test_reader_ends_with_the_newest_state_whenever_it_asks(
    states: list[dict[str, dict[str, int]]], probes: list[bool]
) -> None:
    feed, seen, held = Feed("ab"), None, State()
    for state, does_probe in zip(states, probes, strict=False):
        feed.record(resources(state))
        assert not feed.record(resources(state))
        assert feed.since(feed.id) is None
        if does_probe and (changes := feed.since(seen)) is not None:
            held, seen = applied(held, changes), changes.id
            assert held == resources(state)
    last = applied(held, feed.since(seen))
    expected = resources(states[-1]) if states else {"jobs": {}, "analysers": {}}
    assert last == expected


def test_only_what_changed_is_told() -> None:
    feed = Feed("ab")
    feed.record(resources({"jobs": {"1": 0, "2": 0}, "analysers": {"1": 0}}))
    seen = feed.id
    feed.record(resources({"jobs": {"2": 1}, "analysers": {"1": 0}}))
    changes = feed.since(seen)
    assert changes == Changes(feed.id, False, {"jobs": [part("2", 1)]}, {"jobs": ["1"]})


def test_what_came_back_is_not_gone() -> None:
    feed = Feed("ab")
    feed.record(resources({"jobs": {"1": 0}, "analysers": {}}))
    seen = feed.id
    feed.record(resources({"jobs": {}, "analysers": {}}))
    feed.record(resources({"jobs": {"1": 0}, "analysers": {}}))
    changes = feed.since(seen)
    assert changes == Changes(feed.id, False, {"jobs": [part("1", 0)]}, {})


def test_ids_of_others_and_of_the_future_get_everything() -> None:
    feed = Feed("ab")
    feed.record(resources({"jobs": {"1": 0}, "analysers": {}}))
    for seen in (None, "", "cd-1", "ab-9", "ab-", "ab-x", "ab-1\n", "9" * 99):
        changes = feed.since(seen)
        assert changes is not None
        assert changes.is_whole


def test_what_is_gone_is_remembered_within_bounds() -> None:
    feed = Feed("ab")
    many: dict[str, StatePart] = {str(key): part(str(key), 0) for key in range(GONE_MAX + 2)}
    feed.record({"jobs": dict(many)})
    before = feed.id
    del many["0"]
    feed.record({"jobs": dict(many)})
    after_one = feed.id
    feed.record({"jobs": {}})
    for seen in (before, after_one):
        changes = feed.since(seen)
        assert changes is not None
        assert changes.is_whole
    assert len(feed._gone) == GONE_MAX
