"""A backend that computes nothing: what it is asked is kept, and a test says what comes of it."""

import asyncio

from analyser.backend import Outlet
from engine_ext.contexts import ContextError
from protocol.codes import ReplyCode
from protocol.messages import Engine, Entries, Message, PartRequest, Progress

ENGINE = Engine(game="noop", digest="0" * 16, power=1.0)


class ToyBackend:
    games = ("noop",)

    def __init__(self, outlet: Outlet) -> None:
        self.outlet = outlet
        self.worker_count = 0
        self.offers: tuple[Engine, ...] = ()
        self.asked: list[PartRequest] = []
        self.cancelled_count = 0
        self.is_closed = False
        self._staffed = asyncio.Event()

    live_count = paused_count = 0

    def staff(self, count: int) -> None:
        """Have so many workers from now on."""
        self.worker_count = count
        self.offers = (ENGINE.model_copy(update={"power": float(count)}),)
        if count:
            self._staffed.set()
        else:
            self._staffed.clear()
        self.outlet.announce()

    async def load(self) -> None:
        await self._staffed.wait()

    def submit(self, request: PartRequest, *, is_refused: bool) -> list[Message]:
        self.asked.append(request)
        return []

    def stop(self, key: tuple[int, int]) -> None: ...

    def learn(self, entries: Entries) -> None:
        raise ContextError(ReplyCode.BAD_CONTEXT, "nothing is learned")

    def allow(self, result_count: int) -> None: ...

    def hold(self, is_held: bool) -> None: ...

    def cancel_all(self) -> None:
        self.cancelled_count += 1

    def progress(self) -> list[Progress]:
        return []

    async def close(self) -> None:
        self.is_closed = True
