import stat
from pathlib import Path

import pytest

from master.contract.errors import MasterError
from master.web.token_file import TOKEN_FILE, kept_token, read_token


def test_token_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    first = kept_token(tmp_path)
    assert kept_token(tmp_path).fragment == first.fragment == read_token(tmp_path).fragment
    assert stat.S_IMODE((tmp_path / TOKEN_FILE).stat().st_mode) == 0o600
    (tmp_path / TOKEN_FILE).unlink()
    assert kept_token(tmp_path).fragment != first.fragment


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_token_that_others_can_read_is_of_no_use(tmp_path: Path, mode: int) -> None:
    kept_token(tmp_path)
    (tmp_path / TOKEN_FILE).chmod(mode)
    with pytest.raises(MasterError, match="others of this machine can use the token"):
        kept_token(tmp_path)


def test_bad_files_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(MasterError, match="cannot read the token"):
        read_token(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(MasterError, match="cannot write"):
        kept_token(tmp_path / "file" / "state")
    path = tmp_path / TOKEN_FILE
    path.write_bytes(b"\xff short")
    path.chmod(0o600)
    with pytest.raises(MasterError, match="delete it, and the master makes another"):
        kept_token(tmp_path)
