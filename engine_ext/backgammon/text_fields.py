"""One line of `kind key=value ...` and the values it names, for contexts and questions.

The module contains the text form of each type of value; its callers define keys and ranges.

Equal values have equal texts: every key is present, in a fixed order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import quote, unquote

from engine_ext.contexts import ContextError

FieldCodec = tuple[Callable[[Any], str], Callable[[str], Any]]
"""How a value is written, and read: ValueError or KeyError for a text that is none."""


def require(holds: bool, text: str) -> None:
    """Refuse a context that breaks a rule; `text` states it."""
    if not holds:
        raise ContextError("bad-context", text)


def write_line(kind: str, codecs: Mapping[str, FieldCodec], values: Mapping[str, Any]) -> str:
    """Return the line that names the values of all keys that have a codec, in their order."""
    return " ".join([kind, *(f"{key}={codecs[key][0](values[key])}" for key in codecs)])


def read_line(kind: str, codecs: Mapping[str, FieldCodec], text: str) -> dict[str, Any]:
    """Return the values of a line; the caller checks that it is the canonical one.

    Raises:
        ContextError: `bad-context`, with one sentence that names the error.
    """
    found, *words = text.split(" ")
    require(found == kind, f"a context of kind {kind} was expected")
    values = _read_words(codecs, words)
    missing = [key for key in codecs if key not in values]
    require(not missing, f"key {''.join(missing[:1])!r} is missing")
    return values


def _read_words(codecs: Mapping[str, FieldCodec], words: Iterable[str]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for word in words:
        key, separator, value = word.partition("=")
        require(bool(separator) and key in codecs, f"unknown key {key[:40]!r} in a context")
        require(key not in values, f"key {key!r} is given twice")
        try:
            values[key] = codecs[key][1](value)
        except (ValueError, KeyError) as error:
            text = f"bad value {value[:40]!r} of {key!r}"
            raise ContextError("bad-context", text) from error
    return values


def decimal(value: str) -> int:
    """Read a whole number; ValueError for anything else."""
    if not re.fullmatch(r"-?[0-9]{1,20}", value):
        raise ValueError(value)
    return int(value)


def _read_score(value: str) -> tuple[int, int]:
    own, opponent = value.split("-")
    return decimal(own), decimal(opponent)


def _read_dice(value: str) -> tuple[int, int] | None:
    if value == "none":
        return None
    if len(value) != 2:
        raise ValueError(value)
    return decimal(value[0]), decimal(value[1])


def _write_dice(dice: tuple[int, int] | None) -> str:
    return "none" if dice is None else f"{dice[0]}{dice[1]}"


def table_codec(names: Mapping[Any, str]) -> FieldCodec:
    """Return the codec of a few values, each with its name."""
    values = {name: value for value, name in names.items()}
    return names.__getitem__, values.__getitem__


def level_codec(absent: str) -> FieldCodec:
    """Return the codec of a number that may be None, which is written `absent`."""
    return (
        lambda ply: absent if ply is None else str(ply),
        lambda value: None if value == absent else decimal(value),
    )


TEXT: FieldCodec = (
    lambda value: quote(value, safe=""),
    lambda value: unquote(value, errors="strict"),
)
INTEGER: FieldCodec = (str, decimal)
BOOL = table_codec({False: "no", True: "yes"})
OWNER = table_codec({-1: "centred", 0: "on-roll", 1: "opponent"})
SCORE: FieldCodec = (lambda score: f"{score[0]}-{score[1]}", _read_score)
DICE: FieldCodec = (_write_dice, _read_dice)
