"""Lines are cut, read and written: round trips, any bytes, and a code for each bad line."""

import re
import struct
from pathlib import Path
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import ANALYSER_CODEC, Codec, _Layout, decode, encode
from protocol.codes import CODES, LocalProtocolError, ProtocolError, ReplyCode
from protocol.fast import FAST_READERS, FAST_WRITERS
from protocol.intake import TURN_BYTES, TURN_LINES, Intake
from protocol.line import LINE_BYTES_MAX, LineBuffer, quote, unquote
from protocol.messages import (
    ANALYSER_MESSAGES,
    CONTEXT_CHARACTERS_MAX,
    TEXT_CHARACTERS_MAX,
    AnalyserHello,
    Answer,
    Engine,
    Entries,
    Info,
    Message,
    Ping,
    Question,
    Search,
    Trial,
    Trials,
)
from tests.protocol.strategies import any_message, finite, messages_of, tried

any_line = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), min_size=1, max_size=80)


@given(any_message)
def test_decoded_message_is_the_encoded_one(message: Message) -> None:
    line = encode(message)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert decode(line[:-1]) == message
    assert encode(decode(line[:-1])) == line


@given(st.lists(finite, min_size=1, max_size=8).map(tuple))
def test_values_cross_bit_for_bit(values: tuple[float, ...]) -> None:
    back = decode(encode(Trial(part=0, attempt=0, seq=0, values=values))[:-1])
    assert isinstance(back, Trial)
    assert struct.pack(f"{len(values)}d", *back.values) == struct.pack(f"{len(values)}d", *values)


@given(any_line)
def test_any_line_is_a_message_or_a_code(line: str) -> None:
    found = tried(decode, line)
    if isinstance(found, ProtocolError):
        assert not CODES[found.code].is_closing
    else:
        assert decode(encode(found)[:-1]) == found


@given(any_message, st.integers(0), st.characters(min_codepoint=0x20, max_codepoint=0x7E))
def test_damaged_line_is_a_message_or_a_code(message: Message, where: int, mark: str) -> None:
    line = encode(message)[:-1].decode()
    place = where % len(line)
    found = tried(decode, line[:place] + mark + line[place + 1 :])
    if isinstance(found, ProtocolError):
        assert found.text.isprintable()


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("hello", "unknown-verb"),
        ("Ping 1", "unknown-verb"),
        (" ping 1", "unknown-verb"),
        ("expectimax 1 1", "unknown-verb"),
        ("search 1 1", "bad-arguments"),
        ("search 1 1 context=a news=-2", "bad-field"),
        ("search 1 1 context=a news=256", "bad-field"),
        ("search 1 1 context=a news=", "bad-field"),
        ("search 1 1 context=a news=1.0", "bad-field"),
        ("entries", "bad-arguments"),
        ("entries othello", "bad-field"),
        ("entries othello ", "bad-field"),
        ("entries Othello text", "bad-field"),
        ("entries othello " + "x" * 8_193, "bad-field"),
        ("question 1 1 moves", "bad-arguments"),
        ("question 1 1 moves a", "bad-arguments"),
        ("question 1 moves context=a", "bad-field"),
        ("question 1 1 moves context=", "bad-field"),
        ("question 1 1 analyse urgent=yes", "bad-arguments"),
        ("question 1 1 analyse context=a urgent=1", "bad-field"),
        ("question 1 1 analyse context=a urgent=", "bad-field"),
        ("question 1 1 analyse context=a context=b", "bad-arguments"),
        ("question 1 1 analyse context=" + "x" * 8_193, "bad-field"),
        ("answer 1", "bad-arguments"),
        ("answer 1 0", "bad-field"),
        ("answer 1 0 ", "bad-field"),
        ("answer 1  text", "bad-field"),
        ("answer 1 0 " + "x" * 24_577, "bad-field"),
        ("engine noop digest=0123456789abcdef power=1 services=Trials", "bad-field"),
        ("engine noop digest=0123456789abcdef power=1 services=a,,b", "bad-field"),
        ("trials 1 0 0 1 context=a urgent=maybe", "bad-field"),
        ("ping", "bad-arguments"),
        ("ping 1 2", "bad-arguments"),
        ("ping  1", "bad-arguments"),
        ("ping 1 ", "bad-arguments"),
        ("stop 1 2 part=1", "bad-arguments"),
        ("bye reason=a reason=b", "bad-arguments"),
        ("analyser 2.2 cores=2", "bad-arguments"),
        ("ping a/b", "bad-field"),
        ("stop 1 x", "bad-field"),
        ("stop -1 0", "bad-field"),
        ("stop 1_0 0", "bad-field"),
        ("stop +1 0", "bad-field"),
        ("stop 1.0 0", "bad-field"),
        ("stop - 0", "bad-field"),
        ("stop 9007199254740992 0", "bad-field"),
        ("stop " + "9" * 5_000 + " 0", "bad-field"),
        ("trial 1 0 0", "bad-arguments"),
        ("trial 1 0 0 ", "bad-field"),
        ("trial 1 0 0 1,,2", "bad-field"),
        ("trial 1 0 0 nan", "bad-field"),
        ("trial 1 0 0 1e999", "bad-field"),
        ("trial 1 0 0 1_0", "bad-field"),
        ("trial 1 0 0 0x10", "bad-field"),
        ("trial 1 0 0 " + ",".join("1" * 65), "bad-field"),
        ("trial " + "0" * 300 + "1 0 0 1", "bad-field"),
        ("trials 1 0 0 0 context=a", "bad-field"),
        ("trials 1 0 0 1 context=%0A", "bad-field"),
        ("trials 1 0 0 1 context=", "bad-field"),
        ("done 1 0 0123456789ABCDEF 1", "bad-field"),
        ("engine noop digest=0123456789abcdef power=-1", "bad-field"),
        ("engine noop digest=0123456789abcdef power=inf", "bad-field"),
        ("engine noop digest=0123456789abcdef power=1_0", "bad-field"),
        ("engine noop digest=0123456789abcdef power=", "bad-field"),
        ("bye reason=%ED%A0%80", "bad-field"),
    ],
)
def test_bad_line_gets_its_code(line: str, code: str) -> None:
    with pytest.raises(ProtocolError) as caught:
        decode(line)
    assert caught.value.code == code


