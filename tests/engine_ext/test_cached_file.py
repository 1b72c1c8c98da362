"""Files of the cache for a user who may have none."""

import pytest

from engine_ext import cached_file


def test_user_without_a_home_has_no_cache_and_no_error_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_home(_: str) -> None:
        raise RuntimeError("could not determine the home directory for '~/.cache'")

    monkeypatch.setattr(cached_file, "user_cache_path", no_home)
    place = cached_file.cached_file("nets")
    with pytest.raises(OSError, match="Not a directory"):
        cached_file.read_cached(place, 9)
    with pytest.raises(OSError, match=r"exists|directory"):
        cached_file.write_cached(place, b"")
