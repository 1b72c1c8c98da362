"""Questions asked through a control socket: cut into requests, a few of them on the way at a time.

The master goes on with the next request's questions where the last one's run out, so that the cuts
cost no time.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import Protocol

from pydantic import ValidationError

from master.contract.job_words import Priority
from master.contract.questions import QuestionError
from protocol.control import Answered, Ask, AskedQuestion, Cancel, Request
from protocol.messages import Message

QUESTIONS_AT_ONCE = 256
"""Of one request: 2 MiB at most as they stand, 100 kB as they mostly are."""

REQUESTS_AT_ONCE = 4
"""The next questions are there before the last ones run out."""


class Requester(Protocol):
    """The part of the client that is needed here."""

    def next_request(self) -> int:
        """Return a new number for a request."""

    def send(self, request: Request) -> None:
        """Send a request without waiting for its replies."""

    def stream(self, request: Request, *more: Message) -> AsyncGenerator[Message, None]:
        """Send a request, and lines that belong to it; yield all replies."""


class QuestionRequests:
    """One call of MasterClient.ask."""

    def __init__(
        self,
        client: Requester,
        questions: Sequence[str],
        priority: Priority,
        on_answer: Callable[[int, str], None] | None,
    ) -> None:
        """Prepare to ask; see Master.ask."""
        self._client = client
        self._questions = questions
        self._priority = priority.name.lower()
        self._on_answer = on_answer
        self._answers: dict[str, str] = {}
        self._indexes: dict[str, list[int]] = {}
        for index, text in enumerate(questions):
            self._indexes.setdefault(text, []).append(index)

    async def run(self) -> list[str]:
        """Ask; return the answers in the order of the questions."""
        texts, step = list(self._indexes), QUESTIONS_AT_ONCE
        room = asyncio.Semaphore(REQUESTS_AT_ONCE)
        tasks = [
            asyncio.create_task(self._ask_some(room, texts[first : first + step]))
            for first in range(0, len(texts), step)
        ]
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        return [self._answers[text] for text in self._questions]

    async def _ask_some(self, room: asyncio.Semaphore, texts: list[str]) -> None:
        """Ask some questions in one request; stop them if this is cancelled, or fails."""
        async with room:
            number = self._client.next_request()
            is_over = False
            try:
                await self._receive_answers(number, texts)
                is_over = True
            except QuestionError as error:
                is_over = True
                raise QuestionError(self._indexes[texts[error.index]][0], error.text) from None
            finally:
                if not is_over:
                    request = self._client.next_request()
                    self._client.send(Cancel(request=request, ended=number))

    async def _receive_answers(self, number: int, texts: list[str]) -> None:
        ask = Ask(request=number, count=len(texts), priority=self._priority)
        questions = [self._to_question(number, index, text) for index, text in enumerate(texts)]
        async with aclosing(self._client.stream(ask, *questions)) as replies:
            async for message in replies:
                if isinstance(message, Answered):
                    self._record_answer(texts[message.index], message.text)

    def _to_question(self, number: int, index: int, text: str) -> AskedQuestion:
        try:
            return AskedQuestion(request=number, index=index, context=text)
        except ValidationError:
            what = "expected a line of printable ASCII characters, of a length that can be sent"
            raise QuestionError(index, what) from None

    def _record_answer(self, text: str, answer: str) -> None:
        self._answers[text] = answer
        if self._on_answer is not None:
            for index in self._indexes[text]:
                self._on_answer(index, answer)
