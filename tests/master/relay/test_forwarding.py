"""The results that go up are those of one analyser, whatever happens to those below."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from master.contract.events import Outcome, Progressed
from master.relay.forwarding import DEATHS_MAX, STALE_MAX, HandDown, Outbox, PoolChanged, StopDown
from protocol.codes import ReplyCode
from protocol.messages import (
    Fail,
    Message,
    PartRequest,
    Trial,
    Trials,
)
from tests.master.relay.fake_pool import (
    CONTEXT,
    FakePool,
    failed,
    offer,
    question,
    search,
    stopped,
    trials,
    whole,
)


@pytest.mark.parametrize("request_", [trials(7, 5), question(7), search(7)])
def test_a_part_goes_down_whole_and_its_results_come_up(request_: PartRequest) -> None:
    pool = FakePool()
    pool.come(1)
    pool.ask(request_)
    (below,) = pool.hands[1]
    assert below == request_.model_copy(update={"part": below.part, "attempt": below.attempt})
    pool.finish(1, below)
    assert pool.up == whole(request_)
    assert pool.core.live_count == 0


def test_a_part_waits_for_somebody() -> None:
    pool = FakePool()
    pool.ask(trials(1), trials(2))
    pool.come(1, 4)
    assert [below.part for below in pool.hands[1]] == [1, 2]


def test_parts_go_to_the_least_busy_and_then_wait() -> None:
    pool = FakePool()
    pool.come(1, 1)
    pool.come(2, 3)
    pool.ask(*map(trials, range(12)))
    assert (len(pool.hands[1]), len(pool.hands[2])) == (2, 6)
    pool.finish(1, pool.hands[1][0])
    assert len(pool.hands[1]) == 2


def test_the_urgent_go_first_and_beside_what_is_in_hand() -> None:
    pool = FakePool()
    pool.come(1)
    pool.ask(trials(1), trials(2), trials(3), trials(4, urgent=True))
    assert [below.urgent for below in pool.hands[1]] == [False, False, True]
    pool.ask(trials(5, urgent=True), trials(6, urgent=True))
    for below in list(pool.hands[1]):
        if not below.urgent:
            pool.finish(1, below)
    assert [below.urgent for below in pool.hands[1]] == [True, True]


def test_what_a_lost_one_had_goes_on_elsewhere_from_the_first_trial_that_is_missing() -> None:
    pool = FakePool()
    pool.come(1)
    pool.ask(trials(1, 10, 5))
    pool.play(1, pool.hands[1][0], 0, 10.0, 11.0)
    pool.come(2)
    pool.lose(1)
    (below,) = pool.hands[2]
    assert isinstance(below, Trials)
    assert (below.first_seq, below.count, below.context) == (12, 3, CONTEXT)
    pool.finish(2, below)
    assert pool.up == whole(trials(1, 10, 5))


def test_a_part_of_which_only_the_end_was_missing_is_done() -> None:
    pool = FakePool()
    pool.come(1)
    pool.ask(trials(1, 0, 2))
    pool.play(1, pool.hands[1][0], 0, 0.0, 1.0)
    pool.lose(1)
    assert pool.up == whole(trials(1, 0, 2))


def test_an_answer_goes_up_with_its_end_and_once() -> None:
    pool = FakePool()
    pool.come(1)
    pool.come(2)
    pool.ask(question(1))
    pool.answer(1, pool.hands[1][0], "of one that is lost")
    assert pool.up == []
    pool.lose(1)
    pool.finish(2, pool.hands[2][0])
    assert pool.up == whole(question(1))


def test_answer_that_cannot_be_is_not_passed_on_and_its_analyser_is_condemned() -> None:
    pool = FakePool()
    pool.come(1)
    pool.come(2)
    pool.ask(question(1))
    pool.answer(1, pool.hands[1][0], "nan")
    pool.end(1, pool.hands[1][0])
    assert pool.up == []
    ((number, code, text),) = [(x.analyser, x.code, x.text) for x in pool.condemned]
    assert (number, code) == (1, "bad-value")
    assert text.endswith("expected 16 hex digits, not 'nan'")
    pool.finish(2, pool.hands[2][0])
    assert pool.up == whole(question(1))


def test_what_comes_of_parts_that_others_have_is_dropped_and_they_are_stopped() -> None:
    pool = FakePool()
    pool.come(1)
    pool.ask(trials(1))
    (first,) = pool.hands[1]
    pool.lose(1)
    pool.come(2)
    pool.come(1)
    assert [(stop.analyser, stop.part, stop.attempt) for stop in pool.stops] == [
        (1, first.part, first.attempt)
    ]
    pool.play(1, first, 0, 0.0)
    pool.end(1, first, Outcome.STOPPED)
    assert (pool.up, pool.core.dropped_count) == ([], 2)
    pool.finish(2, pool.hands[2][0])
    assert pool.up == whole(trials(1))


def test_what_ended_before_a_return_needs_no_stop() -> None:
    pool = FakePool()
    pool.come(1)
    pool.ask(trials(1))
    (first,) = pool.hands[1]
    pool.lose(1)
    pool.tell(Progressed(1, first.part, first.attempt, 5))
    pool.end(1, first)
    pool.come(1)
    assert pool.stops == []


def test_sessions_that_never_come_back_are_forgotten() -> None:
    pool = FakePool()
    pool.ask(trials(1))
    for number in range(1, STALE_MAX + 10):
        pool.come(number)
        pool.lose(number, is_death=False)
    assert len(pool.core._stale) == STALE_MAX


def test_a_stop_goes_down_or_ends_at_once_what_nobody_has() -> None:
    pool = FakePool()
    pool.come(1)
    requests = trials(1, 0, 4), trials(2), search(3)
    pool.ask(*requests)
    for part in (1, 3, 1, 9):
        pool.stop(part)
    assert pool.up == [stopped(search(3), 0)]
    assert len(pool.stops) == 1
    (below, _) = pool.hands[1]
    pool.play(1, below, 0, 0.0)
    pool.end(1, below, Outcome.STOPPED)
    assert pool.up[-1] == stopped(requests[0], 1)


def test_a_stopped_search_tells_what_it_has_proved() -> None:
    pool = FakePool()
    pool.come(1)
    pool.ask(search(1))
    pool.stop(1)
    pool.answer(1, pool.hands[1][0])
    pool.end(1, pool.hands[1][0], Outcome.STOPPED)
    assert pool.up == [whole(search(1))[0], stopped(search(1), 1)]


def test_a_stopped_part_whose_analyser_is_lost_has_ended() -> None:
    pool = FakePool()
    pool.come(1)
    pool.come(2)
    pool.ask(trials(1))
    pool.play(1, pool.hands[1][0], 0, 0.0)
    pool.stop(1)
    pool.lose(1)
    assert pool.up[-1] == stopped(trials(1), 1)
    assert pool.hands[2] == []


@pytest.mark.parametrize("outcome", [Outcome.STOPPED, Outcome.FAIL])
def test_who_leaves_gets_no_more_and_others_go_on(outcome: Outcome) -> None:
    pool = FakePool()
    pool.come(1, 2)
    pool.come(2)
    pool.ask(trials(1))
    (below,) = pool.hands[1]
    pool.end(1, below, outcome, "draining" if outcome is Outcome.FAIL else "")
    assert len(pool.hands[2]) == 1
    assert pool.core.pool.workers == 1


def test_one_that_drains_finishes_what_it_has() -> None:
    pool = FakePool()
    pool.come(1, 2)
    pool.ask(trials(1))
    pool.do(pool.core.retired(1))
    assert pool.core.pool.workers == 1, "one is told of, so that it can finish"
    pool.ask(trials(2))
    pool.finish(1, pool.hands[1][0])
    assert pool.hands[1] == []
    assert pool.up == whole(trials(1))
    pool.do(pool.core.retired(1))
    pool.do(pool.core.retired(9))
    pool.lose(1, is_death=False)
    assert pool.core.pool.workers == 0


def test_what_fails_below_fails_with_the_name_of_who_said_so() -> None:
    pool = FakePool()
    pool.come(1)
    pool.ask(trials(1))
    pool.end(1, pool.hands[1][0], Outcome.FAIL, "bad-context")
    fail = failed(pool.up)
    assert (fail.code, fail.text) == ("bad-context", "a1: as it is said below")


def test_a_line_too_long_for_one_goes_to_another_and_fails_when_it_is_so_for_all() -> None:
    pool = FakePool()
    pool.come(1)
    pool.come(2)
    pool.ask(trials(1))
    for number in (1, 2):
        pool.end(number, pool.hands[number][0], Outcome.FAIL, ReplyCode.LINE_TOO_LONG)
    assert failed(pool.up).code == ReplyCode.LINE_TOO_LONG


def test_a_part_that_takes_everybody_with_it_fails() -> None:
    pool = FakePool()
    pool.ask(trials(1))
    for number in range(DEATHS_MAX):
        assert pool.up == []
        pool.come(number + 1)
        pool.lose(number + 1)
    fail = failed(pool.up)
    assert (fail.code, fail.text) == (
        "engine-error", "3 analysers below were lost with it: gone"
    )  # fmt: skip


def test_who_breaks_a_rule_is_refused_and_what_went_up_of_its_parts_is_failed() -> None:
    pool = FakePool()
    pool.come(1, 2)
    pool.ask(trials(1), trials(2))
    first, _ = pool.hands[1]
    pool.play(1, first, 0, 0.0)
    pool.come(2, 2)
    pool.lose(1, breach="bad-result")
    assert [(one.analyser, one.code) for one in pool.condemned] == [(1, "bad-result")]
    assert failed(pool.up).part == 1
    (again,) = pool.hands[2]
    pool.finish(2, again)
    assert pool.results(2) == whole(trials(2))


@pytest.mark.parametrize("value", [-1.0, 0.1, float("nan"), 1e7])
def test_a_value_that_no_trial_can_have_goes_no_further(value: float) -> None:
    pool = FakePool()
    pool.come(1)
    pool.ask(trials(1))
    pool.play(1, pool.hands[1][0], 0, value)
    assert pool.condemned[0].code == ReplyCode.BAD_VALUE
    assert pool.up == []
    pool.come(2)
    pool.finish(2, pool.hands[2][0])
    assert pool.up == whole(trials(1))


def test_one_with_another_engine_is_not_used_until_those_of_the_first_are_gone() -> None:
    pool = FakePool()
    pool.come(1, 1, offer("0" * 16))
    pool.come(2, 4, offer("f" * 16))
    (one,) = pool.turned_down
    assert (one.analyser, one.code) == (2, ReplyCode.ENGINE_MISMATCH)
    assert one.text == f"a2: its noop engine is {'f' * 16}, that of the others {'0' * 16}"
    pool.ask(*map(trials, range(4)))
    assert pool.hands[2] == []
    pool.come(3, 1, offer("f" * 16))
    pool.lose(3)
    pool.lose(1)
    assert [engine.digest for engine in pool.core.pool.offers()] == ["f" * 16]
    assert len(pool.hands[2]) == 4


def test_a_liar_makes_room_for_those_of_another_engine() -> None:
    pool = FakePool()
    pool.come(1)
    pool.come(2, 1, offer("f" * 16))
    pool.ask(trials(1))
    pool.play(1, pool.hands[1][0], 0, -1.0)
    assert len(pool.hands[2]) == 1


def test_one_that_grows_is_handed_more_at_once() -> None:
    pool = FakePool()
    pool.come(1)
    pool.ask(*map(trials, range(9)))
    assert len(pool.hands[1]) == 2
    before = pool.change_count
    pool.come(1, 4)
    assert len(pool.hands[1]) == 8
    assert (pool.core.pool.workers, pool.change_count) == (4, before + 1)


def test_no_more_goes_up_than_is_allowed() -> None:
    pool = FakePool(results_max=2)
    pool.come(1)
    pool.ask(trials(1))
    pool.finish(1, pool.hands[1][0])
    assert pool.up == whole(trials(1))[:2]
    pool.ask(trials(2))
    assert pool.hands[1] == [], "nothing is begun while results wait"
    pool.do(pool.core.allow(3))
    assert len(pool.up) == 3
    pool.do(pool.core.hold(True))
    pool.do(pool.core.allow(9))
    assert len(pool.up) == 3
    pool.do(pool.core.hold(False))
    assert pool.up == whole(trials(1))
    assert len(pool.hands[1]) == 1


def test_steps_never_go_back() -> None:
    pool = FakePool()
    pool.come(1)
    pool.ask(trials(1), trials(2))
    assert pool.core.progress() == []
    pool.report(1, pool.hands[1][0], 5)
    pool.report(1, pool.hands[1][0], 4)
    assert [report.steps for report in pool.core.progress()] == [5]
    pool.lose(1)
    pool.come(2)
    pool.report(2, pool.hands[2][0], 2)
    assert [report.steps for report in pool.core.progress()] == [7]


def test_what_is_refused_fails_without_being_taken_on() -> None:
    pool = FakePool()
    pool.do(pool.core.refuse(question(1), "draining", "leaving"))
    assert pool.up == [Fail(part=1, attempt=1, code="draining", text="leaving")]
    assert pool.core.live_count == 0


def test_after_a_cancel_all_is_as_new() -> None:
    pool = FakePool(results_max=4)
    pool.come(1)
    pool.ask(trials(1), trials(2), trials(3))
    (first, _) = pool.hands.pop(1)
    pool.play(1, first, 0, 0.0)
    pool.do(pool.core.cancel_all())
    assert len(pool.stops) == 2
    pool.end(1, first)
    pool.up.clear()
    pool.ask(trials(1))
    pool.finish(1, pool.hands[1][0])
    assert pool.up == whole(trials(1))


def test_entries_are_of_use_while_the_game_is_searched() -> None:
    pool = FakePool()
    pool.ask(trials(1))
    assert not pool.core.is_searched("noop")
    pool.ask(search(2))
    assert pool.core.is_searched("noop")
    assert not pool.core.is_searched("othello")


HAPPENINGS = st.lists(
    st.tuples(
        st.sampled_from(
            ["come", "lose", "leave", "play", "end", "grow", "return", "drain", "stop", "allow"]
        ),
        st.integers(0, 1_000),
    ),
    max_size=80,
)


class Story:
    """Anything that can happen, in any order; at the end everybody is honest and stays."""

    def __init__(self, requests: list[PartRequest]) -> None:
        self.pool = FakePool(results_max=20)
        self.requests = requests
        self.sent: dict[tuple[int, int, int], int] = {}  # trials, by analyser and its part
        self.gone: list[int] = []
        self.asked_to_stop: set[int] = set()
        self.next = 1
        self.pool.ask(*requests)

    def happen(self, what: str, number: int) -> None:
        pool = self.pool
        here = [x for x in pool.hands if pool.core.pool.get(x) is not None]
        who = here[number % len(here)] if here else None
        if what == "come":
            pool.come(self.next, 1 + number % 3)
            self.next += 1
        elif what == "return" and self.gone:
            pool.come(self.gone.pop())
        elif what == "stop":
            self.asked_to_stop.add(self.requests[number % len(self.requests)].part)
            pool.stop(self.requests[number % len(self.requests)].part)
        elif what == "allow":
            pool.do(pool.core.allow(len(pool.up) + number % 7))
        elif who is not None:
            self._happen_to(who, what, number)

    def _happen_to(self, who: int, what: str, number: int) -> None:
        pool, hand = self.pool, self.pool.hands[who]
        request = hand[number % len(hand)] if hand else None
        if what in ("lose", "leave"):
            pool.lose(who, is_death=False)
            self.gone += [who] if what == "lose" else []
        elif what == "grow":
            pool.come(who, 1 + number % 5)
        elif what == "drain":
            pool.do(pool.core.retired(who))
        elif request is not None and what == "play":
            self._play(who, request)
        elif request is not None and what == "end":
            self._end(who, request, number)

    def _play(self, who: int, request: PartRequest) -> bool:
        """Send one trial of a part; False: there is none left."""
        key = (who, request.part, request.attempt)
        skip = self.sent.get(key, 0)
        if not isinstance(request, Trials) or skip == request.count:
            return False
        self.sent[key] = skip + 1
        self.pool.play(who, request, skip, float(request.first_seq + skip))
        return True

    def _end(self, who: int, request: PartRequest, number: int) -> None:
        pool = self.pool
        if number % 4 == 0:
            pool.end(who, request, Outcome.STOPPED)
        elif number % 4 == 1:
            pool.end(who, request, Outcome.FAIL, "draining")
        else:
            while self._play(who, request):
                pass
            if not isinstance(request, Trials):
                pool.answer(who, request)
            pool.end(who, request)

    def finish(self) -> None:
        pool = self.pool
        pool.come(self.next, 4)
        last = self.next
        for _ in range(1_000):
            pool.do(pool.core.allow(len(pool.up) + 10))
            if not pool.core.live_count and pool.core.outbox.queued == pool.core.outbox.released:
                return
            for who in [x for x in pool.hands if pool.core.pool.get(x) is not None]:
                for request in list(pool.hands[who]):
                    self._end(who, request, 2)
        raise AssertionError(f"never ends: {pool.core.live_count} parts, {last} is there")


@settings(max_examples=300)
@given(HAPPENINGS, st.lists(st.integers(1, 5), min_size=1, max_size=6))
@pytest.mark.when_changed
def test_whatever_happens_each_parts_results_come_up_in_order_and_once(
    happenings: list[tuple[str, int]], counts: list[int]
) -> None:
    requests: list[PartRequest] = [
        trials(part, 10 * part, count, urgent=part % 3 == 2)
        if part % 4 != 3
        else (question(part) if count % 2 else search(part))
        for part, count in enumerate(counts, 1)
    ]
    story = Story(requests)
    for what, number in happenings:
        story.happen(what, number)
    story.finish()
    for request in requests:
        results, expected = story.pool.results(request.part), whole(request)
        if results != expected:
            assert request.part in story.asked_to_stop, "only a stop cuts a part short"
            count = sum(isinstance(result, Trial) for result in results)
            assert results == [*expected[:count], stopped(request, count)]


@given(HAPPENINGS)
def test_what_each_has_in_hand_is_counted_right(happenings: list[tuple[str, int]]) -> None:
    story = Story([trials(part, 0, 3, urgent=part % 2 == 0) for part in range(1, 9)])
    for what, number in happenings:
        story.happen(what, number)
        for who in story.pool.hands:
            member = story.pool.core.pool.get(who)
            if member is not None:
                leases = list(member.leases.values())
                assert member.urgent_count == sum(lease.part.kind.is_urgent for lease in leases)
                assert all(lease.holder == who for lease in leases)
                assert all(lease.part.lease is lease for lease in leases)


def test_actions_are_equal_by_what_they_say() -> None:
    assert HandDown(1, trials(2)) == HandDown(1, trials(2))
    assert StopDown(1, 2, 3) != StopDown(1, 2, 4)
    assert PoolChanged() == PoolChanged()


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
