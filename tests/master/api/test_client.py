"""The client of a master, at the Unix socket of a server: a `Master` that is elsewhere."""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from engine_ext.noop.question import noop_question
from engine_ext.noop.runner import noop_context
from master.api import client as client_module
from master.api.client import MasterClient, MasterGoneError
from master.api.messages import API_VERSION, Analysers, JobRow
from master.api.server import MasterServer
from master.api.streams import DONE
from master.api.watching import job_row
from master.config.paths import is_served
from master.contract.errors import MasterError
from master.contract.job_words import JOB_MAX, JobState, Priority
from master.contract.questions import QuestionError
from master.contract.search_views import HotSpot, SearcherLine, SearchView
from master.contract.views import (
    AlternativeSummary,
    AnalyserLine,
    HeldPart,
    JobRequest,
    JobView,
    Notice,
    NoticeKind,
    PastIncident,
    Update,
)
from master.service.service import MasterService
from protocol.guards.access_control import AccessControl
from tests.master.api.fake_master import VIEW, FakeMaster
from tests.master.api.test_jobs import LAST, UPDATE

REQUEST = JobRequest(noop_context(alternatives=2), trials=20, label="mine")
QUESTIONS = [noop_question(rounds=10, number=number) for number in range(600)]

# Every view is the same after its way over the wire.

text = st.text(max_size=8)
number = st.integers(0, 2**50)
value = st.floats(allow_nan=False, allow_infinity=False)
rate = st.floats(0, 1e12)
requests = st.builds(
    JobRequest,
    context=st.text(min_size=1, max_size=50),
    trials=st.none() | st.integers(1, 2**40),
    stop_se=st.none() | st.floats(1e-12, 1e3),
    stop_settled=st.none() | st.floats(1e-12, 1e2),
    label=text,
)
summaries = st.integers(1, 3).flatmap(
    lambda width: st.builds(
        AlternativeSummary,
        trials=number,
        means=st.tuples(*[value] * width),
        std_errors=st.tuples(*[st.none() | value] * width),
        diff_to_best=value,
        diff_std_error=st.none() | value,
        quantiles=st.lists(value, max_size=21).map(tuple),
    )
)
searchers = st.builds(
    SearcherLine, name=text, workers=number, parts=number, nodes=number, nodes_per_s=rate
)
spots = st.builds(
    HotSpot,
    name=text,
    path=st.none() | st.lists(st.integers(0, 300), max_size=5).map(tuple),
    depth=number,
    age_s=rate,
)
bound = st.none() | st.integers(-(2**50), 2**50)
searches = st.builds(
    SearchView,
    phase=text,
    position=text,
    lower=bound,
    upper=bound,
    move=st.none() | number,
    is_exact=st.booleans(),
    nodes=number,
    seconds=rate,
    parts=number,
    shot=number,
    searchers=st.lists(searchers, max_size=3).map(tuple),
    hot_spots=st.lists(spots, max_size=3).map(tuple),
    answer=text,
)
views = st.builds(
    JobView,
    job=st.integers(1, JOB_MAX),
    context=text,
    digest=text,
    game=st.sampled_from(["noop", "?"]),
    engine=text,
    alternative_names=st.lists(text, max_size=3).map(tuple),
    value_names=st.lists(text, max_size=3).map(tuple),
    label=text,
    created=text,
    trials=st.none() | number,
    stop_se=st.none() | rate,
    stop_settled=st.none() | rate,
    state=st.sampled_from(JobState),
    stopped_by=text,
    error=text,
    folded=number,
    held=number,
    trials_per_s=rate,
    eta_s=st.none() | rate,
    alternatives=st.lists(summaries, max_size=3).map(tuple),
    caught=st.lists(text, max_size=2).map(tuple),
    search=st.none() | searches,
    priority=st.sampled_from(Priority),
)
lines = st.builds(
    AnalyserLine,
    name=text,
    address=text,
    state=text,
    workers=number,
    parts=number,
    trials=number,
    trials_per_s=rate,
    text=text,
    powers=st.lists(st.tuples(text, rate), max_size=3).map(tuple),
    round_trip_s=st.none() | rate,
    part=st.none() | st.builds(HeldPart, st.none() | st.integers(1, JOB_MAX), number, number),
    incident_counts=st.lists(st.tuples(text, number), max_size=3).map(tuple),
    incidents=st.lists(st.builds(PastIncident, text, text, text), max_size=8).map(tuple),
    key=text,
)
updates = st.builds(
    Update,
    job=views,
    analysers=st.lists(lines, max_size=3).map(tuple),
    notices=st.lists(st.builds(Notice, st.sampled_from(NoticeKind), text), max_size=3).map(tuple),
    is_final=st.booleans(),
)


