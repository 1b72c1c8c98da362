import asyncio
from collections.abc import AsyncGenerator

from master.web.events.stream import EventStream
from tests.master.web.asgi import calling


class Counter:
    """Counts events that were made, and whether they were ended."""

    def __init__(self, last: int = 1_000) -> None:
        self.made = 0
        self.last = last
        self.is_ended = False

    async def frames(self) -> AsyncGenerator[bytes, None]:
        try:
            while self.made < self.last:
                self.made += 1
                yield b"data: %d\n\n" % self.made
        finally:
            self.is_ended = True


async def test_events_are_sent_until_there_are_no_more() -> None:
    counter = Counter(last=2)
    stream = EventStream(counter.frames(), {"X-A": "b"})
    async with calling(stream, "GET", "/") as call:
        start = await call.sent.get()
        assert dict(start["headers"])[b"content-type"].startswith(b"text/event-stream")
        assert dict(start["headers"])[b"x-a"] == b"b"
        assert [(await call.event())[2] for _ in range(2)] == [1, 2]
        assert not (await call.sent.get())["more_body"]
    assert counter.is_ended


async def test_no_event_is_made_before_the_reader_takes_the_last() -> None:
    counter = Counter()
    async with calling(EventStream(counter.frames(), {}), "GET", "/") as call:
        await call.sent.get()
        for _ in range(20):
            await asyncio.sleep(0)
        assert counter.made <= 3  # two in the queue, and one that waits for it
    assert counter.is_ended


async def test_reader_who_leaves_ends_the_events() -> None:
    async def silent() -> AsyncGenerator[bytes, None]:
        try:
            await asyncio.Event().wait()
            yield b""
        finally:
            ended.set()

    ended = asyncio.Event()
    async with calling(EventStream(silent(), {}), "GET", "/") as call:
        await call.sent.get()
        call.leave()
        await ended.wait()
