import hashlib
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

import protocol
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