def over_the_wire(sent: Any, read_as: Any) -> Any:
    """Write a value as its own type, and read it as another."""
    return TypeAdapter(read_as).validate_json(TypeAdapter(type(sent)).dump_json(sent))


@given(requests)
@pytest.mark.slow
def test_request_arrives_as_sent(request: JobRequest) -> None:
    assert repr(over_the_wire(request, JobRequest)) == repr(request)


@given(lines)
@pytest.mark.slow
def test_analyser_arrives_as_sent(line: AnalyserLine) -> None:
    sent = Analysers((line,))
    assert repr(over_the_wire(sent, Analysers)) == repr(sent)


@given(views)
@pytest.mark.when_changed
def test_job_arrives_bit_for_bit(view: JobView) -> None:
    row = JobRow(**{name: getattr(view, name) for name in JobView.__slots__}, question="q")
    assert repr(over_the_wire(row, JobRow)) == repr(row)
    assert repr(over_the_wire(row, JobView)) == repr(view)


@given(updates)
@pytest.mark.when_changed
def test_update_arrives_bit_for_bit(update: Update) -> None:
    assert repr(over_the_wire(update, Update)) == repr(update)


# A client of the real service.


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "c.sock"


@pytest.fixture
async def served(service: MasterService, path: Path, tmp_path: Path) -> AsyncIterator[Path]:
    server = MasterServer(service, AccessControl(), "attic", tmp_path)
    await server.open_socket(path)
    yield path
    await server.aclose()


@pytest.mark.sockets
async def test_client_sees_what_the_service_shows(
    service: MasterService, served: Path, fake_analyser: Any
) -> None:
    fake_analyser().join(service)
    async with MasterClient(served) as client:
        job = await client.submit(REQUEST)
        updates = [update async for update in client.subscribe(job, interval_s=0.05)]
        assert updates[-1].is_final
        assert updates[-1].job.state is JobState.DONE
        assert await client.show(job) == await service.show(job)
        assert await client.jobs() == await service.jobs()
        assert await client.who() == await service.who()
        assert await client.status() == await service.status()


@pytest.mark.sockets
async def test_job_goes_on_when_its_client_leaves(
    service: MasterService, served: Path, fake_analyser: Any
) -> None:
    async with MasterClient(served) as client:
        job = await client.submit(REQUEST)
        async for update in client.subscribe(job, interval_s=0.05):
            assert not update.is_final
            break
    fake_analyser().join(service)
    async with MasterClient(served) as client:
        last = [update async for update in client.subscribe(job)][-1]
    assert (last.job.state, last.job.folded) == (JobState.DONE, 40)


@pytest.mark.sockets
async def test_job_is_halted_resumed_and_extended(
    service: MasterService, served: Path, fake_analyser: Any
) -> None:
    async with MasterClient(served) as client:
        job = await client.submit(REQUEST)
        await client.prioritise(job, Priority.BACKGROUND)
        assert (await client.show(job)).priority is Priority.BACKGROUND
        with pytest.raises(MasterError, match=f"job {job} is being run"):
            await client.forget(job)
        await client.halt(job)
        assert (await client.show(job)).state is JobState.HALTED
        await client.resume(job)
        await client.extend(job, 5)
        fake_analyser().join(service)
        last = [update async for update in client.subscribe(job)][-1]
        assert last.job.trials == 25
        await client.forget(job)
        assert await client.jobs() == []


@pytest.mark.sockets
async def test_damaged_job_is_listed_with_its_remedy(service: MasterService, served: Path) -> None:
    async with MasterClient(served) as client:
        job = await client.submit(REQUEST)
        await client.halt(job)
        service._store._database.execute("UPDATE job SET context = 'x'")
        (view,) = await client.jobs()
        assert (view.state, view.stopped_by) == (JobState.DAMAGED, "failed")
        with pytest.raises(MasterError, match=f"manyply forget {job}"):
            await client.show(job)


@pytest.mark.sockets
async def test_refusals_are_the_services_own_words(served: Path) -> None:
    async with MasterClient(served) as client:
        with pytest.raises(MasterError, match="there is no job 7"):
            await client.show(7)
        with pytest.raises(MasterError, match="there is no job 7"):
            await anext(aiter(client.subscribe(7)))
        with pytest.raises(MasterError, match="needs a number of trials"):
            await client.submit(JobRequest(REQUEST.context, None))
        with pytest.raises(MasterError, match=r"label: .* at most 4000 characters"):
            await client.submit(JobRequest(REQUEST.context, 1, label="x" * 5000))
        with pytest.raises(MasterError, match="expected interval_s"):
            await anext(aiter(client.subscribe(1, interval_s=1e-9)))
        with pytest.raises(MasterError, match="trials: expected greater than or equal to 1"):
            await client.extend(1, 0)
        assert await client.jobs() == []


