"""The part of HTTP/1.1 that `GET /metrics` needs: one request, one answer, the end."""

import re
from dataclasses import dataclass
from enum import Enum

HEAD_BYTES_MAX = 8_192
"""Of a request's head; Prometheus sends 300 bytes, a browser with its cookies a few thousand."""

END_OF_HEAD = re.compile(rb"\r?\n\r?\n")

_REQUEST_LINE = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]+) (/[!-~]*) HTTP/1\.[01]\r?")


class Status(Enum):
    """How a request is answered."""

    OK = "200 OK"
    BAD_REQUEST = "400 Bad Request"
    NOT_FOUND = "404 Not Found"
    METHOD_NOT_ALLOWED = "405 Method Not Allowed"
    REQUEST_TIMEOUT = "408 Request Timeout"
    TOO_LARGE = "431 Request Header Fields Too Large"
    UNAVAILABLE = "503 Service Unavailable"


@dataclass(frozen=True, slots=True)
class Request:
    """A request.

    Args:
        path: without the part from a question mark on.
        has_body: whether the answer has a body: not for HEAD.
    """

    path: str
    has_body: bool = True


def read_request(head: bytes) -> Request | Status:
    """Return a head's request, or the status that refuses it; its fields are ignored."""
    line, _, _ = head.partition(b"\n")
    match = _REQUEST_LINE.fullmatch(line)
    if match is None:
        return Status.BAD_REQUEST
    if match[1] not in (b"GET", b"HEAD"):
        return Status.METHOD_NOT_ALLOWED
    return Request(match[2].partition(b"?")[0].decode("ascii"), match[1] == b"GET")


def to_answer(
    status: Status, body: bytes = b"", content_type: str = "text/plain", *, has_body: bool = True
) -> bytes:
    """Return an answer, after which the connection ends; an empty body becomes the status.

    Args:
        status: of it.
        body: its body.
        content_type: of the body.
        has_body: whether it is sent; its length is sent in any case.
    """
    body = body or f"{status.value}\n".encode()
    fields = [
        f"HTTP/1.1 {status.value}",
        f"Content-Type: {content_type}",
        f"Content-Length: {len(body)}",
        "Cache-Control: no-store",
        "X-Content-Type-Options: nosniff",
        "Connection: close",
    ]
    if status is Status.METHOD_NOT_ALLOWED:
        fields.append("Allow: GET, HEAD")
    head = "\r\n".join([*fields, "", ""]).encode("ascii")
    return head + body if has_body else head
