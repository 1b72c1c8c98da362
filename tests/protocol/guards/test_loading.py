"""Programs with so little memory that they cannot be loaded say so in one line."""

import resource
import subprocess
import sys

import pytest

from protocol.exit_codes import ExitCode
from protocol.guards.loading import LOADED_BYTES_MIN, check_address_space

PROGRAMS = {
    "manyply": "master.cli",
    "manyply-master": "master",
    "manyply-analyser": "analyser",
    "manyply-relay": "master.cli.relay",
}


def help_of(module: str, address_space: int) -> subprocess.CompletedProcess[str]:
    limits = (address_space, address_space)
    return subprocess.run(
        [sys.executable, "-P", "-m", module, "--help"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limits),
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.parametrize("kibibytes", [20_000, 24_155, 29_335, 34_230, 46_228, 65_535])
@pytest.mark.parametrize("program", PROGRAMS)
def test_too_little_memory_is_one_line(program: str, kibibytes: int) -> None:
    """Python alone takes 16 MiB; most of these ended in a traceback in the middle of an import."""
    ended = help_of(PROGRAMS[program], kibibytes << 10)
    assert ended.returncode == ExitCode.JOB_FAILED
    expected = "expected 65,536 KiB or more"
    assert ended.stderr == f"{program}: too little memory (ulimit -v): {expected}\n"


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.parametrize("program", PROGRAMS)
def test_program_loads_in_the_least_that_is_allowed(program: str) -> None:
    ended = help_of(PROGRAMS[program], LOADED_BYTES_MIN)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("Usage: ")


def test_limit_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    allowed = resource.RLIM_INFINITY
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (allowed, resource.RLIM_INFINITY))
    check_address_space("manyply")
    allowed = LOADED_BYTES_MIN - 1
    with pytest.raises(SystemExit, match="manyply: too little memory"):
        check_address_space("manyply")
