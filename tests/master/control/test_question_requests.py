import asyncio
from collections.abc import AsyncGenerator

import pytest

from master.contract.errors import MasterError
from master.contract.job_words import Priority
from master.contract.questions import QuestionError
from master.control.question_requests import QUESTIONS_AT_ONCE, REQUESTS_AT_ONCE, QuestionRequests
from protocol.control import Answered, Ask, AskedQuestion, Cancel, Ok, Request
from protocol.messages import Message


class FakeMaster:
    """Answers each request backwards; one whose text is `bad` cannot be answered."""

    def __init__(self) -> None:
        self.requests = 0
        self.ask_requests: list[Ask] = []
        self.asked: list[str] = []
        self.cancelled: list[int] = []
        self.at_once = self.at_once_max = 0
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    def next_request(self) -> int:
        self.requests += 1
        return self.requests

    def send(self, request: Request) -> None:
        assert isinstance(request, Cancel)
        self.cancelled.append(request.ended)

    async def stream(self, request: Request, *more: Message) -> AsyncGenerator[Message, None]:
        assert isinstance(request, Ask)
        questions = [message for message in more if isinstance(message, AskedQuestion)]
        assert [q.index for q in questions] == list(range(request.count))
        self.ask_requests.append(request)
        self.asked += [q.context for q in questions]
        self.at_once += 1
        self.at_once_max = max(self.at_once_max, self.at_once)
        await self.may_answer.wait()
        for q in reversed(questions):
            await asyncio.sleep(0)
            if q.context == "bad":
                raise QuestionError(q.index, "no")
            yield Answered(request=request.request, index=q.index, text=q.context.upper())
        self.at_once -= 1
        yield Ok(request=request.request)


async def ask(
    master: FakeMaster, questions: list[str], reported: list[int] | None = None
) -> list[str]:
    tell = None if reported is None else (lambda index, text: reported.append(index))
    return await QuestionRequests(master, questions, Priority.URGENT, tell).run()


async def test_many_questions_go_in_several_requests_a_few_at_a_time() -> None:
    master, reported = FakeMaster(), list[int]()
    questions = [f"q {number % 2000}" for number in range(2500)]
    assert await ask(master, questions, reported) == [question.upper() for question in questions]
    assert sorted(reported) == list(range(2500))
    assert master.asked == questions[:2000]
    assert [a.count for a in master.ask_requests] == [QUESTIONS_AT_ONCE] * 7 + [
        2000 % QUESTIONS_AT_ONCE
    ]
    assert {a.priority for a in master.ask_requests} == {"urgent"}
    assert master.at_once_max == REQUESTS_AT_ONCE
    assert not master.cancelled


async def test_nothing_is_asked_for_no_questions() -> None:
    assert await ask(FakeMaster(), []) == []


async def test_question_without_answer_is_named_by_its_place_and_the_rest_is_stopped() -> None:
    master = FakeMaster()
    questions = [f"q {number}" for number in range(QUESTIONS_AT_ONCE)] + ["x", "y", "bad"]
    with pytest.raises(QuestionError, match="no") as caught:
        await ask(master, questions)
    assert caught.value.index == QUESTIONS_AT_ONCE + 2
    assert master.cancelled == [1]


async def test_text_that_cannot_be_sent_is_named_by_its_place() -> None:
    with pytest.raises(QuestionError, match="printable ASCII") as caught:
        await ask(FakeMaster(), ["x", "\n"])
    assert caught.value.index == 1


async def test_cancelled_call_stops_its_requests() -> None:
    master = FakeMaster()
    master.may_answer.clear()
    call = asyncio.create_task(ask(master, [f"q {number}" for number in range(600)]))
    while len(master.ask_requests) < 3:  # noqa: ASYNC110  # nobody tells of it
        await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert sorted(master.cancelled) == sorted(a.request for a in master.ask_requests)


async def test_refusal_is_passed_on() -> None:
    class Refusing(FakeMaster):
        async def stream(self, request: Request, *more: Message) -> AsyncGenerator[Message, None]:
            raise MasterError("too many wait")
            yield Ok(request=1)

    with pytest.raises(MasterError, match="too many wait"):
        await ask(Refusing(), ["x"])
