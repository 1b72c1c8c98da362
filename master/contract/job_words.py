"""A job's number, and the words for its state and for its priority."""

from enum import Enum, IntEnum
from typing import Annotated, Any

from master.contract.shapes import Within

JOB_MAX = 2**52 - 1
"""The highest number of a stored job: every reader of JSON has it exactly, and those above."""

JobNumber = Annotated[int, Within(ge=1, le=JOB_MAX)]


class JobState(Enum):
    """The state of a job."""

    RUNNING = "running"  # a process is at it; found without one, it was killed: see `HALTED`
    HALTED = "halted"  # stopped before its end; `resume` goes on
    DONE = "done"  # its stop rule is met; `extend` goes on
    DAMAGED = "damaged"  # its record cannot be read any more; `forget` deletes it


WHY_HALTED = ("failed", "interrupted")
"""The reasons that replace `halted` where a state is shown: the job failed, or was killed."""

STATE_WORDS = (*(each.value for each in JobState), *WHY_HALTED)
"""All words by which a job's state is shown."""


class Priority(IntEnum):
    """The priority of a job's work; of two jobs the one of the larger value goes first."""

    BACKGROUND = 0  # no user waits for it: it makes room for all other work at once
    NORMAL = 1  # rollouts: they go on for hours
    ASKED = 2  # a user waits for the end of it
    URGENT = 3  # a user waits for the next line: analysers pause other work for it


_WORDS = {each.name.lower(): each for each in Priority}
_OLD_WORDS = {"standing": Priority.NORMAL}


def _to_priority(word: object) -> Priority:
    """Return the priority of a word; its number is refused."""
    if isinstance(word, Priority):
        return word
    known = _WORDS | _OLD_WORDS
    if not isinstance(word, str) or word not in known:
        raise ValueError(f"expected one of {', '.join(_WORDS)}")
    return known[word]


class _AsWord:
    """Has pydantic read and write a priority as its word."""

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """Return the schema of a priority."""
        from pydantic_core import core_schema as core  # noqa: PLC0415  # messages alone need it

        def to_word(priority: Priority) -> str:
            return priority.name.lower()

        written = core.plain_serializer_function_ser_schema(
            to_word, return_schema=core.str_schema()
        )
        schema = handler(source)
        return core.no_info_before_validator_function(_to_priority, schema, serialization=written)

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, object]:
        """Return the schema for people: one of the words."""
        return {"enum": [*_WORDS]}


PriorityWord = Annotated[Priority, _AsWord()]
"""A priority, which messages have as a word."""
