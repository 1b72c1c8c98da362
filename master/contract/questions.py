"""Clients' questions, checked, and grouped by the job that can ask them.

Questions of all games share a form: a line of a kind and `key=value` words, among them the engine's
digest.
"""

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from engine_ext.contexts import CONTEXT_BYTES_MAX, ContextError
from engine_ext.front import SEARCH
from engine_ext.services import engine_digest, question_kind
from master.contract.errors import MasterError
from master.contract.job_words import Priority

QUESTIONS_MAX = 65_536
"""Of one call; at half a kilobyte each they take 32 MB, and so on the way."""

_ENGINE = re.compile(r" engine=([0-9a-f]{16})(?: |$)")
_KEY = re.compile(r" ([a-z_]+)=([^ ]*)")


class AskQuestions(Protocol):
    """Master.ask."""

    async def __call__(
        self,
        questions: Sequence[str],
        *,
        priority: Priority = Priority.ASKED,
        on_answer: Callable[[int, str], None] | None = None,
    ) -> list[str]:
        """Return the answers to questions, in their order."""


class QuestionError(MasterError):
    """A question that cannot be answered.

    Attributes:
        index: which one of those asked.
        text: why, for people.
    """

    def __init__(self, index: int, text: str) -> None:
        super().__init__(f"question {index}: {text}")
        self.index = index
        self.text = text


@dataclass(frozen=True, slots=True)
class QuestionKind:
    """The features that questions of one job share; `is_kept`: their answers are."""

    game: str
    service: str
    engine: str
    work: str
    is_kept: bool = True


@dataclass(slots=True)
class Sorted:
    """Questions, each text once.

    Args:
        indexes: the places in the call of each text, in the order of the first.
        kinds: the kind of each text.
    """

    indexes: dict[str, list[int]] = field(default_factory=dict)
    kinds: dict[str, QuestionKind] = field(default_factory=dict)


def sort_questions(questions: Sequence[str]) -> Sorted:
    """Return the questions checked and sorted; blocks while a game's engine is loaded.

    Raises:
        QuestionError: one is no question.
        MasterError: there are too many.
    """
    if len(questions) > QUESTIONS_MAX:
        raise MasterError(f"{len(questions)} questions; at most {QUESTIONS_MAX} are asked at once")
    result = Sorted()
    for index, text in enumerate(questions):
        if text not in result.indexes:
            result.kinds[text] = _kind_of(index, text)
            result.indexes[text] = []
        result.indexes[text].append(index)
    return result


def _kind_of(index: int, text: str) -> QuestionKind:
    if not (0 < len(text) <= CONTEXT_BYTES_MAX and text.isascii() and text.isprintable()):
        what = f"expected a line of 1 to {CONTEXT_BYTES_MAX} printable ASCII characters"
        raise QuestionError(index, what)
    try:
        game, kind = question_kind(text)
        named = _ENGINE.search(text)
        engine = named[1] if named is not None else engine_digest(game)
    except ContextError as error:
        raise QuestionError(index, str(error)) from None
    if kind.service == SEARCH:
        raise QuestionError(index, "a part of a search has no answer that could be kept")
    return QuestionKind(game, kind.service, engine, work_class(text), kind.is_kept)


def work_class(question: str) -> str:
    """Return the name of a question's class of work: its kind, and the words for its depth."""
    kind = question.partition(" ")[0]
    found = dict(_KEY.findall(question))
    keys = [key for key in question_kind(question)[1].work_keys if key in found]
    return " ".join([kind, *(f"{key}={found[key]}" for key in keys)])


def question_digest(question: str) -> bytes:
    """Return the name under which a question's answer is kept: SHA-256, all of it."""
    return hashlib.sha256(question.encode("ascii")).digest()
