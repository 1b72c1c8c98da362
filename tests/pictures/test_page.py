"""The README's pictures of the page: each is there, and small enough to be fetched with it."""

from pathlib import Path

from tests.pictures.page import VIEWS, says

PICTURES = Path(__file__).parents[2] / "deploy" / "pictures"
PICTURE_BYTES_MAX = 150_000
PNG = b"\x89PNG\r\n\x1a\n"


def test_all_pictures_are_there_and_small() -> None:
    assert len({view.name for view in VIEWS}) == len(VIEWS)
    for view in VIEWS:
        picture = (PICTURES / f"{view.name}.png").read_bytes()
        assert picture.startswith(PNG)
        assert len(picture) < PICTURE_BYTES_MAX


def test_readiness_asks_for_every_word() -> None:
    assert says("#a", "b", "c").count(".includes(") == 2