@pytest.mark.sockets
async def test_requests_of_one_client_do_not_wait_for_each_other(served: Path) -> None:
    async with MasterClient(served) as client:
        job = await client.submit(REQUEST)
        watching = client.subscribe(job, interval_s=0.05)
        assert not (await anext(aiter(watching))).is_final
        await client.halt(job)
        assert [update.is_final async for update in watching][-1]


@pytest.mark.sockets
async def test_answers_to_requests_at_once_go_to_the_right_callers(
    service: MasterService, served: Path
) -> None:
    status = await service.status()
    async with MasterClient(served) as client:
        many = await asyncio.gather(*(client.status() for _ in range(5)), client.who())
    assert many == [status] * 5 + [()]


@pytest.mark.sockets
async def test_questions_are_answered_as_by_the_service(
    service: MasterService, served: Path, fake_analyser: Any
) -> None:
    fake_analyser().join(service)
    reported: list[tuple[int, str]] = []
    async with MasterClient(served) as client:
        asked = [*QUESTIONS, QUESTIONS[0]]
        answers = await client.ask(
            asked, on_answer=lambda index, text: reported.append((index, text))
        )
        assert await client.ask([]) == []
    assert answers == await service.ask(asked)
    assert sorted(reported) == list(enumerate(answers))


@pytest.mark.sockets
async def test_questions_of_a_client_that_leaves_or_cancels_are_stopped(
    service: MasterService, served: Path
) -> None:
    async with MasterClient(served) as client:
        calls = [asyncio.create_task(client.ask(QUESTIONS[i : i + 5])) for i in (0, 100)]
        while service._open_questions.waiting_count < 10:  # noqa: ASYNC110  # it has no event
            await asyncio.sleep(0)
        calls[0].cancel()
        while service._open_questions.waiting_count > 5:  # noqa: ASYNC110
            await asyncio.sleep(0)
        assert (await client.status())[2].startswith("questions: 5 wait")
        calls[1].cancel()
        await asyncio.gather(*calls, return_exceptions=True)
    while service._open_questions.waiting_count:  # noqa: ASYNC110
        await asyncio.sleep(0)


@pytest.mark.sockets
async def test_refused_question_is_named_by_its_place(served: Path) -> None:
    async with MasterClient(served) as client:
        asked = [QUESTIONS[0], QUESTIONS[0], QUESTIONS[1], "go/1", "go/1"]
        with pytest.raises(QuestionError, match="unknown kind") as caught:
            await client.ask(asked)
        assert caught.value.index == 3
        with pytest.raises(QuestionError, match="printable ASCII") as caught:
            await client.ask(["\n"])
        assert caught.value.index == 0


# A client of a master whose answers a test sets.


@pytest.fixture
async def fake(path: Path, tmp_path: Path) -> AsyncIterator[FakeMaster]:
    master = FakeMaster(VIEW)
    server = MasterServer(master, AccessControl(), "attic", tmp_path)
    await server.open_socket(path)
    yield master
    await server.aclose()


@pytest.mark.sockets
async def test_every_call_of_a_client_arrives(fake: FakeMaster, path: Path, tmp_path: Path) -> None:
    fake.lines_of_status = ["analysers: b\u00fccher", ""]
    async with MasterClient(path) as client:
        about = await client.about()
        assert (about.name, about.api, about.state_dir) == ("attic", API_VERSION, str(tmp_path))
        assert await client.jobs() == [VIEW]
        assert await client.show(1) == VIEW
        assert await client.who() == await fake.who()
        assert await client.status() == fake.lines_of_status
        await client.halt(1)
        await client.resume(1)
        await client.extend(1, 7)
        await client.prioritise(1, Priority.URGENT)
        assert await client.submit(REQUEST) == 1
        await client.forget(1)
    assert fake.submitted == [REQUEST]
    assert fake.asked == [
        ("show", 1), ("halt", 1), ("resume", 1), ("extend", 1, 7),
        ("prioritise", 1, Priority.URGENT), ("forget", 1),
    ]  # fmt: skip


