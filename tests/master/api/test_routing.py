"""Operations: their methods' types read requests, write answers and refuse the rest."""

import asyncio
import json
import re
from dataclasses import dataclass
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp

from master.api.application import DocumentHandlers, SessionHandlers, make_application
from master.api.routing import (
    BODY_BYTES_MAX,
    BoundOperation,
    Operation,
    operations_of,
    read_body,
    read_part,
)
from master.api.rules import Need, RefusedError
from master.api.site import Background
from master.contract.job_words import JOB_MAX, JobNumber
from master.contract.shapes import Asked, Count, Shown
from tests.master.api.asgi import (
    BEARER,
    JSON,
    Answer,
    application,
    asked,
    calling,
    operations,
    rules_of,
)
from tests.master.api.fake_master import VIEW

ALL = [
    *operations(),
    *operations_of(SessionHandlers(rules_of())),
    *operations_of(DocumentHandlers(())),
]


@dataclass(frozen=True, slots=True)
class Sum(Asked):
    """Numbers to add."""

    first: Count
    second: Annotated[int, Field(le=9)] = 1


@dataclass(frozen=True, slots=True)
class Total(Shown):
    """What came of it."""

    total: int
    heard: str = ""


class Adding:
    """Adds."""

    def __init__(self) -> None:
        self.calls = 0

    @Operation("POST", "/sums", Need.NOTHING, body_bytes_max=40, body_s=0.01)
    async def add(self, body: Sum) -> Total:
        """Add two numbers."""
        self.calls += 1
        return Total(body.first + body.second)

    @Operation("POST", "/sums/{job}/forget", Need.NOTHING)
    async def forget(self, job: JobNumber) -> Total:
        """Take a number and nothing else."""
        self.calls += 1
        return Total(job)

    @Operation("GET", "/sums/{job}/{frame}", Need.NOTHING)
    async def show(self, job: JobNumber, frame: Count, note: str, request: Request) -> Total:
        """Add the numbers of a path."""
        return Total(job + frame, note or request.method)

    @Operation("GET", "/made", Need.NOTHING, media="text/plain")
    async def made(self) -> Response:
        """Make an answer by hand."""
        return Response("made", media_type="text/plain")

    async def helper(self) -> Total:
        """Be no operation."""
        return Total(0)


def adding() -> tuple[Adding, ASGIApp]:
    handler = Adding()
    return handler, make_application([handler])


async def said(app: ASGIApp, path: str, *pieces: bytes, is_ended: bool = True) -> Answer:
    return await asked(app, "POST", path, {}, *pieces, is_ended=is_ended)


# The operations of a handler.


def test_operations_of_a_handler_are_the_marked_methods_in_their_order() -> None:
    found = list(operations_of(Adding()))
    assert [each.name for each in found] == ["add", "forget", "show", "made"]
    assert found[0].summary == "Add two numbers."
    assert found[2].signature.parts == {"job": JobNumber, "frame": Count}
    assert found[2].signature.query == {"note": str}
    assert [each.signature.answer for each in found] == [Total, Total, Total, None]


@pytest.mark.parametrize("endpoint", ALL, ids=lambda each: each.name)
def test_change_is_posted_with_the_token_and_no_other_request_is(endpoint: BoundOperation) -> None:
    marked = endpoint.operation
    assert (marked.method == "POST") == (marked.need is Need.TOKEN)
    assert marked.method in ("GET", "POST")
    assert (endpoint.signature.body is not None) == (marked.method == "POST")
    assert (endpoint.signature.answer is not None) <= (marked.media == "application/json")


@pytest.mark.parametrize("endpoint", ALL, ids=lambda each: each.name)
def test_parts_of_a_path_are_numbers_and_each_query_is_a_text(endpoint: BoundOperation) -> None:
    found = endpoint.signature
    assert list(found.parts) == re.findall(r"{(\w+)}", endpoint.operation.path)
    assert set(found.query.values()) <= {str}
    assert endpoint.summary


def test_no_operation_is_there_twice() -> None:
    ways = [(each.operation.method, each.operation.path) for each in ALL]
    names = [each.name for each in ALL]
    assert len(set(ways)) == len(ways)
    assert len(set(names)) == len(names)


# Requests.


async def test_body_is_read_and_the_answer_written_by_the_types_of_the_method() -> None:
    _, app = adding()
    answer = await said(app, "/sums", b'{"fir', b'st": 2, "second": 3}')
    assert (answer.status, answer.body) == (200, b'{"total":5,"heard":""}')
    assert answer.fields["content-type"] == "application/json"
    assert (await said(app, "/sums", b'{"first": 2}')).json["total"] == 3


async def test_parts_of_a_path_the_query_and_the_request_are_given() -> None:
    _, app = adding()
    assert (await asked(app, "GET", "/sums/3/0?note=a%20b&other=c")).json == {
        "total": 3,
        "heard": "a b",
    }
    assert (await asked(app, "GET", "/sums/3/4")).json == {"total": 7, "heard": "GET"}
    assert (await asked(app, "GET", "/made")).body == b"made"


