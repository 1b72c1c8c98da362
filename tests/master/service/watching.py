"""Jobs of no-op trials, and how tests watch them."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine_ext.noop.runner import noop_context
from master.contract.views import JobRequest, JobView, Update
from master.service.service import MasterService
from protocol.messages import Message, PartRequest

CONTEXT = noop_context(alternatives=3)
REQUEST = JobRequest(CONTEXT, trials=40, label="mine")


async def watch(service: MasterService, job: int) -> Update:
    """Return a job's last update."""
    async for update in service.subscribe(job, interval_s=0.01):
        last = update
    return last


async def until(is_met: Callable[[], bool]) -> None:
    """Let the loop turn until something holds."""
    async with asyncio.timeout(5):
        while not is_met():  # noqa: ASYNC110  # nobody tells of it
            await asyncio.sleep(0)


def bits(view: JobView) -> Any:
    return [(a.trials, [x.hex() for x in a.means + a.std_errors]) for a in view.alternatives]  # type: ignore[union-attr]


async def straight_run(directory: Path, request: JobRequest, fake: Any) -> JobView:
    async with MasterService(directory) as service:
        fake().join(service)
        return (await watch(service, await service.submit(request))).job


def silent(request: PartRequest) -> list[Message]:
    return []