def test_unknown_keys_are_ignored_and_keys_come_in_any_order() -> None:
    line = "analyser 2.2 colour=blue cores=4 name=attic colour=red"
    assert decode(line) == AnalyserHello(name="attic", cores=4)


def test_characters_may_be_encoded_without_need() -> None:
    plain = Trials(part=1, attempt=0, first_seq=0, count=1, context="a b=%")
    assert decode("trials 1 0 0 1 context=%61%20b=%25") == plain
    assert encode(plain) == b"trials 1 0 0 1 context=a%20b=%25\n"


def test_text_for_people_is_the_rest_of_the_line() -> None:
    assert decode("info  two  spaces = %41 ") == Info(text=" two  spaces = %41 ")


def test_answer_is_the_rest_of_the_line_behind_its_numbers() -> None:
    assert decode("answer 7 1  a=%41 b ") == Answer(part=7, attempt=1, text=" a=%41 b ")


def test_entries_are_the_rest_of_the_line_behind_the_game() -> None:
    assert decode("entries othello  a=%41 b ") == Entries(game="othello", text=" a=%41 b ")


def test_search_is_written_as_the_spec_has_it() -> None:
    plain = Search(part=1, attempt=2, context="a b")
    assert encode(plain) == b"search 1 2 context=a%20b news=-1\n"
    assert decode("search 1 2 context=a%20b") == plain
    reported = Search(part=1, attempt=2, context="a", news=8, urgent=True)
    assert encode(reported) == b"search 1 2 context=a news=8 urgent=yes\n"


def test_request_that_is_not_urgent_looks_as_it_did_before_there_were_urgent_ones() -> None:
    plain = Trials(part=1, attempt=0, first_seq=0, count=1, context="a")
    assert encode(plain) == b"trials 1 0 0 1 context=a\n"
    assert decode("trials 1 0 0 1 context=a urgent=no") == plain
    urgent = Question(service="moves", part=1, attempt=0, context="a", urgent=True)
    assert encode(urgent) == b"question 1 0 moves context=a urgent=yes\n"
    assert (
        encode(Question(service="analyse", part=1, attempt=0, context="a"))
        == b"question 1 0 analyse context=a\n"
    )


def test_engine_of_an_older_analyser_has_trials_only() -> None:
    old = decode("engine noop digest=0123456789abcdef power=1")
    assert isinstance(old, Engine)
    assert old.services == ("trials",)


LONGEST = {"part": 2**53 - 1, "attempt": 2**31 - 1}