@pytest.mark.sockets
async def test_updates_come_as_they_are_made(fake: FakeMaster, path: Path) -> None:
    fake.updates = [UPDATE, LAST]
    async with MasterClient(path) as client:
        updates = client.subscribe(1, interval_s=0.25)
        first = await anext(aiter(updates))
        assert [first, *[update async for update in updates]] == [UPDATE, LAST]
    assert fake.asked == [("subscribe", 1, 0.25)]


@pytest.mark.sockets
async def test_subscription_that_is_left_ends_at_the_master(fake: FakeMaster, path: Path) -> None:
    fake.updates = [UPDATE] * 3
    async with MasterClient(path) as client:
        updates: Any = client.subscribe(1)
        fake.may_update.set()
        await anext(updates)
        fake.may_update.clear()
        await updates.aclose()
        await fake.has_left.wait()
        assert await client.jobs() == [VIEW]


@pytest.mark.sockets
async def test_each_place_of_a_text_gets_its_answer(fake: FakeMaster, path: Path) -> None:
    asked = [QUESTIONS[0], QUESTIONS[1], QUESTIONS[0]]
    reported: list[tuple[int, str]] = []
    async with MasterClient(path) as client:
        answers = await client.ask(
            asked, priority=Priority.URGENT, on_answer=lambda *given: reported.append(given)
        )
    assert answers[0] == answers[2] != answers[1]
    assert sorted(reported) == list(enumerate(answers))
    assert fake.asker.asked == asked[:2]  # each text went once
    assert fake.asker.priorities == {Priority.URGENT}


@pytest.mark.sockets
async def test_more_answers_than_one_read_takes_arrive(fake: FakeMaster, path: Path) -> None:
    asked = [noop_question(rounds=1, number=number) for number in range(3_000)]
    async with MasterClient(path) as client:
        assert await client.ask(asked) == await fake.asker.ask(asked)


@pytest.mark.sockets
async def test_refusal_of_questions_is_passed_on(fake: FakeMaster, path: Path) -> None:
    fake.error = MasterError("too many wait")
    async with MasterClient(path) as client:
        with pytest.raises(MasterError, match=r"^too many wait$") as caught:
            await client.ask(QUESTIONS[:2])
    assert not isinstance(caught.value, QuestionError)


@pytest.mark.sockets
async def test_cancelled_call_stops_its_questions(fake: FakeMaster, path: Path) -> None:
    fake.may_answer.clear()
    async with MasterClient(path) as client:
        call = asyncio.create_task(client.ask(QUESTIONS[:5]))
        await fake.is_asked.wait()
        call.cancel()
        await fake.is_stopped.wait()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert await client.jobs() == [VIEW]


# Masters that are not there, or go.

Answer = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n"
STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.fixture
async def serve(path: Path) -> AsyncIterator[Callable[[Answer], Awaitable[None]]]:
    """Have requests at the socket answered by hand."""
    servers = []

    async def begin(answer: Answer) -> None:
        servers.append(await asyncio.start_unix_server(answer, path))

    yield begin
    for server in servers:
        server.close()


def answering(*answers: bytes) -> Answer:
    """Return a master that gives answers one after the other, and then ends the connection."""
    left = list(answers)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while left and await reader.readuntil(b"\r\n\r\n"):
            writer.write(left.pop(0))
        writer.close()

    return answer


@pytest.mark.sockets
async def test_no_master_at_the_socket_is_one_line(path: Path) -> None:
    assert not is_served(path)
    with pytest.raises(MasterGoneError, match=r"^no master answers at [^\n]*: No such file"):
        async with MasterClient(path):
            pass


LINES = b'HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{"lines":["a"]}'


def answer_once_each(listener: socket.socket, answers: list[bytes], ended: threading.Event) -> None:
    """Give each answer on a connection of its own; `ended`: the first one is closed."""
    for answer in answers:
        connection, _address = listener.accept()
        connection.recv(1 << 16)
        connection.sendall(answer)
        connection.close()
        ended.set()


@pytest.mark.sockets
async def test_kept_connection_that_ended_while_the_loop_was_busy_is_not_used(path: Path) -> None:
    ended = threading.Event()
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()
        args = (listener, [OK, LINES], ended)
        master = threading.Thread(target=answer_once_each, args=args)
        master.start()
        async with MasterClient(path) as client:
            assert ended.wait(10.0)  # the loop waits with us, as during a long calculation
            assert await client.status() == ["a"]
        master.join(10.0)
    assert not master.is_alive()


@pytest.mark.sockets
async def test_served_socket_differs_from_a_left_one(
    fake: FakeMaster, path: Path, tmp_path: Path
) -> None:
    assert is_served(path)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(tmp_path / "dead"))
    assert not is_served(tmp_path / "dead")
    (tmp_path / "file").touch()
    assert not is_served(tmp_path / "file")
    with pytest.raises(MasterGoneError, match=r"no master answers at .*: Connection refused"):
        async with MasterClient(tmp_path / "dead"):
            pass


