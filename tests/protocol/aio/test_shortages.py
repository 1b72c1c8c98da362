"""What a program lacks is said in words; other errors are left to those whose they are."""

import errno
import resource
import shutil
import subprocess
import sys

import pytest

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
