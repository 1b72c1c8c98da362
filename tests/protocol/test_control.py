import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

import protocol
from protocol.codes import ProtocolError
from protocol.control import (
    CONTROL_CODEC,
    CONTROL_LINE_BYTES_MAX,
    REPLY_TYPES,
    REQUEST_TYPES,
    AlternativeShown,
    Answered,
    Ask,
    AskedQuestion,
    Attach,
    Control,
    JobShown,
    Ok,
    Refused,
    Rejected,
    Said,
    Submit,
    Updated,
)
from protocol.control_fields import ASKED_MAX, to_long_text
from protocol.messages import Message
from tests.protocol.strategies import ascii_texts, finite, numbers, texts

SPEC = Path(protocol.__file__).with_name("SPEC.md").read_text()
CONTROL = SPEC.partition("## 10.")[2]

floats = st.lists(finite, min_size=1, max_size=7).map(tuple)
names = st.lists(texts.filter(bool), max_size=4).map(tuple)
rates = st.floats(0, 1e9)
jobs = st.builds(
    JobShown,
    request=numbers,
    job=numbers,
    state=st.sampled_from(["running", "done"]),
    stopped_by=texts,
    error=texts,
    game=st.just("noop"),
    engine=st.just("0123456789abcdef"),
    digest=st.just("0123456789abcdef"),
    created=texts,
    trials=st.none() | st.integers(1, 2**40),
    stop_se=st.none() | st.floats(1e-9, 1.0),
    folded=numbers,
    held=numbers,
    trials_per_s=rates,
    eta_s=st.none() | rates,
    alternatives=names,
    values=names,
    label=texts,
    context=ascii_texts.filter(bool),
)
alternatives = st.builds(
    AlternativeShown,
    request=numbers,
    trials=numbers,
    means=floats,
    std_errors=st.none() | floats,
    diff_to_best=finite,
    diff_std_error=st.none() | finite,
)
indexes = st.integers(0, ASKED_MAX - 1)
replies: st.SearchStrategy[Message] = st.one_of(
    jobs,
    alternatives,
    st.builds(Ok, request=numbers, job=st.none() | numbers),
    st.builds(Refused, request=numbers, text=texts, index=st.none() | indexes),
    st.builds(Answered, request=numbers, index=indexes, text=ascii_texts.filter(bool)),
    st.builds(AskedQuestion, request=numbers, index=indexes, context=ascii_texts.filter(bool)),
    st.builds(Said, request=numbers, text=ascii_texts),
    st.builds(Updated, request=numbers, is_final=st.booleans()),
)


@given(replies)
def test_decoded_message_is_the_encoded_one(message: Message) -> None:
    assert CONTROL_CODEC.decode(CONTROL_CODEC.encode(message)[:-1]) == message


def test_request_may_leave_its_conditions_out() -> None:
    assert CONTROL_CODEC.decode("submit 1 context=noop/1 trials=12") == Submit(
        request=1, context="noop/1", trials=12
    )
    assert CONTROL_CODEC.decode("ask 1 7") == Ask(request=1, count=7, priority="asked")
    assert CONTROL_CODEC.decode("attach 1 7") == Attach(request=1, job=7, interval_s=0.5)


@pytest.mark.parametrize(
    "line",
    [
        "submit 1 context=a trials=0",
        "submit 1 context=a stop_se=0.0",
        "attach 1 2 interval_s=0.01",
        "extend 1 2 0",
        "ask 1 0",
        "ask 1 513",
        "ask 1 1 priority=soon",
        "show 1 -2",
    ],
)
def test_request_outside_its_limits_is_refused(line: str) -> None:
    with pytest.raises(ProtocolError, match="bad-field"):
        CONTROL_CODEC.decode(line)


def test_spec_shows_every_message_with_its_positional_fields() -> None:
    for kind in (*REQUEST_TYPES, *REPLY_TYPES):
        words = " ".join([kind.verb, *(name.upper() for name in kind.positional)])
        assert re.search(rf"`{words}[ `]", CONTROL), words
        for name in set(kind.model_fields) - set(kind.positional):
            shown = f"{name.upper()}..." if name == kind.rest else f"{name}="
            assert shown in CONTROL, (kind, name)


def test_every_reply_but_the_greeting_names_its_request() -> None:
    kinds: list[type[Message]] = [*REPLY_TYPES, Rejected]
    for kind in kinds:
        assert kind is Control or "request" in kind.model_fields, kind


def test_longest_job_fits_a_line() -> None:
    longest = Submit(request=2**53 - 1, context=" " * 8_192, label="\U0001f3b2" * 4_000)
    assert len(CONTROL_CODEC.encode(longest)) < CONTROL_LINE_BYTES_MAX // 2


def test_any_text_can_be_made_fit() -> None:
    assert Refused(request=1, text=to_long_text("\n" * 9_999)).text == "?" * 2_000
    with pytest.raises(ValidationError):
        Refused(request=1, text="\n")
