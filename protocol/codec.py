"""Codec: messages to lines and back.

A line has a verb, positional fields and key=value fields; each Python type has one written form.
The layout of each verb is read once from its model, so no message is named here. Ranges are checked
by the model, once, when a message is built.
"""

import math
from collections.abc import Callable, Iterable
from functools import cached_property
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import ValidationError

from protocol.codes import LocalProtocolError, ProtocolError, ReplyCode
from protocol.fast import FAST_READERS, FAST_WRITERS
from protocol.line import LINE_BYTES_MAX, quote, unquote
from protocol.messages import ANALYSER_MESSAGES, Message

Reader = Callable[[str], Any]
Writer = Callable[[Any], str]

_INT_CHARACTERS_MAX = 20
"""A sign and the digits of 2**63."""


def _bad_field(text: str) -> ProtocolError:
    return ProtocolError(ReplyCode.BAD_FIELD, text)


def _read_int(token: str) -> int:
    is_whole = token.isdigit() or (token.startswith("-") and token[1:].isdigit())
    if not is_whole or len(token) > _INT_CHARACTERS_MAX:
        raise _bad_field("not a whole number")
    return int(token)


def _read_float(token: str) -> float:
    try:
        value = float(token)
    except ValueError:
        raise _bad_field("not a number") from None
    if "_" in token or not math.isfinite(value):
        raise _bad_field("not a finite decimal number")
    return value


def _read_floats(token: str) -> tuple[float, ...]:
    try:
        values = tuple(map(float, token.split(",")))
    except ValueError:
        raise _bad_field("not numbers separated by commas") from None
    if "_" in token:
        raise _bad_field("not decimal numbers")
    return values


def _read_bool(token: str) -> bool:
    if token not in ("yes", "no"):
        raise _bad_field("neither yes nor no")
    return token == "yes"


def _read_texts(token: str) -> tuple[str, ...]:
    return tuple(unquote(part) for part in token.split(",")) if token else ()


def _write_texts(texts: tuple[str, ...]) -> str:
    if "" in texts:
        raise LocalProtocolError("an empty text cannot stand in a list")
    return ",".join(quote(text).replace(",", "%2C") for text in texts)


_SINGLE: dict[type, tuple[Reader, Writer]] = {
    int: (_read_int, str),
    float: (_read_float, repr),
    bool: (_read_bool, lambda value: "yes" if value else "no"),
    str: (unquote, quote),
}
_TUPLES: dict[type, tuple[Reader, Writer]] = {
    float: (_read_floats, lambda values: ",".join(map(repr, values))),
    int: (
        lambda token: tuple(map(_read_int, token.split(","))) if token else (),
        lambda values: ",".join(map(str, values)),
    ),
    str: (_read_texts, _write_texts),
}


