"""What is set cannot be taken back: each test asks a process of its own."""

import os
import subprocess
import sys

import pytest

from analyser.lending import size_text
from analyser.limits import (
    LimitError,
    default_worker_count,
    least_memory,
    limit_memory,
    pin_to_cores,
    usable_cores,
)
from tests.daemons.analyser_programs import ENVIRON


def said_by(program: str) -> str:
    """Return what a program says that has everything of `limits`."""
    program = f"import os, resource, signal\nfrom analyser.limits import *\n{program}"
    argv = [sys.executable, "-c", program]
    done = subprocess.run(
        argv, env=ENVIRON, capture_output=True, text=True, timeout=20, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_last_cores_are_used_by_threads_to_come_too() -> None:
    program = """
import threading
pin_to_cores(1)
thread = threading.Thread(target=lambda: print(sorted(os.sched_getaffinity(0))))
thread.start()
thread.join()
print(default_worker_count())
"""
    assert said_by(program).splitlines() == [str(usable_cores()[-1:]), "1"]


def test_more_cores_than_there_are_are_refused() -> None:
    count = len(usable_cores())
    text = f"{count + 1} is more than the {count} that this process may use"
    with pytest.raises(LimitError, match=text):
        pin_to_cores(count + 1)
    assert len(usable_cores()) == count


def test_workers_are_no_more_than_the_cores() -> None:
    assert 1 <= default_worker_count() <= len(usable_cores())


def test_nice_is_raised_and_never_lowered() -> None:
    program = "for n in (18, 19, 3):\n be_nice(n)\n print(os.getpriority(os.PRIO_PROCESS, 0))"
    was = os.getpriority(os.PRIO_PROCESS, 0)
    assert said_by(program).split() == [str(max(was, 18)), "19", "19"]


@pytest.mark.parametrize(("workers", "words"), [(1, "1 worker"), (8, "8 workers")])
def test_too_little_memory_is_refused_with_the_least(workers: int, words: str) -> None:
    least = least_memory(workers)
    with pytest.raises(LimitError, match=f"is too little: {words} need {size_text(least)}$"):
        limit_memory(least - 1, workers)


def test_memory_beyond_the_limit_is_refused_by_the_kernel_and_the_rest_goes_on() -> None:
    program = """
limit_memory(least_memory(1), 1)
print(resource.getrlimit(resource.RLIMIT_DATA)[0] == least_memory(1))
kept = bytearray(ENGINES_BYTES // 2)
try:
    bytearray(ENGINES_BYTES)
except MemoryError:
    print("no more")
"""
    assert said_by(program).splitlines() == ["True", "no more"]


def test_lower_limit_of_before_stays() -> None:
    program = """
resource.setrlimit(resource.RLIMIT_DATA, (300 << 20, 400 << 20))
limit_memory(500 << 20, 1)
print(*(limit >> 20 for limit in resource.getrlimit(resource.RLIMIT_DATA)))
"""
    assert said_by(program) == "300 400"


@pytest.mark.parametrize(
    ("call", "limit"),
    [
        ("os.sched_setaffinity", "pin_to_cores(1)"),
        ("os.setpriority", "be_nice(19)"),
        ("resource.setrlimit", "limit_memory(1 << 40, 1)"),
    ],
)
def test_what_may_not_be_asked_for_is_said(call: str, limit: str) -> None:
    program = f"""
def refuse(*_):
    raise PermissionError(1, "Operation not permitted")
os.getpriority = lambda *_: 0
{call} = refuse
try:
    {limit}
except LimitError as error:
    print(error)
"""
    assert "may not be asked for here: [Errno 1] Operation not permitted" in said_by(program)


# Parents.

CHILD = """
import os, time
from analyser.limits import *
end_with_parent()
print(os.getpid(), flush=True)
time.sleep(60)
"""


def test_child_ends_with_its_parent() -> None:
    program = f"""
import subprocess, sys
child = subprocess.Popen([sys.executable, "-c", {CHILD!r}], stdout=subprocess.PIPE, text=True)
child.stdout.readline()
print("begun", flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""
    argv = [sys.executable, "-c", "import os, signal\n" + program]
    # The pipe's end comes when the last of both has ended: long before the child's minute.
    done = subprocess.run(
        argv, env=ENVIRON, capture_output=True, text=True, timeout=20, check=False
    )
    assert (done.returncode, done.stdout) == (-9, "begun\n")


def test_parent_that_is_gone_already_is_noticed() -> None:
    program = """
real = os.getppid
answers = iter([real(), real() + 1])
os.getppid = lambda: next(answers)
try:
    end_with_parent()
except LimitError as error:
    print(error)
"""
    assert said_by(program) == "the process that started this one has ended"


def test_orphan_has_no_parent_to_end_with() -> None:
    program = """
os.getppid = lambda: 1
try:
    end_with_parent()
except LimitError as error:
    print(error)
"""
    assert said_by(program) == "the process that started this one has ended"


@pytest.mark.when_changed
def test_system_without_the_call_is_named() -> None:
    program = """
import ctypes
ctypes.CDLL = lambda *_, **__: object()
try:
    end_with_parent()
except LimitError as error:
    print(error)
"""
    assert said_by(program).startswith("this system cannot tell when the process")
