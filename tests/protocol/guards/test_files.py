"""Files that a user names, secrets among them, are read within bounds or refused in words."""

import errno
import os
import resource
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from protocol.access.lock import SharedSecret
from protocol.guards.bounded_file import read_bounded
from protocol.guards.file_errors import FULL, file_error_text, shortage_text
from protocol.guards.secret_files import (
    CREDENTIAL,
    NO_SECRET,
    SecretError,
    default_secret_path,
    find_secret,
    make_secret,
    read_secret,
    read_secret_line,
)

KEY = "correct horse battery staple"


def proof(secret: SharedSecret | None) -> str:
    assert secret is not None
    return secret.proof("master", "1", "2", b"")


EXPECTED = proof(SharedSecret(KEY.encode()))


@pytest.fixture(autouse=True)
def own_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("CREDENTIALS_DIRECTORY", raising=False)


def written(path: Path, text: str = KEY, mode: int = 0o600) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


@pytest.mark.parametrize("end", ["", "\n", " \r\n\n"])
def test_secret_is_the_file_without_white_space_at_its_end(tmp_path: Path, end: str) -> None:
    assert proof(read_secret(written(tmp_path / "s", KEY + end))) == EXPECTED


def test_made_secret_is_new_and_its_owners_alone(tmp_path: Path) -> None:
    one, other = tmp_path / "new" / "folder" / "one", tmp_path / "other"
    make_secret(one)
    make_secret(other)
    assert proof(read_secret(one)) != proof(read_secret(other))
    assert stat.S_IMODE(one.stat().st_mode) == 0o600
    assert stat.S_IMODE(one.parent.stat().st_mode) == 0o700


def test_secret_that_is_there_stays(tmp_path: Path) -> None:
    path = written(tmp_path / "s")
    with pytest.raises(SecretError, match="is there already"):
        make_secret(path)
    assert path.read_text() == KEY


def test_credential_comes_before_the_users_own_and_a_given_one_before_both(tmp_path: Path) -> None:
    environ = {"CREDENTIALS_DIRECTORY": str(tmp_path / "run")}
    assert find_secret(None, environ) is None
    make_secret(default_secret_path())
    assert proof(find_secret(None, environ)) == proof(read_secret(default_secret_path()))
    written(tmp_path / "run" / CREDENTIAL)
    assert proof(find_secret(None, environ)) == EXPECTED
    assert proof(find_secret(None, {})) != EXPECTED
    given = written(tmp_path / "given", "another secret of mine")
    assert proof(find_secret(str(given), environ)) == proof(read_secret(given))
    assert find_secret(NO_SECRET, environ) is None


@pytest.mark.parametrize(
    ("text", "words"), [("", "not 0"), ("short\n", "not 5"), ("x" * 5000, "16 to 1024 bytes")]
)
def test_file_without_a_secret_is_one_line(tmp_path: Path, text: str, words: str) -> None:
    path = written(tmp_path / "s", text)
    with pytest.raises(SecretError, match=words) as caught:
        read_secret(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(SecretError, match=r"cannot read the secret .*: No such file"):
        find_secret(str(tmp_path / "none"))
    with pytest.raises(SecretError, match="cannot write"):
        make_secret(written(tmp_path / "file") / "below")


@pytest.mark.parametrize(("mode", "is_refused"), [(0o600, False), (0o400, False), (0o644, True)])
def test_file_that_others_can_read_is_refused(tmp_path: Path, mode: int, is_refused: bool) -> None:
    assert is_refused is not was_read(written(tmp_path / "s", mode=mode))


def was_read(path: Path) -> bool:
    """Whether a secret was taken; what is said of another names its file and nothing of it."""
    try:
        return proof(read_secret(path)) == EXPECTED
    except SecretError as error:
        return str(error) != f"others of this machine can read the secret {path}: chmod 600 {path}"


def test_pipe_into_which_nobody_writes_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path, 0o600)
    with pytest.raises(SecretError, match=r"cannot read the secret .*: it is a pipe into which"):
        read_secret(path)


@pytest.mark.skipif(os.geteuid() != 0, reason="another's file takes root to make")
@pytest.mark.parametrize(("mode", "is_refused"), [(0o440, False), (0o444, True)])
def test_file_of_another_owner_is_read_by_its_group(
    tmp_path: Path, mode: int, is_refused: bool
) -> None:
    path = written(tmp_path / "s", mode=mode)
    os.chown(path, os.geteuid() + 1, os.getegid())
    assert is_refused is not was_read(path)


def test_secret_is_the_first_line_of_a_pipe() -> None:
    reading, writing = os.pipe()
    os.write(writing, f"{KEY}\nmore\n".encode())
    with os.fdopen(reading, "rb") as source:
        assert proof(read_secret_line(source)) == EXPECTED
    os.close(writing)


@pytest.mark.parametrize(
    ("line", "words"), [(b"short\n", "a secret of 16"), (b"", "no secret came")]
)
def test_pipe_without_a_secret_is_one_line(line: bytes, words: str) -> None:
    reading, writing = os.pipe()
    os.write(writing, line)
    with os.fdopen(reading, "rb") as source, pytest.raises(SecretError, match=words):
        read_secret_line(source, within_s=0.01)
    os.close(writing)


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


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_full_disk_is_called_full(number: int) -> None:
    assert file_error_text(OSError(number, os.strerror(number))).startswith(FULL)


def test_other_errors_keep_the_words_of_the_system() -> None:
    assert file_error_text(PermissionError(errno.EACCES, "Permission denied")) == (
        "Permission denied"
    )
    assert file_error_text(OSError("odd")) == "odd"


def test_nothing_is_short_where_files_can_grow(tmp_path: Path) -> None:
    assert shortage_text(tmp_path / "any") == ""
    assert list(tmp_path.iterdir()) == []


def test_file_at_its_limit_is_distinguished_from_a_full_disk(tmp_path: Path) -> None:
    code = (
        "import resource, sys; from pathlib import Path\n"
        "from protocol.guards.file_errors import shortage_text\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (90_000, resource.RLIM_INFINITY))\n"
        "print(shortage_text(Path(sys.argv[1])))"
    )
    (tmp_path / "file").write_bytes(bytes(80_000))
    argv = [sys.executable, "-c", code, str(tmp_path / "file")]
    ended = subprocess.run(argv, capture_output=True, text=True, check=True)
    assert "as large as files may be" in ended.stdout
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 90_000
