"""Files that are replaced whole."""

from pathlib import Path

import pytest

from protocol.guards.whole_file import write_whole_file


def test_link_stays_one_and_the_new_file_has_the_old_rights(tmp_path: Path) -> None:
    file, link = tmp_path / "elsewhere" / "file", tmp_path / "link"
    file.parent.mkdir()
    file.write_bytes(b"old")
    file.chmod(0o640)
    link.symlink_to(file)
    write_whole_file(link, b"new")
    assert link.is_symlink()
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (b"new", 0o640)
    assert [*file.parent.iterdir()] == [file]


def test_file_that_cannot_be_replaced_leaves_nothing_beside_it(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        write_whole_file(tmp_path / "folder", b"new")
    assert [each.name for each in tmp_path.iterdir()] == ["folder"]
