import errno
import resource

import pytest

from protocol.aio.descriptors import (
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
