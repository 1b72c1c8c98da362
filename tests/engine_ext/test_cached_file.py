"""A cached file is whole or not there, and what cannot be written leaves what was there."""

from pathlib import Path

import pytest

from engine_ext.cached_file import cached_file, read_cached, write_cached


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "file"
    assert read_cached(path, 10) is None
    for content in (b"some", b"", b"other"):
        write_cached(path, content)
        assert read_cached(path, 10) == content
    assert list(path.parent.iterdir()) == [path]


def test_no_more_is_read_than_asked_for(tmp_path: Path) -> None:
    write_cached(tmp_path / "file", b"12345")
    assert read_cached(tmp_path / "file", 3) == b"123"


def test_folder_in_the_files_place_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "file"
    (path / "inside").mkdir(parents=True)
    with pytest.raises(IsADirectoryError):
        write_cached(path, b"some")
    with pytest.raises(IsADirectoryError):
        read_cached(path, 10)
    assert list(tmp_path.iterdir()) == [path]


def test_xdg_cache_home_is_honoured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cached_file("some.bin") == tmp_path / "manyply" / "some.bin"
