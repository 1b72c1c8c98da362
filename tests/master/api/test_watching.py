import asyncio
import json
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.api.messages import JobRow, MasterState, StatePart
from master.api.routing import adapter
from master.api.watching import (
    ALIVE,
    FRAMES_MAX,
    GONE_MAX,
    LATER,
    LATER_MS,
    OPENING,
    POLLING_SHARE_MAX,
    READERS_MAX,
    RETRY_MS,
    Changes,
    Feed,
    JobRows,
    State,
    Watching,
    changes_frame,
    job_row,
    pause_s,
)
from master.contract.errors import MasterError
from master.contract.job_words import JobState
from master.contract.search_views import SearchView
from master.contract.views import AnalyserLine, Figures, JobView
from tests.master.api.fake_master import LINE, VIEW, FakeMaster

STEP_S = 0.01


def watching(master: FakeMaster, heartbeat_s: float = 60.0) -> Watching:
    return Watching(master, "attic", STEP_S, heartbeat_s)


def frame_sent(raw: bytes) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(raw.decode().split("data: ", 1)[1])["changed"]
    return data


@given(st.floats(0, 1e3), st.floats(0, 1e3))
def test_looks_take_a_small_share_of_the_time(took_s: float, interval_s: float) -> None:
    pause = pause_s(took_s, interval_s)
    assert pause >= interval_s
    assert took_s <= POLLING_SHARE_MAX * (took_s + pause)


async def test_state_comes_first_and_then_what_changes() -> None:
    master = FakeMaster(VIEW)
    frames = watching(master).frames(None)
    assert await anext(frames) == OPENING
    first = frame_sent(await anext(frames))
    assert set(first) == {"master", "analysers", "jobs"}
    master.change(1, state=JobState.DONE)
    assert [job["state"] for job in frame_sent(await anext(frames))["jobs"]] == ["done"]
    await frames.aclose()


async def test_readers_who_wait_for_the_same_get_the_same_bytes() -> None:
    master = FakeMaster(VIEW)
    watched = watching(master)
    readers = [watched.frames(None) for _ in range(3)]
    for reader in readers:
        await anext(reader)
    first = [await anext(reader) for reader in readers]
    assert all(each is first[0] for each in first)
    master.change(1, folded=20)
    then = [await anext(reader) for reader in readers]
    assert all(each is then[0] for each in then)
    assert [frame_sent(each)["jobs"][0]["folded"] for each in (first[0], then[0])] == [10, 20]
    for reader in readers:
        await reader.aclose()


async def test_what_is_kept_for_readers_is_bounded() -> None:
    watched = watching(FakeMaster(VIEW))
    for number in range(3 * FRAMES_MAX):
        frames = watched.frames(f"{number:x}-1")  # of another master
        await anext(frames)
        assert frame_sent(await anext(frames))
        assert len(watched._frames) <= FRAMES_MAX
        await frames.aclose()


async def test_master_is_not_polled_while_there_is_no_reader() -> None:
    master = FakeMaster(VIEW)
    watched = watching(master)
    assert master.probes == 0
    for _ in range(2):
        frames = watched.frames(None)
        await anext(frames)
        await anext(frames)
        await frames.aclose()
        assert watched._polling is None
    assert master.probes == 2
    assert watched.reader_count == 0


async def test_later_reader_gets_the_state_of_now() -> None:
    master = FakeMaster(VIEW)
    watched = watching(master)
    for folded in (10, 20):
        master.change(1, folded=folded)
        frames = watched.frames(None)
        await anext(frames)
        assert frame_sent(await anext(frames))["jobs"][0]["folded"] == folded
        await frames.aclose()


async def test_slow_reader_delays_no_other_and_gets_the_newest() -> None:
    master = FakeMaster(VIEW)
    watched = watching(master)
    slow, quick = watched.frames(None), watched.frames(None)
    for frames in (slow, quick):
        await anext(frames)
        await anext(frames)
    for folded in range(11, 16):
        master.change(1, folded=folded)
        assert frame_sent(await anext(quick))["jobs"][0]["folded"] == folded
    assert frame_sent(await anext(slow))["jobs"][0]["folded"] == 15
    await slow.aclose()
    await quick.aclose()


async def test_reader_gets_a_sign_that_nothing_changes() -> None:
    frames = watching(FakeMaster(VIEW), heartbeat_s=STEP_S).frames(None)
    await anext(frames)
    await anext(frames)
    assert await anext(frames) == ALIVE
    await frames.aclose()


