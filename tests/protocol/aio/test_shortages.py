"""Shortages of memory and descriptors are named in words, and keep some for the owner."""

import errno
import resource
import shutil
import subprocess
import sys

import pytest

from protocol.aio import descriptors
from protocol.aio.descriptors import (
    DESCRIPTORS_WANTED,
    allow_descriptors,
    burst_max,
    check_descriptors,
    descriptor_limit,
    is_for_owner,
    is_for_strangers,
)
from protocol.aio.shortages import ADDRESS_BYTES_MIN, check_address_space, shortage


def allow(monkeypatch: pytest.MonkeyPatch, address_bytes: int) -> None:
    limits = {resource.RLIMIT_AS: address_bytes}
    unlimited = resource.RLIM_INFINITY
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (limits.get(kind, unlimited),) * 2)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (MemoryError(), "too little memory: 1,000 KiB are allowed (ulimit -v)"),
        (OSError(errno.ENOMEM, "Cannot allocate memory"), "too little memory: 1,000 KiB"),
        (ImportError("libz.so.1: failed to map segment from shared object"), "too little memory"),
        (RuntimeError("can't start new thread"), "or too few threads are allowed (ulimit -u)"),
        (OSError(errno.EMFILE, "Too many open files"), "Too many open files"),
        (OSError(errno.ENOENT, "No such file"), ""),
        (ImportError("No module named 'a'"), ""),
        (RuntimeError("odd"), ""),
        (ValueError("odd"), ""),
    ],
)
def test_shortage_is_said_and_nothing_else(
    error: Exception, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    allow(monkeypatch, 1_000 << 10)
    assert said in shortage(error)
    assert bool(said) is bool(shortage(error))


def test_too_little_address_space_is_refused_before_it_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    allow(monkeypatch, ADDRESS_BYTES_MIN - 1)
    with pytest.raises(OSError, match="expected 131,072 KiB or more") as caught:
        check_address_space()
    assert shortage(caught.value).endswith("(ulimit -v); expected 131,072 KiB or more")
    allow(monkeypatch, ADDRESS_BYTES_MIN)
    assert check_address_space() is None  # type: ignore[func-returns-value]
    allow(monkeypatch, resource.RLIM_INFINITY)
    assert check_address_space() is None  # type: ignore[func-returns-value]


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.skipif(shutil.which("prlimit") is None, reason="prlimit is not installed")
@pytest.mark.parametrize(
    "words",
    [
        ("analyser", "--listen", "localhost:0"),
        ("master", "--listen", "localhost:0"),
        ("master.cli.relay", "--listen", "localhost:0", "--up-listen", "localhost:0"),
    ],
    ids=lambda words: words[0],
)
def test_daemon_with_too_little_memory_says_so_in_a_line(words: tuple[str, ...]) -> None:
    argv = ("prlimit", f"--as={90 << 20}", sys.executable, "-m", *words)
    ended = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)
    assert ended.returncode == 1
    assert len(ended.stderr.splitlines()) == 1
    assert "too little memory: 92,160 KiB are allowed (ulimit -v); expected" in ended.stderr


@pytest.fixture
def limit(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> int:
    """A process that may have so many descriptors."""
    count: int = request.param
    monkeypatch.setattr(resource, "getrlimit", lambda _: (count, resource.RLIM_INFINITY))
    return count


@pytest.mark.parametrize(
    ("limit", "strangers", "owner"),
    [(1_024, 872, 1_016), (64, 40, 56), (32, 20, 28), (resource.RLIM_INFINITY, 1 << 19, 1 << 19)],
    indirect=["limit"],
)
def test_some_are_kept_from_strangers_and_a_few_from_everybody(
    limit: int, strangers: int, owner: int
) -> None:
    assert is_for_strangers(strangers - 1)
    assert is_for_owner(owner - 1)
    assert burst_max() == min(1_024, descriptor_limit() // 8)
    if limit != resource.RLIM_INFINITY:
        assert not is_for_strangers(strangers)
        assert not is_for_owner(owner)
        assert strangers < owner < descriptor_limit()


@pytest.mark.parametrize("limit", [16, 31], indirect=True)
def test_too_few_to_begin_are_an_error_in_words(limit: int) -> None:
    with pytest.raises(OSError, match=f"{limit} open files are allowed: expected 32") as caught:
        check_descriptors()
    assert descriptors.shortage(caught.value).startswith(f"{limit} open files")


@pytest.mark.parametrize("limit", [32], indirect=True)
def test_enough_to_begin_is_no_error(limit: int) -> None:
    assert check_descriptors() is None  # type: ignore[func-returns-value]
    assert limit == 32


def test_only_a_want_of_descriptors_is_one() -> None:
    assert (
        descriptors.shortage(OSError(errno.EMFILE, "Too many open files")) == "Too many open files"
    )
    assert descriptors.shortage(OSError(errno.ENOENT, "No such file")) == ""
    assert descriptors.shortage(OSError("odd")) == ""


@pytest.mark.parametrize(
    ("soft", "hard", "allowed"),
    [
        (64, 256, 256),
        (1_024, 524_288, DESCRIPTORS_WANTED),
        (100_000, 524_288, None),
        (256, 256, None),
        (1_024, resource.RLIM_INFINITY, DESCRIPTORS_WANTED),
        (resource.RLIM_INFINITY, resource.RLIM_INFINITY, None),
    ],
)
def test_soft_limit_is_raised_as_far_as_is_of_use(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, allowed: int | None
) -> None:
    set_to: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (soft, hard))
    monkeypatch.setattr(resource, "setrlimit", lambda _, limits: set_to.append(limits))
    allow_descriptors()
    assert set_to == ([] if allowed is None else [(allowed, hard)])


def test_system_that_refuses_more_is_lived_with(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(what: int, limits: tuple[int, int]) -> None:
        raise ValueError("not allowed to raise maximum limit")

    monkeypatch.setattr(resource, "setrlimit", refuse)
    monkeypatch.setattr(resource, "getrlimit", lambda _: (64, 256))
    allow_descriptors()


def test_runner_raises_it() -> None:
    program = (
        "import resource; from protocol.aio.event_loop import new_runner; new_runner().close(); "
        "print(*resource.getrlimit(resource.RLIMIT_NOFILE))"
    )
    argv = ("prlimit", "--nofile=64:256", sys.executable, "-c", program)
    assert subprocess.run(argv, check=True, capture_output=True, text=True).stdout == "256 256\n"
