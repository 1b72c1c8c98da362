"""The README's board is the one that the command draws."""

from tests.pictures.board import PLAYED, picture
from tests.tidy.source_files import ROOT


def test_picture_is_the_one_of_the_readme() -> None:
    assert (ROOT / "deploy/pictures/board.svg").read_text(encoding="utf-8") == picture()
    assert f"played: {PLAYED}" in picture()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "](deploy/pictures/board.svg)" in readme