@pytest.mark.sockets
async def test_master_that_does_not_answer_is_given_up(
    path: Path, monkeypatch: pytest.MonkeyPatch, serve: Callable[[Answer], Awaitable[None]]
) -> None:
    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    monkeypatch.setattr(client_module, "ANSWER_S_MAX", 0.01)
    await serve(say_nothing)
    with pytest.raises(MasterGoneError, match="does not answer"):
        async with MasterClient(path):
            pass


@pytest.mark.sockets
async def test_master_that_ends_is_noticed(
    path: Path, serve: Callable[[Answer], Awaitable[None]]
) -> None:
    await serve(answering(OK))
    async with MasterClient(path) as client:
        for _ in range(2):
            with pytest.raises(MasterGoneError, match="no master answers at"):
                await client.jobs()


@pytest.mark.sockets
@pytest.mark.parametrize(
    "said",
    [
        STREAM,
        STREAM + b"20\r\nevent: ",
        STREAM + b"5\r\nevent\r\n",
        STREAM + b"0\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc",
        b"HTTP/1.1 200",
        b"control 1.8 name=attic pid=1\r\n\r\n",
    ],
)
async def test_master_that_dies_in_an_answer_has_gone(
    path: Path, said: bytes, serve: Callable[[Answer], Awaitable[None]]
) -> None:
    await serve(answering(OK, said))
    async with MasterClient(path) as client:
        with pytest.raises(MasterGoneError):
            await client.ask(QUESTIONS[:2])


@pytest.mark.sockets
async def test_master_that_dies_while_a_job_is_followed_has_gone(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Following(FakeMaster):
        async def subscribe(self, job: int, interval_s: float = 0.5) -> AsyncIterator[Update]:
            yield UPDATE
            await asyncio.Event().wait()

    monkeypatch.setattr("master.api.connections.CLOSING_S", 0.01)
    server = MasterServer(Following(VIEW), AccessControl(), "attic", tmp_path)
    await server.open_socket(path)
    async with MasterClient(path) as client:
        updates = aiter(client.subscribe(1))
        assert await anext(updates) == UPDATE
        closing = asyncio.ensure_future(server.aclose())
        with pytest.raises(MasterGoneError):
            await anext(updates)
        await closing
        with pytest.raises(MasterGoneError):
            await client.jobs()


@pytest.mark.sockets
@pytest.mark.parametrize(
    "body", [b"{}", b"[]", b'{"jobs": [{"job": true}]}', b'{"jobs": NaN}', b"\xff"]
)
async def test_other_answer_than_expected_is_a_master_of_another_version(
    path: Path, body: bytes, serve: Callable[[Answer], Awaitable[None]]
) -> None:
    said = b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
    await serve(answering(OK, said))
    async with MasterClient(path) as client:
        with pytest.raises(MasterError, match="is of another version: restart it") as caught:
            await client.jobs()
    assert not isinstance(caught.value, MasterGoneError)


@pytest.mark.sockets
@pytest.mark.parametrize("length", [1, 2, 3, 7, 50, 10_000])
async def test_events_arrive_however_they_are_cut(
    path: Path, length: int, serve: Callable[[Answer], Awaitable[None]]
) -> None:
    frames = b"".join(
        b'event: answers\ndata: {"answers":[[%d,"answer %d"]]}\n\n' % (at, at) for at in (2, 0, 1)
    )
    whole = b"retry: 5\n\n" + frames + DONE
    cut = [whole[at : at + length] for at in range(0, len(whole), length)]
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in cut)
    await serve(answering(OK, STREAM + chunks + b"0\r\n\r\n"))
    async with MasterClient(path) as client:
        assert await client.ask(QUESTIONS[:3]) == ["answer 0", "answer 1", "answer 2"]


@pytest.mark.sockets
async def test_one_connection_carries_one_request_after_the_other(
    path: Path, serve: Callable[[Answer], Awaitable[None]]
) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        await answering(OK, *[jobs] * 3)(reader, writer)

    connections: list[asyncio.StreamWriter] = []
    jobs = b'HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{"jobs":[]}'
    await serve(answer)
    async with MasterClient(path) as client:
        assert [await client.jobs() for _ in range(3)] == [[], [], []]
    assert len(connections) == 1


def test_row_of_a_view_is_read_as_that_view() -> None:
    assert over_the_wire(job_row(VIEW), JobView) == VIEW
