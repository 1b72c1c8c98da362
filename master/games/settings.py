"""The fields of a question's settings, and how their values are read from JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from master.games.errors import AskedError

TEXT_CHARACTERS_MAX = 200
"""Of one text: the longest move has some thirty."""


class Kind(StrEnum):
    """The type of a field's value."""

    COUNT = "count"  # a whole number
    NUMBER = "number"
    OPTION = "option"  # one of some words
    TEXT = "text"
    TEXTS = "texts"


@dataclass(frozen=True)
class Field:
    """One setting.

    Args:
        name: of the field.
        label: for people; empty: it is not on a form.
        sort: the type of the value.
        default: the value if none is given; None: there is no default.
        least: the minimum of a number.
        most: the maximum of a number, or of the count of texts.
        options: the allowed words.
        hint: an example, shown in an empty field.
    """

    name: str
    label: str
    sort: Kind
    default: Any = None
    least: float = 0
    most: float = 0
    options: tuple[str, ...] = ()
    hint: str = ""

    def read(self, value: object) -> Any:
        """Return a value of the field's type; None: no value is given.

        Raises:
            AskedError: the value has another type; the text names the expected one.
        """
        if value is None:
            return self.default
        if not self._is_fitting(value):
            raise AskedError(f"{self.name}: expected {self.expected}")
        return tuple(value) if self.sort is Kind.TEXTS else value  # type: ignore[arg-type]

    def _is_fitting(self, value: object) -> bool:
        match self.sort:
            case Kind.COUNT:
                return self._is_number(value) and isinstance(value, int)
            case Kind.NUMBER:
                return self._is_number(value)
            case Kind.OPTION:
                return value in self.options
            case Kind.TEXT:
                return _is_text(value)
        return isinstance(value, list) and len(value) <= self.most and all(map(_is_text, value))

    def _is_number(self, value: object) -> bool:
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        return is_number and self.least <= value <= self.most  # type: ignore[operator]

    @property
    def expected(self) -> str:
        """The expected value, for people."""
        match self.sort:
            case Kind.COUNT:
                return f"a whole number from {self.least:.0f} to {self.most:.0f}"
            case Kind.NUMBER:
                return f"a number from {self.least:g} to {self.most:g}"
            case Kind.OPTION:
                return f"one of {', '.join(self.options)}"
            case Kind.TEXT:
                return f"a text of at most {TEXT_CHARACTERS_MAX} characters"
        return f"a list of at most {self.most:.0f} texts"


def _is_text(value: object) -> bool:
    return isinstance(value, str) and len(value) <= TEXT_CHARACTERS_MAX


def read_settings(fields: Sequence[Field], given: Mapping[str, object]) -> dict[str, Any]:
    """Return a value for each field.

    Raises:
        AskedError: a value does not fit, or a name is none of the fields'.
    """
    known = {field.name: field for field in fields}
    for name in given:
        if name not in known:
            expected = f"one of {', '.join(known)}" if known else "no settings"
            raise AskedError(f"{name[:TEXT_CHARACTERS_MAX]!r}: expected {expected}")
    return {name: field.read(given.get(name)) for name, field in known.items()}
