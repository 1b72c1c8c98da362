"""Operations of the interface: a method of a handler is one, and its signature is all there is.

The parameters of a path, the body and the answer are read, checked, written and described by the
types of the method that answers.
"""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeAlias, TypeVar, get_type_hints

from pydantic import TypeAdapter, ValidationError
from starlette.requests import Request
from starlette.responses import Response

from master.api.rules import SECURITY_FIELDS, Need, Refusal, RefusedError
from master.api.streams import EventStream
from master.contract.shapes import Asked, first_error

BODY_BYTES_MAX = 16_384
"""Of most bodies: a long game that leads to a position, and settings."""

BODY_S = 5.0
"""Time limit for the body of a request; it has the length of a line."""

JSON = "application/json"

_NUMBER = re.compile(r"0|[1-9][0-9]{0,15}")

Answer: TypeAlias = Response | EventStream

_MARK = "operation"

F = TypeVar("F", bound=Callable[..., Awaitable[object]])


@dataclass(frozen=True, slots=True)
class Nothing(Asked):
    """A body without fields."""


@dataclass(frozen=True)
class Operation:
    """An operation, the decorator of the method that answers it.

    Args:
        method: GET or POST.
        path: with its parameters in braces.
        need: the permission that it requires.
        media: the type of its answer.
        body_bytes_max: of a request.
        body_s: time limit for the body.
        commas_max: of a body that is long and has few values; None: no such limit.
        requests_max: at a time, from the body's first byte to the answer; None: as many as there
            may be connections.
    """

    method: str
    path: str
    need: Need
    media: str = JSON
    body_bytes_max: int = BODY_BYTES_MAX
    body_s: float = BODY_S
    commas_max: int | None = None
    requests_max: int | None = None

    def __call__(self, function: F) -> F:
        """Make a method of a handler the operation's."""
        setattr(function, _MARK, self)
        return function


@dataclass(frozen=True)
class Signature:
    """The types of an operation's method.

    Args:
        parts: of the path's parameters.
        query: of those after the question mark; each is a text that may be left out.
        body: of the body; None: a GET has none.
        answer: of the answer; None: it is a response already.
        has_request: whether the method takes the request itself.
    """

    parts: Mapping[str, Any]
    query: Mapping[str, Any]
    body: Any
    answer: Any
    has_request: bool


@dataclass(frozen=True)
class BoundOperation:
    """A method that answers an operation, bound to its handler.

    Args:
        operation: it.
        answer: the method.
        open: the requests that have no answer yet.
    """

    operation: Operation
    answer: Callable[..., Awaitable[object]]
    open: set[Request] = field(default_factory=set, compare=False)

    @property
    def name(self) -> str:
        """The name of the operation."""
        return self.answer.__name__

    @property
    def summary(self) -> str:
        """Its effect, in a line."""
        return (inspect.getdoc(self.answer) or "").partition("\n")[0]

    @property
    def signature(self) -> Signature:
        """Its types."""
        return _signature(getattr(self.answer, "__func__", self.answer), self.operation)


def operations_of(handler: object) -> Iterator[BoundOperation]:
    """Yield the operations of a handler, in the order of its class."""
    for name, function in vars(type(handler)).items():
        found = getattr(function, _MARK, None)
        if isinstance(found, Operation):
            yield BoundOperation(found, getattr(handler, name))


@cache
def _signature(function: Callable[..., object], operation: Operation) -> Signature:
    hints = get_type_hints(function, include_extras=True)
    answer = hints.pop("return")
    has_request = hints.pop("request", None) is not None
    body = hints.pop("body", None)
    if body is None and operation.method == "POST":
        body = Nothing
    names = re.findall(r"{(\w+)}", operation.path)
    parts = {name: hints.pop(name) for name in names}
    is_made = answer in (Response, EventStream, Response | EventStream)
    return Signature(parts, hints, body, None if is_made else answer, has_request)


async def respond(bound: BoundOperation, request: Request) -> Answer:
    """Return the answer to a request; RefusedError, MasterError: the reason for none."""
    requests_max = bound.operation.requests_max
    if requests_max is not None and len(bound.open) >= requests_max:
        text = f"{requests_max} such requests wait for answers already: try again in a minute"
        raise RefusedError(Refusal(503, "too-many-requests", text))
    bound.open.add(request)
    try:
        return await _answer(bound, request)
    finally:
        bound.open.remove(request)


async def _answer(bound: BoundOperation, request: Request) -> Answer:
    signature, operation = bound.signature, bound.operation
    values: dict[str, Any] = {
        name: read_part(name, str(request.path_params[name]), kind)
        for name, kind in signature.parts.items()
    }
    values |= {name: request.query_params.get(name, "") for name in signature.query}
    if signature.has_request:
        values["request"] = request
    if signature.body is not None:
        body = await request_body(request, operation.body_bytes_max, operation.body_s)
        _check_commas(body, operation.commas_max)
        read = read_body(body, signature.body)
        if signature.body is not Nothing:
            values["body"] = read
    result = await bound.answer(**values)
    if isinstance(result, Response | EventStream):
        return result
    return json_response(adapter(signature.answer).dump_json(result))


@cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    """Return what reads and writes values of a type."""
    return TypeAdapter(kind)


def read_part(name: str, text: str, kind: Any) -> object:
    """Return the number of a path; RefusedError."""
    try:
        if _NUMBER.fullmatch(text) is not None:
            return adapter(kind).validate_python(int(text))
    except ValidationError:
        pass  # refused below, as what is no number
    raise RefusedError(Refusal(404, f"unknown-{name}", f"expected the number of a {name}"))


def _check_commas(body: bytes, commas_max: int | None) -> None:
    """Refuse a body of many values before it is read: that would take long and much memory."""
    if commas_max is not None and body.count(b",") > commas_max:
        raise RefusedError(Refusal(422, "bad-body", "body: expected an object with a few texts"))


def read_body(body: bytes, kind: Any) -> Any:
    """Return the value of a body; RefusedError names what was expected."""
    try:
        return adapter(kind).validate_json(body)
    except ValidationError as error:
        raise RefusedError(Refusal(422, "bad-body", first_error(error))) from None


async def request_body(request: Request, bytes_max: int, within_s: float) -> bytes:
    """Return a request's body; RefusedError: it is too long, or too long on its way."""
    body = bytearray()
    try:
        async with asyncio.timeout(within_s):
            async for piece in request.stream():
                body += piece
                if len(body) > bytes_max:
                    text = f"expected at most {bytes_max} bytes"
                    raise RefusedError(Refusal(413, "too-large", text))
    except TimeoutError:
        text = f"expected the body within {within_s:g} s"
        raise RefusedError(Refusal(408, "too-slow", text)) from None
    return bytes(body)


def json_response(
    body: bytes, status: int = 200, fields: Mapping[str, str] | None = None
) -> Response:
    """Return the answer with a body of JSON."""
    return Response(body, status, SECURITY_FIELDS | dict(fields or {}), media_type=JSON)
