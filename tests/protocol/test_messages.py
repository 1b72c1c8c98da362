"""Messages and addresses keep their limits, are values, and are named in the specification."""

import hashlib
import re
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

import protocol
from protocol.address import PORT_MAX, Address, AddressError, parse_address
from protocol.messages import (
    ANALYSER_MESSAGES,
    COUNT_MAX,
    NUMBER_MAX,
    AnalyserHello,
    Answer,
    Bye,
    Entries,
    Info,
    Search,
    Trial,
    Trials,
    context_digest,
    to_text,
)
from protocol.usage import usage_lines
from protocol.values import value

SPEC = Path(protocol.__file__).with_name("SPEC.md").read_text()


def test_messages_are_frozen() -> None:
    bye = Bye(reason="late")
    with pytest.raises(ValidationError):
        bye.reason = "early"  # type: ignore[misc]


@pytest.mark.parametrize(
    "fields",
    [
        {"part": -1},
        {"part": NUMBER_MAX + 1},
        {"count": 0},
        {"count": COUNT_MAX + 1},
        {"attempt": 2**31},
        {"context": ""},
        {"context": "a\nb"},
        {"context": "é"},
        {"context": "x" * 8_193},
        {"part": "1"},
        {"part": 1.0},
        {"unknown": 1},
    ],
)
def test_request_outside_its_limits_cannot_be_built(fields: dict[str, object]) -> None:
    good: dict[str, object] = {"part": 1, "attempt": 0, "first_seq": 0, "count": 1, "context": "c"}
    Trials(**good)  # type: ignore[arg-type]
    with pytest.raises(ValidationError):
        Trials(**good | fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("values", [(), (0.0,) * 65, (float("nan"),), (float("inf"),)])
def test_values_are_finite_and_few(values: tuple[float, ...]) -> None:
    with pytest.raises(ValidationError):
        Trial(part=0, attempt=0, seq=0, values=values)


@pytest.mark.parametrize("text", ["", "é", "a\tb", "x" * 24_577])
def test_answer_is_one_line_of_printable_ascii(text: str) -> None:
    Answer(part=0, attempt=0, text=" x" * 12_288)
    with pytest.raises(ValidationError):
        Answer(part=0, attempt=0, text=text)


@pytest.mark.parametrize("text", ["", "é", "a\tb", "x" * 8_193])
def test_entries_are_one_line_of_printable_ascii(text: str) -> None:
    Entries(game="othello", text="x" * 8_192)
    with pytest.raises(ValidationError):
        Entries(game="othello", text=text)


@pytest.mark.parametrize("news", [-2, 256])
def test_news_are_of_a_depth_or_none(news: int) -> None:
    assert Search(part=0, attempt=0, context="c").news == -1
    with pytest.raises(ValidationError):
        Search(part=0, attempt=0, context="c", news=news)


def test_control_characters_have_no_place_in_texts() -> None:
    for text in ("a\x1b[2J", "a\nb", "\0", "\x9b", "\u202e"):
        with pytest.raises(ValidationError):
            Bye(reason=text)
        with pytest.raises(ValidationError):
            AnalyserHello(name=text, cores=1)
    with pytest.raises(ValidationError):
        Info(text="é")


@given(st.text())
def test_any_text_can_be_made_fit(text: str) -> None:
    assert Bye(reason=to_text(text)).reason.isprintable()
    assert len(to_text(text, 10)) <= 10


def test_context_digest_is_the_start_of_its_sha256() -> None:
    assert context_digest("noop/1") == hashlib.sha256(b"noop/1").hexdigest()[:16]


def test_spec_names_every_verb() -> None:
    for message_type in ANALYSER_MESSAGES:
        assert re.search(rf"`{message_type.verb}[ `]", SPEC), message_type.verb


@value
class Point:
    x: int
    y: int = 0


def test_values_are_equal_by_their_fields_and_can_be_keys() -> None:
    assert Point(1) == Point(1, 0)
    assert {Point(1): "a"}[Point(1, 0)] == "a"
    assert Point(1) != Point(2)
    assert repr(Point(1)).endswith("Point(x=1, y=0)")
    assert not hasattr(Point(1), "__dict__")


PORTS = st.integers(0, PORT_MAX)
LABELS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9-]{0,20}", fullmatch=True)
HOSTS = st.lists(LABELS, max_size=5).map(".".join)


@given(address=st.builds(Address, HOSTS | st.ip_addresses().map(str), PORTS))
@pytest.mark.when_changed
def test_address_reads_back_as_it_is_written(address: Address) -> None:
    assert parse_address(str(address)) == address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("attic:4321", Address("attic", 4321)),
        (":4321", Address("", 4321)),
        ("[::1]:0", Address("::1", 0)),
        ("[fe80::1%eth0]:65535", Address("fe80::1%eth0", 65535)),
    ],
)
def test_forms_of_an_address(text: str, address: Address) -> None:
    assert parse_address(text) == address


@given(text=st.text() | st.from_regex(r"[a-z:\[\]0-9 ]{0,12}", fullmatch=True))
def test_any_text_is_an_address_or_named_as_none(text: str) -> None:
    with suppress(AddressError):
        address = parse_address(text)
        assert 0 <= address.port <= PORT_MAX
        address.host.encode("idna")
        assert parse_address(str(address)) == address


@pytest.mark.parametrize(
    "text",
    [
        "attic",
        "a" * 64 + ":1",
        "a..b:1",
        "attic:",
        "attic:65536",
        "::1:80",
        "attic:-1",
        "a b:1",
        "attic:1\n",
        "[::1]",
    ],
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(AddressError, match="expected HOST:PORT"):
        parse_address(text)


def test_every_verb_has_one_line_with_its_fields() -> None:
    lines = [info.text for info in usage_lines()]
    assert [line.split(" ")[0] for line in lines] == [kind.verb for kind in ANALYSER_MESSAGES]
    (trials,) = (line for line in lines if line.startswith("trials "))
    assert trials.startswith("trials PART ATTEMPT FIRST_SEQ COUNT context=... ")
