import asyncio
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from engine_ext.noop.question import noop_question
from engine_ext.noop.runner import noop_context
from master.contract.errors import MasterError
from master.contract.job_words import JobState, Priority
from master.contract.questions import QuestionError
from master.contract.views import JobRequest
from master.control.client import MasterClient, MasterGoneError, is_served
from master.control.server import ControlServer
from master.service.service import MasterService

pytestmark = pytest.mark.sockets
REQUEST = JobRequest(noop_context(alternatives=2), trials=20, label="mine")


@pytest.fixture
async def path(service: MasterService, tmp_path: Path) -> AsyncIterator[Path]:
    server = ControlServer(service, "attic")
    await server.start(tmp_path / "c.sock")
    yield tmp_path / "c.sock"
    await server.close()


async def test_client_sees_what_the_service_shows(
    service: MasterService, path: Path, fake_analyser: Any
) -> None:
    fake_analyser().join(service)
    async with MasterClient(path) as client:
        job = await client.submit(REQUEST)
        updates = [update async for update in client.subscribe(job, interval_s=0.05)]
        assert updates[-1].is_final
        assert updates[-1].job.state is JobState.DONE
        assert await client.show(job) == await service.show(job)
        assert await client.jobs() == await service.jobs()
        assert await client.who() == await service.who()
        assert await client.status() == await service.status()


async def test_job_goes_on_when_its_client_leaves(
    service: MasterService, path: Path, fake_analyser: Any
) -> None:
    async with MasterClient(path) as client:
        job = await client.submit(REQUEST)
        async for update in client.subscribe(job, interval_s=0.05):
            assert not update.is_final
            break
    fake_analyser().join(service)
    async with MasterClient(path) as client:
        last = [update async for update in client.subscribe(job)][-1]
    assert (last.job.state, last.job.folded) == (JobState.DONE, 40)


async def test_job_is_halted_resumed_and_extended(
    service: MasterService, path: Path, fake_analyser: Any
) -> None:
    async with MasterClient(path) as client:
        job = await client.submit(REQUEST)
        await client.prioritise(job, Priority.BACKGROUND)
        assert (await client.show(job)).priority is Priority.BACKGROUND
        await client.halt(job)
        assert (await client.show(job)).state is JobState.HALTED
        await client.resume(job)
        await client.extend(job, 5)
        fake_analyser().join(service)
        last = [update async for update in client.subscribe(job)][-1]
        assert last.job.trials == 25
        await client.forget(job)
        assert await client.jobs() == []


async def test_refusals_are_the_services_own_words(path: Path) -> None:
    async with MasterClient(path) as client:
        with pytest.raises(MasterError, match="there is no job 7"):
            await client.show(7)
        with pytest.raises(MasterError, match="needs a number of trials"):
            await client.submit(JobRequest(REQUEST.context, None))
        with pytest.raises(MasterError, match="cannot be sent: label"):
            await client.submit(JobRequest(REQUEST.context, 1, label="x" * 5000))


async def test_requests_of_one_client_do_not_wait_for_each_other(
    path: Path,
) -> None:
    async with MasterClient(path) as client:
        job = await client.submit(REQUEST)
        watching = client.subscribe(job, interval_s=0.05)
        assert not (await anext(aiter(watching))).is_final
        await client.halt(job)
        assert [update.is_final async for update in watching][-1]


async def test_nobody_at_the_socket_is_one_line(tmp_path: Path) -> None:
    assert not is_served(tmp_path / "none")
    with pytest.raises(MasterGoneError, match="no master answers at"):
        async with MasterClient(tmp_path / "none"):
            pass


async def test_served_socket_is_told_from_a_left_one(path: Path, tmp_path: Path) -> None:
    assert is_served(path)
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(tmp_path / "dead"))
    assert not is_served(tmp_path / "dead")


