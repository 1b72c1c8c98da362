"""The jobs of a fleet on a batch system, its folder, and what is asked for them."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from master.config.fleet_specs import JOBS_MAX
from master.fleets.batch import batch_fleet
from master.fleets.batch.batch_fleet import BatchPlacer
from master.fleets.batch.batch_systems import SYSTEMS
from master.fleets.placing import FleetFailedError, Invitation, Kept, Member, MemberState

INVITATION = Invitation("10.0.0.1", 4700, "night-1", "correct horse battery staple")


class Parsl:
    """Answers calls, and remembers them."""

    def __init__(self, states: dict[str, str] | None = None, failed: str = "") -> None:
        self.asked: list[dict[str, Any]] = []
        self.states = states or {}
        self.failed = failed
        self.let: asyncio.Event | None = None

    async def ask(self, order: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(order)
        if self.let is not None:
            await self.let.wait()
        if self.failed:
            return {"failed": self.failed}
        jobs = [f"{20 + number}.server" for number in range(order.get("count", 0))]
        return {"jobs": jobs, "states": self.states}


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's state folder, and a PATH with all programs of all systems."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for system in SYSTEMS.values():
        for name in system.programs:
            program = tmp_path / "bin" / name
            program.parent.mkdir(exist_ok=True)
            program.write_text("#!/bin/sh\n")
            program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return tmp_path / "manyply" / "fleets"


def placer(parsl: Parsl, kept: Kept | None = None, kind: str = "pbs") -> BatchPlacer:
    return BatchPlacer(kind, "night", "night-1", kept or {}, parsl.ask)


async def test_start_submits_so_many_jobs_with_the_secret_in_a_file(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MANYPLY_BATCH_OPTIONS", "-A dice")
    monkeypatch.setenv("MANYPLY_BATCH_WALLTIME", "1:00:00")
    parsl, folder = Parsl(), state / "night-1.jobs"
    kept = await placer(parsl).start(INVITATION, 2)
    assert kept == {"jobs": "20.server,21.server", "folder": str(folder)}
    [order] = parsl.asked
    assert (order["call"], order["kind"], order["queue"], order["count"], order["walltime"]) == (
        "submit", "pbs", "night", 2, "1:00:00",
    )  # fmt: skip
    assert order["options"].endswith("\n#PBS -A dice")
    assert f"--secret {folder}/secret" in order["script"]
    assert INVITATION.secret not in str(order)
    modes = [path.stat().st_mode & 0o777 for path in (folder, folder / "secret")]
    assert modes == [0o700, 0o600]
    assert (folder / "secret").read_text() == INVITATION.secret + "\n"


async def test_secret_that_the_system_copies_is_named_without_its_folder() -> None:
    parsl = Parsl()
    await placer(parsl, kind="condor").start(INVITATION, 1)
    assert "--secret secret " in parsl.asked[0]["script"]


@pytest.mark.parametrize("kind", SYSTEMS)
async def test_members_are_the_jobs_that_are_not_over(kind: str) -> None:
    states = {"9": "RUNNING", "10": "PENDING", "11": "FAILED", "12": "COMPLETED", "13": "HELD"}
    found = await placer(Parsl(states), {"jobs": ",".join(states)}, kind).members()
    assert found == (
        Member(f"{kind}-9", MemberState.RUNNING, "RUNNING"),
        Member(f"{kind}-10", MemberState.PENDING, "PENDING"),
        Member(f"{kind}-11", MemberState.LOST, "FAILED"),
        Member(f"{kind}-13", MemberState.PENDING, "HELD"),
    )


async def test_nothing_is_asked_of_a_fleet_without_jobs(state: Path) -> None:
    parsl = Parsl()
    fleet = placer(parsl)
    assert await fleet.members() == ()
    await fleet.stop()
    assert parsl.asked == []


STATES = {"7": "RUNNING", "8": "PENDING", "9": "RUNNING", "5": "COMPLETED", "6": "FAILED"}


async def test_fewer_cancels_who_waits_first_and_more_submits_what_is_missing() -> None:
    parsl, jobs = Parsl(STATES), {"jobs": ",".join(STATES)}
    assert (await placer(parsl, jobs).scale(INVITATION, 1))["jobs"] == "7,8,9,6"
    assert parsl.asked[-1]["call"] == "cancel"
    assert parsl.asked[-1]["jobs"] == ["9", "8"]
    assert (await placer(parsl, jobs).scale(INVITATION, 3))["jobs"] == "7,8,9,6"
    kept = await placer(parsl, jobs).scale(INVITATION, 4)
    assert kept["jobs"] == "7,8,9,6,20.server"
    assert parsl.asked[-1]["count"] == 1


async def test_stop_cancels_all_and_removes_the_folder(state: Path) -> None:
    parsl = Parsl()
    kept = await placer(parsl).start(INVITATION, 2)
    later = placer(parsl, kept)
    await later.stop()
    await later.stop()
    assert [order["call"] for order in parsl.asked] == ["submit", "cancel"]
    assert parsl.asked[-1]["jobs"] == ["20.server", "21.server"]
    assert os.listdir(state) == []


async def test_what_fails_leaves_no_file_and_a_fleet_that_cannot_be_ended_keeps_its_own(
    state: Path,
) -> None:
    parsl = Parsl()
    kept = await placer(parsl).start(INVITATION, 2)
    parsl.failed = "qdel: no"
    with pytest.raises(FleetFailedError, match="qdel: no"):
        await placer(parsl, kept).stop()
    with pytest.raises(FleetFailedError, match="qdel: no"):
        await BatchPlacer("pbs", "", "other-1", {}, parsl.ask).start(INVITATION, 1)
    assert os.listdir(state) == ["night-1.jobs"]


async def test_jobs_of_a_start_that_is_cancelled_are_known_and_can_be_ended(state: Path) -> None:
    parsl = Parsl()
    parsl.let = asyncio.Event()
    fleet = placer(parsl)
    starting = asyncio.ensure_future(fleet.start(INVITATION, 2))
    async with asyncio.timeout(5):
        while not parsl.asked:  # noqa: ASYNC110  # a thread writes the secret first
            await asyncio.sleep(0)
    starting.cancel()
    asyncio.get_running_loop().call_soon(parsl.let.set)
    with pytest.raises(asyncio.CancelledError):
        await starting
    await fleet.stop()
    assert parsl.asked[-1]["jobs"] == ["20.server", "21.server"]
    assert os.listdir(state) == []


async def test_what_cannot_be_is_said_in_a_line(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parsl = Parsl()
    with pytest.raises(FleetFailedError, match="pbs:N"):
        await placer(parsl).start(INVITATION, None)
    with pytest.raises(FleetFailedError, match="200 jobs at most"):
        await placer(parsl, {"jobs": "7"}).start(INVITATION, JOBS_MAX)
    with pytest.raises(FleetFailedError, match="characters that a shell reads"):
        await placer(parsl, {"folder": "/a b"}).start(INVITATION, 1)
    monkeypatch.setenv("MANYPLY_BATCH_WALLTIME", "1h")
    with pytest.raises(FleetFailedError, match="expected H:MM:SS"):
        await placer(parsl).start(INVITATION, 1)
    monkeypatch.setenv("PATH", str(state))
    with pytest.raises(FleetFailedError, match="lsf takes bsub, bjobs, bkill: not found in PATH"):
        await placer(parsl, kind="lsf").start(INVITATION, 1)
    with pytest.raises(FleetFailedError, match="cannot run lsid"):
        await placer(parsl, kind="lsf").own_host()
    assert parsl.asked == []
    assert os.listdir(state) == []


async def test_own_host_faces_the_machine_that_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "lsid"
    program.write_text("#!/bin/sh\necho My master name is localhost\n")
    program.chmod(0o755)
    assert await placer(Parsl(), kind="lsf").own_host() in ("127.0.0.1", "::1")
    program.write_text("#!/bin/sh\n")
    with pytest.raises(FleetFailedError, match="lsid names no machine"):
        await placer(Parsl(), kind="lsf").own_host()


@pytest.mark.slow
async def test_call_is_a_process_and_its_failure_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_fleet, "_ARGV", ("/bin/sh", "-c", "cat >&2; echo '{\"a\": 1}'"))
    assert await batch_fleet.ask_parsl({}) == {"a": 1}
