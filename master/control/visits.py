"""One client of the control socket: its requests that are being carried out.

The questions of an `ask` come on lines of their own.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from master.contract.errors import MasterError
from master.contract.questions import QuestionError
from protocol.aio import Link
from protocol.control import Ask, AskedQuestion, Cancel, Ok, Refused, Request
from protocol.control_fields import to_long_text
from protocol.messages import Message

REQUESTS_MAX = 64
"""Of one client at a time; more is a client that does not wait for answers."""

CarryOut = Callable[[Request, tuple[str, ...]], Awaitable[None]]


@dataclass(eq=False)
class _Gathered:
    """An `ask` whose questions are coming."""

    request: Ask
    questions: list[str] = field(default_factory=list)


class ClientVisit:
    """The requests of one client, until it leaves."""

    def __init__(
        self, link: Link, answer: CarryOut, answer_now: Callable[[Request], bool] = lambda _: False
    ) -> None:
        """Start with nothing asked.

        Args:
            link: of the client.
            answer: carries a request out, with the questions of an ask. It sends all replies but
                `refused`, which is sent here for the MasterError that it raises.
            answer_now: sends all replies to a request of which nothing has to be awaited, and
                returns True; else False.
        """
        self._link = link
        self._answer = answer
        self._answer_now = answer_now
        self._questions: dict[int, _Gathered] = {}
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def receive(self, message: Message) -> None:
        """Receive a message of the client; those other than requests and questions are ignored."""
        if isinstance(message, AskedQuestion):
            self._gather(message)
        elif isinstance(message, Cancel):
            self._cancel(message)
        elif isinstance(message, Request):
            self._begin(message)

    def _begin(self, request: Request) -> None:
        number = request.request
        if number in self._tasks or number in self._questions:
            self._refuse(number, f"request {number} is being carried out")
        elif len(self._tasks) + len(self._questions) >= REQUESTS_MAX:
            self._refuse(number, f"{REQUESTS_MAX} requests are waiting for their answers")
        elif isinstance(request, Ask):
            self._questions[number] = _Gathered(request)
        elif not self._answer_now(request):
            self._spawn(request, ())

    def _gather(self, message: AskedQuestion) -> None:
        number = message.request
        gathered = self._questions.get(number)
        if gathered is None:
            if number not in self._tasks:
                self._refuse(number, f"request {number} waits for no question")
            return
        questions = gathered.questions
        if message.index != len(questions):
            del self._questions[number]
            self._refuse(number, f"question {message.index}: {len(questions)} was due")
            return
        questions.append(message.context)
        if len(questions) == gathered.request.count:
            del self._questions[number]
            self._spawn(gathered.request, tuple(questions))

    def _cancel(self, request: Cancel) -> None:
        task = self._tasks.pop(request.ended, None)
        if task is not None:
            task.cancel()
        if task is not None or self._questions.pop(request.ended, None) is not None:
            self._refuse(request.ended, "it was cancelled")
        self._link.send(Ok(request=request.request))

    def _spawn(self, request: Request, questions: tuple[str, ...]) -> None:
        number = request.request
        task = asyncio.create_task(self._carry_out(request, questions))
        self._tasks[number] = task
        task.add_done_callback(lambda done: self._forget(number, done))

    def _forget(self, number: int, task: asyncio.Task[None]) -> None:
        if self._tasks.get(number) is task:
            del self._tasks[number]
        error = None if task.cancelled() else task.exception()
        if error is not None:  # our mistake: the client gets an error; others go on
            self._refuse(number, f"internal error: {type(error).__name__}")
            context = {"message": "a request failed", "exception": error}
            task.get_loop().call_exception_handler(context)

    async def _carry_out(self, request: Request, questions: tuple[str, ...]) -> None:
        try:
            await self._answer(request, questions)
        except QuestionError as error:
            self._refuse(request.request, error.text, error.index)
        except MasterError as error:
            self._refuse(request.request, str(error))

    def _refuse(self, number: int, text: str, index: int | None = None) -> None:
        self._link.send(Refused(request=number, text=to_long_text(text), index=index))

    async def leave(self) -> None:
        """End every request."""
        tasks = tuple(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
