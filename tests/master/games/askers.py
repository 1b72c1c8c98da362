"""Who is asked in tests, as a master is."""

from collections.abc import Callable, Sequence

from engine_ext import services
from engine_ext.control import RunControl
from master.contract.job_words import Priority

OnAnswer = Callable[[int, str], None]


class Answering:
    """Answers every question, the last one first, and remembers them."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.priorities: set[Priority] = set()

    async def ask(
        self,
        questions: Sequence[str],
        *,
        priority: Priority = Priority.ASKED,
        on_answer: OnAnswer | None = None,
    ) -> list[str]:
        self.asked += questions
        self.priorities.add(priority)
        answers = []
        for index in reversed(range(len(questions))):
            answer = services.answer(questions[index], RunControl())
            assert answer is not None
            answers.append(answer)
            if on_answer is not None:
                on_answer(index, answer)
        return answers[::-1]


class Lying:
    """Answers every question with the same text."""

    def __init__(self, answer: str) -> None:
        self.answer = answer

    async def ask(
        self,
        questions: Sequence[str],
        *,
        priority: Priority = Priority.ASKED,
        on_answer: OnAnswer | None = None,
    ) -> list[str]:
        return [self.answer for _ in questions]
