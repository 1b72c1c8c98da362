"""Both ends of a link, small enough to be read: what daemons do, without their work."""

import asyncio

from protocol.aio import Link
from protocol.messages import (
    Ack,
    AnalyserHello,
    Bye,
    Done,
    Engine,
    MasterHello,
    Ready,
    Trial,
    Trials,
    context_digest,
)
from protocol.session import MasterSession
from protocol.sides import AnalyserSide, MasterSide, MessageReceived

CONTEXT = "noop/1 alternatives=1"
HELLO = AnalyserHello(name="attic", cores=2, games=("noop",))


def analyser_side() -> AnalyserSide:
    return AnalyserSide(HELLO)


async def analyse(link: Link) -> None:
    """Answer every request at once, until the master leaves."""
    async for event in link:
        message = event.message if isinstance(event, MessageReceived) else None
        if isinstance(message, MasterHello):
            link.send(Engine(game="noop", digest="0" * 16, power=1.0), Ready(workers=2))
        elif isinstance(message, Trials):
            end_seq = message.first_seq + message.count
            for seq in range(message.first_seq, end_seq):
                link.send(Trial(part=message.part, attempt=0, seq=seq, values=(seq / 4,)))
            digest = context_digest(message.context)
            link.send(
                Done(part=message.part, attempt=0, context_digest=digest, count=message.count)
            )
    await link.aclose()


async def start_work(link: Link) -> None:
    """Go through the handshake as the master."""
    async for event in link:
        message = event.message if isinstance(event, MessageReceived) else None
        if message is None:
            raise ConnectionError(str(event))
        if isinstance(message, AnalyserHello):
            link.send(MasterHello(name="me", session="s"))
        elif isinstance(message, Ready):
            return
    raise ConnectionError("no handshake")


async def collect(link: Link, part: int, count: int) -> list[tuple[float, ...]]:
    """Hand one part out and return the values of its trials."""
    link.send(Trials(part=part, attempt=0, first_seq=0, count=count, context=CONTEXT))
    values: list[tuple[float, ...]] = []
    while events := await link.events():
        for event in events:
            assert isinstance(event, MessageReceived), event
            if isinstance(event.message, Trial):
                values.append(event.message.values)
            elif isinstance(event.message, Done):
                session = link.connection.session  # type: ignore[attr-defined]
                assert isinstance(session, MasterSession)
                link.send(Ack(count=session.received))
                return values
    raise ConnectionError("the analyser left")


async def roll_out(link: Link) -> list[tuple[float, ...]]:
    """Be a master from the greeting to bye."""
    async with asyncio.timeout(20):
        await start_work(link)
        values = await collect(link, 1, 50)
        link.send(Bye(reason="thanks"))
        await link.aclose()
    return values


EXPECTED = [(seq / 4,) for seq in range(50)]

__all__ = ["EXPECTED", "MasterSide", "analyse", "analyser_side", "collect", "roll_out"]
