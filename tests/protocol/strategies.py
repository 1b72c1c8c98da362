"""Any message of an analyser link, for the law tests; and what becomes of a try."""

from collections.abc import Callable
from typing import TypeVar

from hypothesis import strategies as st

from protocol.codes import ProtocolError
from protocol.messages import ANALYSER_MESSAGES, COUNT_MAX, Answer, Entries, Message, Trials

T = TypeVar("T")

numbers = st.integers(0, 2**53 - 1)
texts = st.text(
    st.characters(exclude_categories=("C", "Z")) | st.sampled_from(" %=,"), max_size=80
).filter(str.isprintable)
ascii_texts = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=120)
finite = st.floats(allow_nan=False, allow_infinity=False)
words = st.from_regex(r"[a-z0-9][a-z0-9._-]{0,31}", fullmatch=True)

FIELDS: dict[str, st.SearchStrategy[object]] = {
    "version": st.from_regex(r"[0-9]{1,4}\.[0-9]{1,4}", fullmatch=True).filter(str.isascii),
    "name": texts.filter(bool).map(lambda text: text[:64]),
    "by": texts.filter(bool).map(lambda text: text[:64]),
    "nonce": st.from_regex(r"[0-9a-f]{32}", fullmatch=True),
    "ticket": st.from_regex(r"[A-Za-z0-9][A-Za-z0-9-]{0,62}", fullmatch=True),
    "proof": st.from_regex(r"[0-9a-f]{64}", fullmatch=True),
    "cores": st.integers(1, 65_536),
    "workers": st.integers(1, 65_536),
    "session": st.from_regex(r"[A-Za-z0-9._-]{0,32}", fullmatch=True),
    "games": st.lists(words, max_size=5).map(tuple),
    "line_bytes_max": st.integers(1_024, 2**53 - 1),
    "unacked_max": st.integers(1, COUNT_MAX),
    "first_unacked": st.integers(1, 2**53 - 1),
    "received": numbers,
    "game": words,
    "code": words,
    "digest": st.from_regex(r"[0-9a-f]{16}", fullmatch=True),
    "context_digest": st.from_regex(r"[0-9a-f]{16}", fullmatch=True),
    "power": st.floats(0, 1e15),
    "part": numbers,
    "attempt": st.integers(0, 2**31 - 1),
    "first_seq": numbers,
    "seq": numbers,
    "count": st.integers(0, COUNT_MAX),
    "service": words,
    "context": ascii_texts.filter(bool),
    "news": st.integers(-1, 255),
    "urgent": st.booleans(),
    "services": st.lists(words, max_size=5).map(tuple),
    "values": st.lists(finite, min_size=1, max_size=64).map(tuple),
    "steps": st.integers(0, 2**63 - 1),
    "token": st.from_regex(r"[A-Za-z0-9._-]{1,32}", fullmatch=True),
    "text": texts,
    "reason": texts,
}


def messages_of(message_type: type[Message]) -> st.SearchStrategy[Message]:
    fields = {name: FIELDS[name] for name in message_type.model_fields}
    if message_type is Trials:
        fields["count"] = st.integers(1, COUNT_MAX)
    if message_type.rest:
        fields[message_type.rest] = (
            ascii_texts.filter(bool) if message_type in (Answer, Entries) else ascii_texts
        )
    return st.fixed_dictionaries(fields).map(lambda values: message_type(**values))


any_message = st.sampled_from(ANALYSER_MESSAGES).flatmap(messages_of)


def tried(function: Callable[..., T], *arguments: object) -> T | ProtocolError:
    """Return what the function returns, or the protocol error that it raises."""
    try:
        return function(*arguments)
    except ProtocolError as error:
        return error
