"""What a user names is read within a bound and in time, whatever it is."""

import os
import threading
from pathlib import Path

import pytest

from protocol.guards.bounded_file import read_bounded


@pytest.mark.parametrize("size", [0, 1, 99, 100, 101, 5_000])
def test_file_is_read_to_one_byte_beyond_the_bound(tmp_path: Path, size: int) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"a" * size)
    content, status = read_bounded(path, 100)
    assert content == b"a" * min(size, 101)
    assert status.st_size == size


def test_endless_device_is_read_to_the_bound() -> None:
    assert read_bounded(Path("/dev/zero"), 200_000)[0] == bytes(200_001)


def test_device_without_content_is_empty() -> None:
    assert read_bounded(Path("/dev/null"), 100)[0] == b""


def test_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    kept = os.open(path, os.O_RDWR)  # so that neither end waits for the other
    writer = threading.Thread(target=path.write_bytes, args=(b"a" * 300_000,))
    writer.start()
    assert read_bounded(path, 300_000 - 1)[0] == b"a" * 300_000
    writer.join()
    os.close(kept)


def test_pipe_without_a_writer_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    with pytest.raises(OSError, match="a pipe into which nobody writes"):
        read_bounded(path, 100)


def test_pipe_whose_writer_says_nothing_is_refused_in_time(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    kept = os.open(path, os.O_RDWR)
    with pytest.raises(OSError, match="did not come in time"):
        read_bounded(path, 100, within_s=0.01)
    os.close(kept)


@pytest.mark.parametrize("name", [".", "none", "none/below", "a\0b"])
def test_what_cannot_be_read_is_an_error_of_the_system(tmp_path: Path, name: str) -> None:
    with pytest.raises(OSError) as caught:  # noqa: PT011 - its words are the system's
        read_bounded(tmp_path / name, 100)
    assert caught.value.strerror