async def test_part_that_is_no_number_is_unknown() -> None:
    _, app = adding()
    for path, code in (("/sums/0/1", "unknown-job"), ("/sums/1/x", "unknown-frame")):
        answer = await asked(app, "GET", path)
        assert (answer.status, answer.json["code"]) == (404, code)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"", "body: invalid JSON: EOF while parsing a value at line 1 column 0"),
        (b"[]", "body: expected an object"),
        (b"null", "body: expected an object"),
        (b"{}", "first: it is needed"),
        (b'{"first": true}', "first: expected a valid integer"),
        (b'{"first": "1"}', "first: expected a valid integer"),
        (b'{"first": -1}', "first: expected greater than or equal to 0"),
        (b'{"first": 1.5}', "first: expected a valid integer"),
        (b'{"first": 1, "second": 10}', "second: expected less than or equal to 9"),
        (b'{"first": 1, "third": 1}', "third: there is no such field"),
        (b"\xff", "body: "),
        (b"[" * 39, "body: "),
    ],
)
async def test_other_bodies_are_refused_in_words(body: bytes, text: str) -> None:
    handler, app = adding()
    answer = await said(app, "/sums", body)
    assert (answer.status, answer.json["code"]) == (422, "bad-body")
    assert answer.json["text"].startswith(text)
    assert handler.calls == 0


@pytest.mark.parametrize("body", [b"NaN", b"1e400", b"1_000", b'"1_000"', b"Infinity"])
async def test_what_python_takes_for_a_number_and_json_does_not_is_refused(body: bytes) -> None:
    handler, app = adding()
    assert (await said(app, "/sums", b'{"first": %s}' % body)).status == 422
    assert handler.calls == 0


async def test_empty_object_is_posted_where_an_operation_takes_no_fields() -> None:
    handler, app = adding()
    assert (await said(app, "/sums/1/forget", b"{}")).json["total"] == 1
    for body in (b"", b"[]", b'{"a": 1}', b"null"):
        assert (await said(app, "/sums/1/forget", body)).status == 422
    assert handler.calls == 1


async def test_deeply_nested_body_is_refused() -> None:
    _, app = adding()
    assert (await said(app, "/sums/1/forget", b"[" * BODY_BYTES_MAX)).status == 422


async def test_body_has_a_limit() -> None:
    handler, app = adding()
    half = b" " * 21
    answer = await said(app, "/sums", half, half)
    assert (answer.status, answer.json["code"]) == (413, "too-large")
    assert answer.json["text"] == "expected at most 40 bytes"
    assert (await said(app, "/sums", b'{"first": 1}'.ljust(40))).status == 200
    assert handler.calls == 1


async def test_body_has_a_deadline() -> None:
    handler, app = adding()
    answer = await said(app, "/sums", b"{", is_ended=False)
    assert (answer.status, answer.json["code"]) == (408, "too-slow")
    assert handler.calls == 0


async def test_body_of_a_change_has_a_limit_at_the_real_interface() -> None:
    master, app = application(VIEW)
    half = b" " * (BODY_BYTES_MAX // 2 + 1)
    answer = await asked(app, "POST", "/api/jobs/1/halt", BEARER | JSON, half, half)
    assert (answer.status, answer.json["code"]) == (413, "too-large")
    assert master.asked == []


async def test_client_that_leaves_before_its_body_ended_asks_for_nothing() -> None:
    handler, app = adding()
    async with calling(app, "POST", "/sums", {}, (b'{"first": 1}',), is_ended=False) as call:
        call.leave()
        assert (await call.sent.get())["status"] == 400
        assert json.loads((await call.sent.get())["body"])["code"] == "gone"
    assert handler.calls == 0


# Their values.


@given(st.integers(1, JOB_MAX))
def test_numbers_of_jobs_are_read(job: int) -> None:
    assert read_part("job", str(job), JobNumber) == job


@pytest.mark.parametrize(
    "text",
    ["", "0", "-1", "+1", "01", "1.0", "1_000", "1e3", " 1", "x", "\u0661", "1\n", "9" * 99,
     str(JOB_MAX + 1)],
)  # fmt: skip
def test_other_texts_name_no_job(text: str) -> None:
    with pytest.raises(RefusedError, match="expected the number of a job") as refused:
        read_part("job", text, JobNumber)
    assert (refused.value.refusal.status, refused.value.refusal.code) == (404, "unknown-job")


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_body_is_read_or_refused_in_a_line(body: bytes) -> None:
    try:
        found = read_body(body, Sum)
    except RefusedError as error:
        refusal = error.refusal
    else:
        assert json.loads(body)["first"] == found.first
        return
    assert (refusal.status, refusal.code) == (422, "bad-body")
    assert "\n" not in refusal.text


# What goes on.


async def test_background_work_is_awaited_and_ends_with_the_interface() -> None:
    async def work() -> str:
        await may_end.wait()
        return "done"

    may_end, background = asyncio.Event(), Background()
    ended = background.begin(work())
    may_end.set()
    assert await ended == "done"
    may_end.clear()
    left = background.begin(work())
    await background.aclose()
    assert left.cancelled()