async def test_master_that_ends_is_noticed(tmp_path: Path) -> None:
    async def greet_and_go(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"control 1.2 name=x pid=1\n")
        await reader.readline()
        writer.close()

    server = await asyncio.start_unix_server(greet_and_go, tmp_path / "c.sock")
    async with MasterClient(tmp_path / "c.sock") as client:
        with pytest.raises(MasterGoneError, match="has gone"):
            await client.jobs()
        with pytest.raises(MasterGoneError, match="has gone"):
            await client.jobs()
    server.close()


async def test_replies_to_requests_at_once_are_never_answered_crosswise(
    service: MasterService, path: Path
) -> None:
    status = await service.status()
    async with MasterClient(path) as client:
        many = await asyncio.gather(*(client.status() for _ in range(5)), client.who())
    assert many == [status] * 5 + [()]


async def served_by(path: Path, *answers: bytes) -> asyncio.Server:
    """Answer each line with the next of some answers."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answers[0])
        for said in answers[1:]:
            await reader.readline()
            writer.write(said)
        await reader.read()
        writer.close()

    return await asyncio.start_unix_server(answer, path)


async def test_master_that_does_not_number_its_replies_is_refused(tmp_path: Path) -> None:
    server = await served_by(tmp_path / "c.sock", b"control 1.1 name=x pid=1\n")
    with pytest.raises(MasterError, match=r"speaks version 1\.1 .* expected 1\.2 or a later 1\.x"):
        async with MasterClient(tmp_path / "c.sock"):
            pass
    server.close()


async def test_error_ends_the_request_that_it_names_and_no_other(tmp_path: Path) -> None:
    greeting, said = b"control 1.3 name=x pid=1\n", b"info 2 fine\n"
    error = b"error unknown-verb text=no request=1\n"
    server = await served_by(tmp_path / "c.sock", greeting, said, error + b"ok 2\n")
    async with MasterClient(tmp_path / "c.sock") as client:
        halted = asyncio.create_task(client.halt(1))
        await asyncio.sleep(0)
        assert await client.status() == ["fine"]
        with pytest.raises(MasterError, match="unknown-verb: no"):
            await halted
    server.close()


async def test_older_master_is_not_asked_what_it_does_not_know(tmp_path: Path) -> None:
    server = await served_by(tmp_path / "c.sock", b"control 1.7 name=x pid=1\n")
    async with MasterClient(tmp_path / "c.sock") as client:
        with pytest.raises(MasterError, match="too old for priorities: restart it"):
            await client.prioritise(1, Priority.BACKGROUND)
    server.close()


QUESTIONS = [noop_question(rounds=10, number=number) for number in range(600)]


async def test_questions_are_answered_as_by_the_service(
    service: MasterService, path: Path, fake_analyser: Any
) -> None:
    fake_analyser().join(service)
    reported: list[tuple[int, str]] = []
    async with MasterClient(path) as client:
        asked = [*QUESTIONS, QUESTIONS[0]]
        answers = await client.ask(
            asked, on_answer=lambda index, text: reported.append((index, text))
        )
    assert answers == await service.ask(asked)
    assert sorted(reported) == list(enumerate(answers))


async def test_questions_of_a_client_that_leaves_or_cancels_are_stopped(
    service: MasterService, path: Path
) -> None:
    async with MasterClient(path) as client:
        calls = [asyncio.create_task(client.ask(QUESTIONS[i : i + 5])) for i in (0, 100)]
        while service._open_questions.waiting_count < 10:  # noqa: ASYNC110  # nobody tells of it
            await asyncio.sleep(0)
        calls[0].cancel()
        while service._open_questions.waiting_count > 5:  # noqa: ASYNC110
            await asyncio.sleep(0)
        assert (await client.status())[2].startswith("questions: 5 wait")
    while service._open_questions.waiting_count:  # noqa: ASYNC110
        await asyncio.sleep(0)
    with pytest.raises(MasterGoneError):
        await calls[1]


async def test_refused_question_is_named_by_its_place(path: Path) -> None:
    async with MasterClient(path) as client:
        with pytest.raises(QuestionError, match="unknown kind") as caught:
            await client.ask([QUESTIONS[0], "go/1"])
    assert caught.value.index == 1
