"""Programs with so little memory that they cannot be loaded say so in one line."""

import resource
import subprocess
import sys

import pytest

from protocol.exit_codes import ExitCode
from protocol.guards.loading import LOADED_ADDRESS_BYTES, LOADED_DATA_BYTES, check_room_to_load

PROGRAMS = {
    "manyply": "master.cli",
    "manyply-master": "master",
    "manyply-analyser": "analyser",
    "manyply-relay": "master.cli.relay",
}


def run(
    module: str, *args: str, limit: int = resource.RLIMIT_AS, byte_count: int
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", module, *args],
        preexec_fn=lambda: resource.setrlimit(limit, (byte_count, byte_count)),
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.parametrize(
    ("limit", "option", "kibibytes", "expected"),
    [
        *((resource.RLIMIT_AS, "-v", kibibytes, "65,536")
          for kibibytes in (20_000, 24_155, 29_335, 34_230, 46_228, 65_535)),
        *((resource.RLIMIT_DATA, "-d", kibibytes, "32,768")
          for kibibytes in (6_000, 8_500, 11_000, 32_767)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("program", PROGRAMS)
def test_too_little_memory_is_one_line(
    program: str, limit: int, option: str, kibibytes: int, expected: str
) -> None:
    """Most of these once ended in a traceback in the middle of an import."""
    ended = run(PROGRAMS[program], "--help", limit=limit, byte_count=kibibytes << 10)
    assert ended.returncode == ExitCode.JOB_FAILED
    words = f"too little memory (ulimit {option}): expected {expected} KiB or more"
    assert ended.stderr == f"{program}: {words}\n"


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.parametrize("program", PROGRAMS)
def test_program_loads_in_the_least_that_is_allowed(program: str) -> None:
    for limit, byte_count in (
        (resource.RLIMIT_AS, LOADED_ADDRESS_BYTES),
        (resource.RLIMIT_DATA, LOADED_DATA_BYTES),
    ):
        ended = run(PROGRAMS[program], "--help", limit=limit, byte_count=byte_count)
        assert (ended.returncode, ended.stderr) == (0, "")
        assert ended.stdout.startswith("Usage: ")


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.parametrize("mebibytes", [140, 210, 420])
def test_local_workers_that_do_not_fit_are_one_line(mebibytes: int) -> None:
    """Threads failed, an engine was not offered, or the database was called damaged."""
    words = ("rollout", "4HPwATDgc/ABMA", "--trials", "36", "--local", "2")
    ended = run("master.cli", *words, byte_count=mebibytes << 20)
    assert ended.returncode == ExitCode.JOB_FAILED
    assert ended.stderr == (
        f"manyply: too little memory: {mebibytes << 10:,} KiB are allowed (ulimit -v);"
        " expected 589,824 KiB or more; fewer workers take less (--workers N)\n"
    )


def test_limit_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    allowed = resource.RLIM_INFINITY
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (allowed, resource.RLIM_INFINITY))
    check_room_to_load("manyply")
    allowed = LOADED_DATA_BYTES - 1
    with pytest.raises(SystemExit, match="manyply: too little memory"):
        check_room_to_load("manyply")
