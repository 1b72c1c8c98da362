"""Streams of bytes are cut into the same lines however they come in."""

from hypothesis import given
from hypothesis import strategies as st

from master.games.line_splitter import LineSplitter


@given(st.binary(max_size=200), st.integers(1, 9))
def test_lines_are_the_same_however_they_come_in(stream: bytes, size: int) -> None:
    whole = LineSplitter(50).feed(stream)
    splitter = LineSplitter(50)
    parts = [stream[i : i + size] for i in range(0, len(stream), size)]
    assert [line for part in parts for line in splitter.feed(part)] == whole
    assert len(whole) == stream.count(b"\n")


def test_line_that_is_too_long_keeps_a_byte_too_many_and_ends_with_its_line_feed() -> None:
    assert LineSplitter(3).feed(b"abcdef\r\nab\r\n") == ["abcd", "ab"]
