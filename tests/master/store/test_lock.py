import subprocess
import sys
from pathlib import Path

import pytest

from master.store.errors import JobBusyError, StoreError
from master.store.lock import JobLock, is_locked

HOLDER = """
import sys
from pathlib import Path
from master.store.lock import JobLock
lock = JobLock(Path(sys.argv[1]), 1)
print("locked", flush=True)
sys.stdin.read()
"""


def test_job_is_free_again_when_its_lock_is_released(tmp_path: Path) -> None:
    with JobLock(tmp_path, 1) as lock:
        assert is_locked(tmp_path, 1)
        with pytest.raises(JobBusyError, match="job 1 is being run by another process"):
            JobLock(tmp_path, 1)
        JobLock(tmp_path, 2).release()
    lock.release()
    assert not is_locked(tmp_path, 1)


def test_unknown_job_is_not_locked(tmp_path: Path) -> None:
    assert not is_locked(tmp_path, 1)


def test_lock_that_cannot_be_made_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "locks").write_text("")
    with pytest.raises(StoreError, match="cannot lock job 1"):
        JobLock(tmp_path, 1)


@pytest.mark.slow
def test_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"locked\n"
        with pytest.raises(JobBusyError, match=f"process {holder.pid}"):
            JobLock(tmp_path, 1)
        holder.kill()
        holder.wait()
    JobLock(tmp_path, 1).release()
