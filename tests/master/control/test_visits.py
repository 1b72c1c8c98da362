import asyncio
from typing import Any

import pytest

from master.contract.errors import MasterError
from master.contract.questions import QuestionError
from master.control.visits import REQUESTS_MAX, ClientVisit
from protocol.control import Ask, AskedQuestion, Cancel, Jobs, Ok, Refused, Request
from protocol.messages import Message, Ping


class NotingLink:
    """A link that only notes what is sent."""

    def __init__(self) -> None:
        self.sent: list[Message] = []

    def send(self, *messages: Message) -> None:
        self.sent += messages


class Bench:
    def __init__(self) -> None:
        self.link = NotingLink()
        self.begun: list[tuple[Request, tuple[str, ...]]] = []
        self.may_end = asyncio.Event()
        self.error: Exception | None = None
        link: Any = self.link
        self.visit = ClientVisit(link, self._answer)

    async def _answer(self, request: Request, questions: tuple[str, ...]) -> None:
        self.begun.append((request, questions))
        await self.may_end.wait()
        if self.error is not None:
            raise self.error
        self.link.send(Ok(request=request.request))

    async def receive(self, *messages: Message) -> list[Message]:
        """Return what is sent for some messages, when nothing more is to come of them."""
        before = len(self.link.sent)
        for message in messages:
            self.visit.receive(message)
        for _ in range(4):
            await asyncio.sleep(0)
        return self.link.sent[before:]


@pytest.fixture
async def bench() -> Bench:
    return Bench()


def question(index: int, request: int = 1) -> AskedQuestion:
    return AskedQuestion(request=request, index=index, context=f"q{index}")


async def test_request_that_breaks_is_answered_and_reported(bench: Bench) -> None:
    reported: list[Any] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: reported.append(context["exception"]))
    bench.error = ZeroDivisionError("a secret of ours")
    bench.may_end.set()
    sent = await bench.receive(Jobs(request=1))
    assert sent == [Refused(request=1, text="internal error: ZeroDivisionError")]
    assert reported == [bench.error]
    bench.error = None
    assert await bench.receive(Jobs(request=1)) == [Ok(request=1)]


async def test_ask_begins_when_its_last_question_is_there(bench: Bench) -> None:
    ask = Ask(request=1, count=3)
    assert await bench.receive(ask, question(0), question(1)) == []
    assert bench.begun == []
    await bench.receive(question(2))
    assert bench.begun == [(ask, ("q0", "q1", "q2"))]


async def test_question_out_of_order_ends_its_ask(bench: Bench) -> None:
    refused = Refused(request=1, text="question 2: 1 was due")
    assert await bench.receive(Ask(request=1, count=3), question(0), question(2)) == [refused]
    stray = Refused(request=1, text="request 1 waits for no question")
    assert await bench.receive(question(1)) == [stray]


async def test_cancelled_request_is_refused_whether_it_has_begun_or_not(bench: Bench) -> None:
    await bench.receive(Jobs(request=1), Ask(request=2, count=5))
    for number in (1, 2):
        assert await bench.receive(Cancel(request=9, ended=number)) == [
            Refused(request=number, text="it was cancelled"),
            Ok(request=9),
        ]
    assert await bench.receive(Cancel(request=9, ended=1)) == [Ok(request=9)]
    bench.may_end.set()
    assert await bench.receive() == []


async def test_errors_are_refusals_that_name_the_question(bench: Bench) -> None:
    bench.may_end.set()
    bench.error = QuestionError(3, "no such move")
    refused = Refused(request=1, text="no such move", index=3)
    assert await bench.receive(Jobs(request=1)) == [refused]
    bench.error = MasterError("no such job")
    assert await bench.receive(Jobs(request=1)) == [Refused(request=1, text="no such job")]


async def test_number_in_use_and_too_many_requests_are_refused(bench: Bench) -> None:
    (refused,) = await bench.receive(Jobs(request=1), Jobs(request=1))
    assert refused == Refused(request=1, text="request 1 is being carried out")
    asks = [Ask(request=number, count=1) for number in range(2, REQUESTS_MAX + 1)]
    assert await bench.receive(*asks) == []
    (refused,) = await bench.receive(Jobs(request=99))
    assert refused == Refused(request=99, text="64 requests are waiting for their answers")


async def test_what_is_no_request_is_left_and_leaving_ends_all(bench: Bench) -> None:
    assert await bench.receive(Ping(token="x"), Ok(request=1)) == []
    await bench.receive(Jobs(request=1))
    await bench.visit.leave()
    bench.may_end.set()
    assert await bench.receive() == []