@pytest.mark.parametrize(
    "longest",
    [
        Trials(**LONGEST, first_seq=2**53 - 1, count=1_000_000, context=" " * 8_192, urgent=True),
        Question(service="analyse", **LONGEST, context=" " * 8_192, urgent=True),
        Search(**LONGEST, context=" " * 8_192, news=255, urgent=True),
        Answer(**LONGEST, text=" " * 24_576),
        Entries(game="g" * 32, text=" " * 8_192),
    ],
    ids=lambda message: message.verb,
)
def test_the_longest_request_and_answer_fit_a_line(longest: Message) -> None:
    line = encode(longest)
    assert len(line) < LINE_BYTES_MAX
    assert decode(line[:-1]) == longest
    if isinstance(longest, Answer):
        assert len(line) == 24_612  # as SPEC.md has it


class Every(Message):
    verb = "every"
    positional: ClassVar[tuple[str, ...]] = ("count",)
    count: int
    is_big: bool = False
    share: float = 0.5
    texts: tuple[str, ...] = ()
    seqs: tuple[int, ...] = ()
    note: str | None = None


every = Codec((Every, Ping))


@given(
    st.builds(
        Every,
        count=st.integers(-(2**60), 2**60),
        is_big=st.booleans(),
        share=finite,
        texts=st.lists(st.text(min_size=1)).map(tuple),
        seqs=st.lists(st.integers(-9, 99)).map(tuple),
        note=st.none() | st.text(),
    )
)
def test_another_set_of_messages_uses_every_type_of_field(message: Every) -> None:
    assert every.decode(every.encode(message)[:-1]) == message


def test_message_of_another_set_is_our_mistake() -> None:
    with pytest.raises(LocalProtocolError, match="Trials"):
        every.encode(Trials(part=1, attempt=0, first_seq=0, count=1, context="a"))
    with pytest.raises(LocalProtocolError, match="empty"):
        every.encode(Every(count=1, texts=("",)))
    with pytest.raises(LocalProtocolError, match="too long"):
        every.encode(Every(count=1, note="x" * LINE_BYTES_MAX))
    with pytest.raises(ProtocolError, match="yes nor no"):
        every.decode("every 1 is_big=maybe")


def test_field_of_a_type_without_a_form_is_refused_when_the_codec_is_made() -> None:
    class Odd(Message):
        verb = "odd"
        path: Path

    with pytest.raises(TypeError, match="Path"):
        Codec((Odd,))


def test_codec_lists_its_messages() -> None:
    assert every.message_types == (Every, Ping)
    assert Trials in ANALYSER_CODEC.message_types


fast_types = [kind for kind in ANALYSER_MESSAGES if kind in {*FAST_READERS, *FAST_WRITERS}]
fast_messages = st.sampled_from(fast_types).flatmap(messages_of)
token = st.text(st.sampled_from("0123456789abe.,-+_%= "), max_size=22)

keyed = st.sampled_from(["context=", "context=a", "context=%41", "context=%4", "contxt=a", "c=1"])


@given(fast_messages)
def test_short_cuts_write_and_read_what_the_layout_does(message: Message) -> None:
    layout = _Layout(type(message))
    line = layout.write(message)
    assert line == layout.write_slowly(message)
    assert layout.read(line) == layout.read_slowly(line) == message


@pytest.mark.parametrize("message_type", FAST_READERS)
@given(st.data())
def test_odd_lines_are_read_the_same_by_both(
    message_type: type[Message], data: st.DataObject
) -> None:
    words = data.draw(st.lists(token | keyed, min_size=3, max_size=6))
    line = " ".join([message_type.verb, *words])
    layout = _Layout(message_type)
    fast, slow = tried(layout.read, line), tried(layout.read_slowly, line)
    assert str(fast) == str(slow)
    assert type(fast) is type(slow)


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


def drained(intake: Intake) -> list[str]:
    found = []
    while not intake.is_empty:
        lines = intake.turn()
        found += [lines.popleft() for _ in range(min(len(lines), TURN_LINES))]
    return found


@given(st.lists(st.binary(max_size=200)), st.integers(1, 400))
def test_lines_of_all_turns_are_those_of_one(pieces: list[bytes], repeats: int) -> None:
    intake, data = Intake(LINE_BYTES_MAX), b"".join(pieces) * repeats
    for piece in (data[: len(data) // 3], data[len(data) // 3 :]):
        intake.put(piece)
    assert drained(intake) == LineBuffer(LINE_BYTES_MAX).feed(data)


def test_no_more_is_cut_than_a_turn_needs_and_the_longest_lines_pass() -> None:
    intake, line = Intake(LINE_BYTES_MAX), b"x" * (LINE_BYTES_MAX - 2) + b"\n"
    intake.put(line * 100)
    assert len(intake.turn()) == TURN_BYTES // len(line) == 2
    assert len(drained(intake)) == 100
    intake.put(line * 3)
    intake.clear()
    assert intake.is_empty
