"""Results on their way up: none is lost, none overtakes another, none goes without room."""

from hypothesis import given
from hypothesis import strategies as st

from master.relay.forwarding import Outbox
from protocol.messages import Fail, Message


def fail(part: int) -> Fail:
    return Fail(part=part, attempt=0, code="x")


@given(st.lists(st.tuples(st.sampled_from(["put", "allow", "hold", "go"]), st.integers(0, 9))))
def test_any_convergence_keeps_order_and_limit(doings: list[tuple[str, int]]) -> None:
    outbox, allowed, put = Outbox(2), 2, 0
    out: list[Message] = []
    for what, number in doings:
        if what == "put":
            outbox.put([fail(put + i) for i in range(number)])
            put += number
        elif what == "allow":
            allowed = max(allowed, number)
            outbox.allow(number)
        else:
            outbox.is_held = what == "hold"
        released = outbox.release()
        assert not (released and outbox.is_held)
        out += released
        assert len(out) == outbox.released <= min(allowed, outbox.queued)
        assert outbox.queued == put
        assert outbox.is_open is (not outbox.is_held and len(out) == put < allowed)
    assert out == [fail(part) for part in range(len(out))]


def test_a_new_session_is_owed_nothing() -> None:
    outbox = Outbox(1)
    outbox.put([fail(1), fail(2)])
    outbox.is_held = True
    outbox.restart()
    assert (outbox.queued, outbox.released, outbox.is_open) == (2, 2, True)
    outbox.put([fail(3), fail(4)])
    assert outbox.release() == [fail(3)]
