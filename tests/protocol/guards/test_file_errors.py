import errno
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from protocol.guards.file_errors import FULL, file_error_text, shortage_text


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


def test_file_at_its_limit_is_told_from_a_full_disk(tmp_path: Path) -> None:
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
