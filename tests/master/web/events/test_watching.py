import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.contract.errors import MasterError
from master.contract.job_words import JobState
from master.web.events.frames import ALIVE, LATER, OPENING
from master.web.events.watching import (
    FRAMES_MAX,
    POLLING_SHARE_MAX,
    READERS_MAX,
    Watching,
    pause_s,
)
from tests.master.web.fake_master import VIEW, FakeMaster

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


async def test_nobody_is_looked_at_while_nobody_follows() -> None:
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


async def test_who_comes_later_hears_of_now() -> None:
    master = FakeMaster(VIEW)
    watched = watching(master)
    for folded in (10, 20):
        master.change(1, folded=folded)
        frames = watched.frames(None)
        await anext(frames)
        assert frame_sent(await anext(frames))["jobs"][0]["folded"] == folded
        await frames.aclose()


async def test_slow_reader_holds_nobody_up_and_gets_the_newest() -> None:
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


async def test_reader_is_told_that_nothing_changes() -> None:
    frames = watching(FakeMaster(VIEW), heartbeat_s=STEP_S).frames(None)
    await anext(frames)
    await anext(frames)
    assert await anext(frames) == ALIVE
    await frames.aclose()


async def test_trouble_is_told_and_what_is_known_stays() -> None:
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
