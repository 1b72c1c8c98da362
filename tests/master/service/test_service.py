from typing import Any

import pytest

from master.config.fleet_list import ExecAddress, FleetEntry
from master.contract.job_words import JobState
from master.service.service import MasterService
from protocol.address import Address
from protocol.messages import Drain, Message, Trials
from tests.master.service.watching import REQUEST, silent, until, watch


async def noticed(service: MasterService, job: int, word: str) -> str:
    """Return the first notice with a word in it."""
    async for update in service.subscribe(job, interval_s=0.01):
        for notice in update.notices:
            if word in notice.text:
                return notice.text
    raise AssertionError(f"no notice about {word}")


async def test_analyser_that_drains_is_given_nothing_more(
    service: MasterService, fake_analyser: Any
) -> None:
    leaving = fake_analyser("leaving", lambda request: [Drain()]).join(service)
    job = await service.submit(REQUEST)
    await leaving.request_came.wait()
    await until(lambda: [line.state for line in service.analysers()] == ["draining"])
    await leaving.leave("drained")
    fake_analyser("other").join(service)
    assert (await watch(service, job)).job.state is JobState.DONE


async def test_unreachable_analyser_is_a_warning_and_the_job_goes_on(
    service: MasterService, fake_analyser: Any
) -> None:
    with_nobody = FleetEntry("attic", Address("127.0.0.1", 9))
    assert await service.add_analyser(with_nobody) == "cannot connect: Connection refused"
    fake_analyser().join(service)
    job = await service.submit(REQUEST)
    final = await watch(service, job)
    assert final.job.state is JobState.DONE
    text = await noticed(service, job, "refused")
    assert text == "analyser 127.0.0.1:9: cannot connect: Connection refused"
    states = {line.name: line.state for line in final.analysers}
    assert states == {"attic": "connecting", "fake": "ready"}


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo hello", "not-manyply"),
        ("printf '\\000\\377\\n'", "not-manyply"),
        ("echo analyser 99.0 name=x cores=1", "wrong-version"),
        ("exit 0", "the peer closed the connection"),
    ],
)
@pytest.mark.slow
async def test_analyser_that_speaks_nonsense_is_a_warning(
    service: MasterService, script: str, reason: str
) -> None:
    entry = FleetEntry("odd", ExecAddress(("sh", "-c", script)))
    assert reason in await service.add_analyser(entry)


async def test_command_that_does_not_exist_is_a_warning(service: MasterService) -> None:
    entry = FleetEntry("none", ExecAddress(("/no/such/command",)))
    assert await service.add_analyser(entry) == "cannot connect: No such file or directory"


async def test_bad_values_quarantine_an_analyser(
    service: MasterService, fake_analyser: Any, honest: Any
) -> None:
    def lie(request: Trials) -> list[Message]:
        first, *rest = honest(request)
        return [first.model_copy(update={"values": (0.1,)}), *rest]

    liar = fake_analyser("liar", lie).join(service)
    job = await service.submit(REQUEST)
    assert "liar" in await noticed(service, job, "refused from now on")
    again = fake_analyser("liar").join(service)
    await until(lambda: liar.link.is_closed and again.link.is_closed)
    fake_analyser("good").join(service)
    assert (await watch(service, job)).job.state is JobState.DONE


async def test_status_tells_the_durability(service: MasterService) -> None:
    assert any("synchronous=FULL" in line for line in await service.status())


async def test_a_task_that_dies_of_our_mistake_ends_the_job_with_an_error(
    service: MasterService, fake_analyser: Any, caplog: pytest.LogCaptureFixture
) -> None:
    class BrokenLink:
        peer = "broken"

        def __getattr__(self, name: str) -> Any:
            raise AssertionError("a mistake of ours")

    fake_analyser(answer=silent).join(service)
    job = await service.submit(REQUEST)
    service.add_link(BrokenLink())  # type: ignore[arg-type]
    view = (await watch(service, job)).job
    assert view.stopped_by == "halted"
    assert "internal error: AssertionError: a mistake of ours" in view.error
    assert "a task of the master died" in caplog.text
