import asyncio
import json
import re
from collections.abc import AsyncGenerator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Receive, Scope, Send

from master.api.messages import Problem
from master.api.routing import adapter
from master.api.rules import SECURITY_FIELDS
from master.api.streams import DONE, LEFT, EventStream, frame
from tests.master.api.asgi import calling


def read(raw: bytes) -> dict[str, str]:
    """Read one event as the HTML standard says."""
    text = raw.decode()
    assert text.endswith("\n\n")
    fields: dict[str, str] = {}
    for line in re.split(r"\r\n|\r|\n", text[:-2]):
        name, _, value = line.partition(": ")
        assert name not in fields
        fields[name] = value
    return fields


class Counter:
    """Counts events that were made, and whether they were ended; it never waits for anything."""

    def __init__(self, last: int = 1_000) -> None:
        self.made = 0
        self.last = last
        self.is_ended = asyncio.Event()

    async def frames(self) -> AsyncGenerator[bytes, None]:
        try:
            while self.made < self.last:
                self.made += 1
                yield b"data: %d\n\n" % self.made
        finally:
            self.is_ended.set()


@given(st.text())
def test_any_text_is_one_line_of_one_event(text: str) -> None:
    found = read(frame("state", adapter(Problem).dump_json(Problem("a", text)), "ab-1"))
    assert json.loads(found["data"])["text"] == text
    assert (found["event"], found["id"]) == ("state", "ab-1")


def test_last_event_has_no_id() -> None:
    assert read(DONE) == {"event": "done", "data": "{}"}


async def test_events_are_sent_until_there_are_no_more() -> None:
    counter = Counter(last=2)
    async with calling(EventStream(counter.frames()), "GET", "/") as call:
        start = await call.sent.get()
        fields = {name.decode().title(): value.decode() for name, value in start["headers"]}
        assert fields["Content-Type"] == "text/event-stream; charset=utf-8"
        assert (
            fields.items() >= {name.title(): text for name, text in SECURITY_FIELDS.items()}.items()
        )
        assert [(await call.event())[2] for _ in range(2)] == [1, 2]
        assert not (await call.sent.get())["more_body"]
    assert counter.is_ended.is_set()


async def test_no_event_is_made_before_the_reader_takes_the_last() -> None:
    counter = Counter()
    async with calling(EventStream(counter.frames()), "GET", "/") as call:
        await call.sent.get()
        for _ in range(20):
            await asyncio.sleep(0)
        assert counter.made <= 3  # two in the queue, and one that waits for it
    assert counter.is_ended.is_set()


async def silent(ended: asyncio.Event) -> AsyncGenerator[bytes, None]:
    """Wait for ever for a first event."""
    try:
        await asyncio.Event().wait()
        yield b""
    finally:
        ended.set()


async def test_reader_who_leaves_ends_the_events() -> None:
    ended = asyncio.Event()
    async with calling(EventStream(silent(ended)), "GET", "/") as call:
        await call.sent.get()
        call.leave()
        await ended.wait()


async def test_client_that_sends_no_more_ends_the_events() -> None:
    async def stream(scope: Scope, receive: Receive, send: Send) -> None:
        await EventStream(silent(ended))({**scope, "state": {LEFT: left}}, receive, send)

    ended, left = asyncio.Event(), asyncio.Event()
    async with calling(stream, "GET", "/") as call:
        await call.sent.get()
        assert not ended.is_set()
        left.set()
        await ended.wait()


async def test_events_that_never_wait_block_no_other_task_and_end_when_the_reader_leaves() -> None:
    async def receive() -> dict[str, object]:
        await left.wait()
        return {"type": "http.disconnect"}

    async def send(message: object) -> None:
        """Take all there is, at once."""

    counter, left = Counter(last=2**62), asyncio.Event()
    running = asyncio.ensure_future(EventStream(counter.frames())({}, receive, send))
    while counter.made < 100:  # noqa: ASYNC110  # this task gets its turns
        await asyncio.sleep(0)
    left.set()
    await running
    assert counter.is_ended.is_set()


async def test_fault_of_ours_is_raised_for_the_log() -> None:
    async def broken() -> AsyncGenerator[bytes, None]:
        yield b"data: 1\n\n"
        failed.set()
        raise ValueError("ours")

    async def follow() -> None:
        async with calling(EventStream(broken()), "GET", "/") as call:
            await call.sent.get()
            assert (await call.event())[2] == 1
            await failed.wait()

    failed = asyncio.Event()
    with pytest.raises(ValueError, match="ours"):
        await follow()
