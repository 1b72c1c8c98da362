import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.metrics.http import Request, Status, read_request, to_answer


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"GET /metrics HTTP/1.1", Request("/metrics")),
        (b"GET /metrics?a=b HTTP/1.0", Request("/metrics")),
        (b"HEAD / HTTP/1.1", Request("/", has_body=False)),
        (b"POST /metrics HTTP/1.1", Status.METHOD_NOT_ALLOWED),
        (b"GET /metrics", Status.BAD_REQUEST),
        (b"GET /metrics HTTP/2.0", Status.BAD_REQUEST),
        (b"GET http://a/metrics HTTP/1.1", Status.BAD_REQUEST),
        (b"GET /m\xc3\xa4 HTTP/1.1", Status.BAD_REQUEST),
        (b"analyser 2.2 name=a", Status.BAD_REQUEST),
        (b"\x16\x03\x01", Status.BAD_REQUEST),
        (b"", Status.BAD_REQUEST),
    ],
)
@pytest.mark.parametrize("ending", [b"\r\n", b"\n"])
def test_requests_are_read_or_refused(line: bytes, ending: bytes, expected: object) -> None:
    assert read_request(line + ending + b"Host: a" + ending * 2) == expected


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(head: bytes) -> None:
    assert isinstance(read_request(head), Request | Status)


def test_answer_tells_its_length_and_is_the_last() -> None:
    head, _, body = to_answer(Status.OK, b"four").partition(b"\r\n\r\n")
    assert body == b"four"
    lines = head.split(b"\r\n")
    assert lines[0] == b"HTTP/1.1 200 OK"
    assert {b"Content-Length: 4", b"Connection: close"} <= set(lines)
    assert to_answer(Status.OK, b"four", has_body=False) == head + b"\r\n\r\n"


def test_refusal_says_its_status_in_its_body() -> None:
    answer = to_answer(Status.METHOD_NOT_ALLOWED)
    assert answer.endswith(b"\r\n\r\n405 Method Not Allowed\n")
    assert b"\r\nAllow: GET, HEAD\r\n" in answer