def _reader_and_writer(annotation: Any) -> tuple[Reader, Writer]:
    """Return the reader and the writer of a field type; `X | None` is left out when None."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _reader_and_writer(get_args(annotation)[0])
    if origin in (Union, UnionType):
        (plain,) = (part for part in get_args(annotation) if part is not NoneType)
        return _reader_and_writer(plain)
    if origin is tuple:
        inner = get_args(annotation)[0]
        return _TUPLES[get_args(inner)[0] if get_origin(inner) is Annotated else inner]
    for plain_type, pair in _SINGLE.items():
        if annotation is plain_type:
            return pair
    raise TypeError(f"no way to write a field of type {annotation}")


class _Layout:
    """How the lines of one verb are read and written.

    Speed matters here: every result passes once through `read` and `write`. A field is named in an
    error only if it fails.
    """

    def __init__(self, message_type: type[Message]) -> None:
        self.verb = message_type.verb
        self.rest = message_type.rest
        fields = {
            name: _reader_and_writer(field.annotation)
            for name, field in message_type.model_fields.items()
        }
        self.positional = [(name, *fields.pop(name)) for name in message_type.positional]
        rest = fields.pop(self.rest, None)
        assert not (rest and fields), "behind the rest of the line there is no room for a key"
        self.keyed = fields
        self.required = frozenset(
            name for name in self.keyed if message_type.model_fields[name].is_required()
        )
        # A flag that is off is left out: older peers never see the key.
        self.left_out = {
            name: False for name in self.keyed if message_type.model_fields[name].default is False
        }
        self.write = FAST_WRITERS.get(message_type, self.write_slowly)
        self._read_fast = FAST_READERS.get(message_type)
        self._message_type = message_type

    @cached_property
    def validate(self) -> Callable[[dict[str, Any]], Any]:
        """Builds a message from its fields; made when first needed, see Message."""
        self._message_type.model_rebuild()
        return self._message_type.__pydantic_validator__.validate_python

    def write_slowly(self, message: Message) -> str:
        """Write any message by its layout."""
        fields = message.__dict__
        words = [self.verb]
        for name, _, writer in self.positional:
            words.append(writer(fields[name]))
        for name, (_, writer) in self.keyed.items():
            value = fields[name]
            if value is not self.left_out.get(name):
                words.append(f"{name}={writer(value)}")
        if self.rest:
            words.append(fields[self.rest])
        return " ".join(words)

    def read(self, line: str) -> Message:
        """Read a line, by the fast reader if there is one that fits."""
        if self._read_fast is not None:
            fields = self._read_fast(line)
            if fields is not None:
                try:
                    message: Message = self.validate(fields)
                except ValidationError as error:
                    raise self._misfit(error) from None
                return message
        return self.read_slowly(line)

    def read_slowly(self, line: str) -> Message:
        """Read any line by its layout."""
        behind_verb = len(self.positional) + 1
        tokens = line.split(" ", behind_verb if self.rest else -1)
        fields: dict[str, Any] = {}
        index = 0
        try:
            for name, reader, _ in self.positional:
                index += 1
                fields[name] = reader(tokens[index])
        except IndexError:
            raise ProtocolError(ReplyCode.BAD_ARGUMENTS, f"{self.verb}: too few fields") from None
        except ProtocolError as error:
            raise ProtocolError(error.code, f"{self.verb}: {name}: {error.text}") from None
        if self.rest:
            fields[self.rest] = tokens[behind_verb] if behind_verb < len(tokens) else ""
            return self._build(fields)
        for token in tokens[behind_verb:]:
            self._read_keyed(token, fields)
        if self.required and not self.required <= fields.keys():
            missing = ", ".join(sorted(self.required - fields.keys()))
            raise ProtocolError(ReplyCode.BAD_ARGUMENTS, f"{self.verb}: missing {missing}")
        return self._build(fields)

    def _read_keyed(self, token: str, fields: dict[str, Any]) -> None:
        name, equals, value = token.partition("=")
        if not equals:
            raise ProtocolError(ReplyCode.BAD_ARGUMENTS, f"{self.verb}: a field without a key")
        if name in fields:
            raise ProtocolError(ReplyCode.BAD_ARGUMENTS, f"{self.verb}: {name} is given twice")
        if name not in self.keyed:
            return
        try:
            fields[name] = self.keyed[name][0](value)
        except ProtocolError as error:
            raise ProtocolError(error.code, f"{self.verb}: {name}: {error.text}") from None

    def _build(self, fields: dict[str, Any]) -> Message:
        try:
            message: Message = self.validate(fields)
        except ValidationError as error:
            raise self._misfit(error) from None
        return message

    def _misfit(self, error: ValidationError) -> ProtocolError:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(step) for step in first["loc"])
        return _bad_field(f"{self.verb}: {where}: {first['msg'].lower()}")


class Codec:
    """The lines of one set of messages: analyser links use one set, the control socket another."""

    def __init__(
        self, message_types: Iterable[type[Message]], line_bytes_max: int = LINE_BYTES_MAX
    ) -> None:
        self.line_bytes_max = line_bytes_max
        self._by_type = {kind: _Layout(kind) for kind in message_types}
        self._readers = {kind.verb: layout.read for kind, layout in self._by_type.items()}
        self._writers = {kind: layout.write for kind, layout in self._by_type.items()}

    @property
    def message_types(self) -> tuple[type[Message], ...]:
        """The messages of the set, in the order in which they were listed."""
        return tuple(self._by_type)

    def encode(self, message: Message) -> bytes:
        """Write a message as one line, its LF included.

        Raises:
            LocalProtocolError: the message is not one of this codec, or too long for a line.
        """
        write = self._writers.get(type(message))
        if write is None:
            raise LocalProtocolError(f"{type(message).__name__} is not a message of this link")
        line = write(message)
        if len(line) >= self.line_bytes_max:
            raise LocalProtocolError(f"{message.verb}: the line is too long")
        return f"{line}\n".encode("ascii")

    def decode(self, line: str | bytes) -> Message:
        """Read one line without its end.

        Raises:
            ProtocolError: the line cannot be read; the code gives the reason.
        """
        text = line if isinstance(line, str) else str(line, "ascii")
        read = self._readers.get(text.partition(" ")[0])
        if read is None:
            raise ProtocolError(ReplyCode.UNKNOWN_VERB, "unknown verb, try help")
        return read(text)


ANALYSER_CODEC = Codec(ANALYSER_MESSAGES)
encode = ANALYSER_CODEC.encode
decode = ANALYSER_CODEC.decode
