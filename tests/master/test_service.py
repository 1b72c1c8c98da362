from typing import Any

from engine_ext.noop.runner import noop_context
from master.service import MasterService
from master.store import JobState
from master.views import JobRequest, JobView, Update

REQUEST = JobRequest(noop_context(alternatives=3), trials=40, label="mine")


async def watch(service: MasterService, job: int) -> Update:
    """Return a job's last update."""
    last = None
    async for update in service.subscribe(job, interval_s=0.01):
        last = update
    assert last is not None
    return last


def bits(view: JobView) -> list[Any]:
    return [
        ([m.hex() for m in a.means], [e.hex() for e in a.std_errors if e is not None])
        for a in view.alternatives
    ]


async def test_job_runs_to_its_end(service: MasterService, fake_analyser: Any) -> None:
    fake_analyser().join(service)
    job = await service.submit(REQUEST)
    final = await watch(service, job)
    assert final.is_final
    assert (final.job.state, final.job.stopped_by) == (JobState.DONE, "trials")
    assert (final.job.folded, final.job.label) == (120, "mine")
    assert [a.trials for a in final.job.alternatives] == [40, 40, 40]
    assert await service.show(job) == final.job
