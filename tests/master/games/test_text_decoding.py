"""Texts from bytes: encodings, and lines of bounded length."""

from hypothesis import given
from hypothesis import strategies as st

from master.games.text_decoding import LineSplitter, decode_text, is_utf16


def test_text_is_decoded_by_its_mark_or_as_what_it_can_be() -> None:
    name = "Sürmeyan “François”"
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
        assert decode_text(name.encode(encoding)) == name
        assert is_utf16(name.encode(encoding)) == (encoding == "utf-16")
    assert decode_text(b"\xfe\xff" + name.encode("utf-16-be")) == name
    assert decode_text(b"S\xfcr\x81") == "S\xfcr\x81"  # 81 is no character of code page 1252


@given(st.binary(max_size=200), st.integers(1, 9))
def test_lines_are_the_same_however_they_come_in(stream: bytes, size: int) -> None:
    whole = LineSplitter(50).feed(stream)
    splitter = LineSplitter(50)
    parts = [stream[i : i + size] for i in range(0, len(stream), size)]
    assert [line for part in parts for line in splitter.feed(part)] == whole
    assert len(whole) == stream.count(b"\n")


def test_line_that_is_too_long_keeps_a_byte_too_many_and_ends_with_its_line_feed() -> None:
    assert LineSplitter(3).feed(b"abcdef\r\nab\r\n") == ["abcd", "ab"]