async def test_trouble_is_shown_and_what_is_known_stays() -> None:
    master = FakeMaster(VIEW)
    frames = watching(master).frames(None)
    await anext(frames)
    await anext(frames)
    master.error = MasterError("the disk is full")
    changed = frame_sent(await anext(frames))
    assert set(changed) == {"master"}
    assert changed["master"][0]["trouble"] == "the disk is full"
    assert changed["master"][0]["figures"]
    master.error = None
    assert frame_sent(await anext(frames))["master"][0]["trouble"] is None
    await frames.aclose()


async def test_fault_of_ours_ends_the_stream() -> None:
    master = FakeMaster(VIEW)
    frames = watching(master).frames(None)
    await anext(frames)
    await anext(frames)
    master.error = ValueError("ours")  # type: ignore[assignment]
    with pytest.raises(ValueError, match="ours"):
        await anext(frames)


async def test_closing_ends_all_streams() -> None:
    watched = watching(FakeMaster(VIEW))
    all_frames = [watched.frames(None) for _ in range(3)]
    for frames in all_frames:
        await anext(frames)
        await anext(frames)
    waiting = [asyncio.ensure_future(anext(frames, b"")) for frames in all_frames]
    await asyncio.sleep(0)
    await watched.aclose()
    assert await asyncio.gather(*waiting) == [b""] * 3
    assert [frame async for frame in watched.frames(None)] == [OPENING]
    assert watched.reader_count == 0


async def test_one_reader_too_many_ends_the_oldest_of_the_host_with_the_most() -> None:
    watched = watching(FakeMaster(VIEW))
    honest = watched.frames(None, "192.0.2.1")
    many = [watched.frames(None, "192.0.2.2") for _ in range(2 * READERS_MAX)]
    for reader in (honest, *many):
        assert await anext(reader) == OPENING
    assert watched.reader_count == READERS_MAX
    assert [frame async for frame in many[0]] == [LATER]
    assert "jobs" in frame_sent(await anext(honest))
    assert "jobs" in frame_sent(await anext(many[-1]))
    for reader in (honest, *many):
        await reader.aclose()
    assert watched.reader_count == 0


def test_whole_and_parts_have_different_names() -> None:
    for is_whole, name in ((True, "state"), (False, "changes")):
        changes = Changes("ab-2", is_whole, {"analysers": [LINE]}, {"jobs": ["7"]})
        head, _, data = changes_frame(changes).decode().partition("data: ")
        assert head == f"event: {name}\nid: ab-2\n"
        said = json.loads(data)
        assert said["gone"] == {"jobs": ["7"]}
        assert [each["name"] for each in said["changed"]["analysers"]] == ["attic"]


def test_state_has_each_part_with_all_of_its_fields() -> None:
    state = MasterState("attic", "2.0", Figures(1, 2, {"ready": 1}, {"running": 1}, 3))
    parts: dict[str, list[StatePart]] = {
        "master": [state],
        "analysers": [LINE],
        "jobs": [job_row(VIEW)],
    }
    said = frame_sent(changes_frame(Changes("ab-1", True, parts, {})))
    assert adapter(MasterState).validate_json(json.dumps(said["master"][0])) == state
    assert adapter(AnalyserLine).validate_json(json.dumps(said["analysers"][0])) == LINE
    assert adapter(JobRow).validate_json(json.dumps(said["jobs"][0])) == job_row(VIEW)


def test_heartbeat_changes_no_id_and_is_an_event() -> None:
    assert ALIVE == b"event: alive\ndata: {}\n\n"
    assert OPENING == b"retry: %d\n\n" % RETRY_MS
    assert LATER == b"retry: %d\n\n" % LATER_MS
    assert RETRY_MS < LATER_MS


def test_row_is_the_view_and_its_question_for_people() -> None:
    view = replace(VIEW, search=SearchView(phase="depth 3", nodes=12, seconds=1.5))
    row = job_row(view)
    assert {each.name: getattr(row, each.name) for each in fields(JobView)} == {
        each.name: getattr(view, each.name) for each in fields(JobView)
    }
    assert job_row(VIEW).question
    said = json.loads(adapter(JobRow).dump_json(row))
    assert (said["job"], said["trials"], said["eta_s"]) == (1, 1000, 396.0)
    assert (said["search"]["nodes"], said["priority"], said["state"]) == (12, "normal", "running")


def test_rows_are_made_anew_only_of_what_changed() -> None:
    rows = JobRows()
    other = replace(VIEW, job=2)
    first, second = rows.rows([VIEW, other])
    changed = replace(other, folded=11)
    same, new = rows.rows([VIEW, changed])
    assert same is first
    assert (second.folded, new.folded) == (10, 11)
    assert rows.rows([changed]) == [new]


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


def test_only_changes_are_sent() -> None:
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
