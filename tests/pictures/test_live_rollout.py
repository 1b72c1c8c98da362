"""The README's picture can be made again; in small, without a rollout."""

from tests.pictures.live_rollout import picture


def test_picture_shows_each_line_of_the_screen() -> None:
    svg = picture("\x1b[1mJob 1\x1b[0m  start\n 1. 8/5 6/5      0.5522")
    for text in ("Job&#160;1", "start", "8/5&#160;6/5"):
        assert text in svg
    assert "<svg" in svg
