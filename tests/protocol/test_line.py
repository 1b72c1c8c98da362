import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codes import ProtocolError, ReplyCode
from protocol.line import LINE_BYTES_MAX, LineBuffer, quote, unquote
from protocol.messages import CONTEXT_CHARACTERS_MAX, TEXT_CHARACTERS_MAX
from tests.protocol.strategies import tried

SMALL = 16

# Streams in which ends of lines, bad bytes and over-long lines are all likely.
streams = st.lists(
    st.sampled_from([b"\n", b"\r\n", b"a", b"ping 1", b"\0", b"\x80", b"x" * 15, b"y" * 40, b"\r"])
).map(b"".join)


def chunks(stream: bytes, cuts: list[int]) -> list[bytes]:
    ends = sorted({cut % (len(stream) + 1) for cut in cuts} | {len(stream)})
    return [stream[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def reference(stream: bytes, line_bytes_max: int) -> list[str | ReplyCode]:
    """What the lines are, read in one piece and without any cleverness."""
    *lines, rest = stream.split(b"\n")
    found: list[str | ReplyCode] = []
    for line in lines:
        shown = line[:-1] if line.endswith(b"\r") else line
        if len(line) + 1 > line_bytes_max:
            found.append(ReplyCode.LINE_TOO_LONG)
        elif not shown:
            found.append(ReplyCode.EMPTY_LINE)
        elif re.fullmatch(rb"[\x20-\x7e]+", shown):
            found.append(shown.decode())
        else:
            found.append(ReplyCode.BAD_CHARACTER)
    if len(rest) >= line_bytes_max:
        found.append(ReplyCode.LINE_TOO_LONG)
    return found


@given(streams | st.binary(max_size=60), st.lists(st.integers(0, 10_000)))
def test_any_chunking_gives_the_same_lines(stream: bytes, cuts: list[int]) -> None:
    buffer = LineBuffer(SMALL)
    found = [line for chunk in chunks(stream, cuts) for line in buffer.feed(chunk)]
    assert found == reference(stream, SMALL)


def test_longest_line_passes_and_one_byte_more_does_not() -> None:
    line = b"x" * (LINE_BYTES_MAX - 1)
    assert LineBuffer().feed(line + b"\n") == [line.decode()]
    assert LineBuffer().feed(line + b"x\n") == [ReplyCode.LINE_TOO_LONG]
    assert LineBuffer().feed(line + b"\r\n") == [ReplyCode.LINE_TOO_LONG]


def test_reading_goes_on_behind_an_over_long_line() -> None:
    buffer = LineBuffer(SMALL)
    assert buffer.feed(b"z" * 100) == [ReplyCode.LINE_TOO_LONG]
    assert buffer.feed(b"z" * 100) == []
    assert buffer.feed(b"z\nping 1\n") == ["ping 1"]


def test_endless_line_keeps_no_more_than_one_line_of_memory() -> None:
    buffer = LineBuffer(SMALL)
    for _ in range(1_000):
        buffer.feed(b"z" * 7)
        assert len(buffer._tail) < SMALL


def test_limits_leave_room_for_the_longest_fields() -> None:
    assert 3 * CONTEXT_CHARACTERS_MAX + 100 < LINE_BYTES_MAX
    assert 12 * TEXT_CHARACTERS_MAX + 100 < LINE_BYTES_MAX


@given(st.text())
def test_quoted_text_is_one_safe_token_and_comes_back(text: str) -> None:
    token = quote(text)
    assert re.fullmatch(r"[!-~]*", token)
    assert unquote(token) == text


@given(st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E)))
def test_any_token_is_unquoted_or_refused(token: str) -> None:
    found = tried(unquote, token)
    if isinstance(found, ProtocolError):
        assert found.code == "bad-field"


@pytest.mark.parametrize("token", ["%", "%4", "%zz", "a%2", "%FF", "%C3", "%+1", "% 1"])
def test_bad_percent_encoding_is_refused(token: str) -> None:
    with pytest.raises(ProtocolError, match="bad-field"):
        unquote(token)
