import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import _Layout
from protocol.fast import FAST_READERS, FAST_WRITERS
from protocol.messages import ANALYSER_MESSAGES, Message
from tests.protocol.strategies import messages_of, tried

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
