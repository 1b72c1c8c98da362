"""The two kinds of message of a master's interface: pydantic reads and writes both as JSON.

They are frozen dataclasses, so that one shape serves the service, the wire, the schema and the
client. Numbers are finite, and a text or a truth value is no number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

if TYPE_CHECKING:
    from pydantic import ConfigDict, ValidationError


@dataclass(frozen=True, slots=True)
class Within:
    """Bounds of a field, which pydantic checks and writes into the schema.

    Its own `Field` says the same, but loading pydantic takes longer than `manyply jobs` does
    without it, and that command exchanges no messages where no master runs.
    """

    ge: float | None = None
    gt: float | None = None
    le: float | None = None
    min_length: int | None = None
    max_length: int | None = None

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        """Return the schema of the type with these bounds."""
        bounds = {name: getattr(self, name) for name in self.__slots__}
        return handler(source) | {name: at for name, at in bounds.items() if at is not None}


Count = Annotated[int, Within(ge=0)]
Rate = Annotated[float, Within(ge=0)]


class Shown:
    """A message from a master; a reader ignores fields that it does not know."""

    __slots__ = ()
    __pydantic_config__: ClassVar[ConfigDict] = {"strict": True, "allow_inf_nan": False}


class Asked:
    """A message to a master; an unknown field is refused."""

    __slots__ = ()
    __pydantic_config__: ClassVar[ConfigDict] = {
        "strict": True,
        "allow_inf_nan": False,
        "extra": "forbid",
    }


FIELD_CHARACTERS_MAX = 80
"""Of a field's name in the line about a mistake."""

_MISTAKES = {
    "unexpected_keyword_argument": "there is no such field",
    "missing": "it is needed",
    "dataclass_type": "expected an object",
}
"""Where pydantic's own text speaks of Python."""


def first_error(error: ValidationError) -> str:
    """Return the first mistake of a message in one line: the field, and what was expected."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    text = _MISTAKES.get(first["type"]) or " ".join(first["msg"].split())
    text = text.removeprefix("Value error, ").replace("Input should be", "expected")
    where = ascii(".".join(map(str, first["loc"])) or "body")[1:-1]  # a client may name any field
    return f"{where[:FIELD_CHARACTERS_MAX]}: {text[:1].lower()}{text[1:]}"
