import errno
import resource
import subprocess
import sys

import pytest

from protocol.aio.descriptors import (
    DESCRIPTORS_WANTED,
    allow_descriptors,
    burst_max,
    check_descriptors,
    descriptor_limit,
    is_for_owner,
    is_for_strangers,
    shortage,
)


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
    assert shortage(caught.value).startswith(f"{limit} open files")


@pytest.mark.parametrize("limit", [32], indirect=True)
def test_enough_to_begin_is_no_error(limit: int) -> None:
    assert check_descriptors() is None  # type: ignore[func-returns-value]
    assert limit == 32


def test_only_a_want_of_descriptors_is_one() -> None:
    assert shortage(OSError(errno.EMFILE, "Too many open files")) == "Too many open files"
    assert shortage(OSError(errno.ENOENT, "No such file")) == ""
    assert shortage(OSError("odd")) == ""


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
