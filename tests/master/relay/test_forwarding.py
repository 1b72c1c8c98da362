"""What goes up is what one analyser would have said, whatever happens to those below."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from master.contract.events import Outcome, Progressed
from master.relay.forwarding import DEATHS_MAX, STALE_MAX
from protocol.codes import ReplyCode
from protocol.messages import (
    Fail,
    PartRequest,
    Trial,
    Trials,
)
from tests.master.relay.fake_crew import (
    CONTEXT,
    FakeCrew,
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
    crew = FakeCrew()
    crew.come(1)
    crew.ask(request_)
    (below,) = crew.hands[1]
    assert below == request_.model_copy(update={"part": below.part, "attempt": below.attempt})
    crew.finish(1, below)
    assert crew.up == whole(request_)
    assert crew.core.live_count == 0


def test_a_part_waits_for_somebody() -> None:
    crew = FakeCrew()
    crew.ask(trials(1), trials(2))
    crew.come(1, 4)
    assert [below.part for below in crew.hands[1]] == [1, 2]


def test_parts_go_to_whoever_has_least_to_do_and_then_wait() -> None:
    crew = FakeCrew()
    crew.come(1, 1)
    crew.come(2, 3)
    crew.ask(*map(trials, range(12)))
    assert (len(crew.hands[1]), len(crew.hands[2])) == (2, 6)
    crew.finish(1, crew.hands[1][0])
    assert len(crew.hands[1]) == 2


def test_the_urgent_go_first_and_beside_what_is_in_hand() -> None:
    crew = FakeCrew()
    crew.come(1)
    crew.ask(trials(1), trials(2), trials(3), trials(4, urgent=True))
    assert [below.urgent for below in crew.hands[1]] == [False, False, True]
    crew.ask(trials(5, urgent=True), trials(6, urgent=True))
    for below in list(crew.hands[1]):
        if not below.urgent:
            crew.finish(1, below)
    assert [below.urgent for below in crew.hands[1]] == [True, True]


def test_what_a_lost_one_had_goes_on_elsewhere_from_the_first_trial_that_is_missing() -> None:
    crew = FakeCrew()
    crew.come(1)
    crew.ask(trials(1, 10, 5))
    crew.play(1, crew.hands[1][0], 0, 10.0, 11.0)
    crew.come(2)
    crew.lose(1)
    (below,) = crew.hands[2]
    assert isinstance(below, Trials)
    assert (below.first_seq, below.count, below.context) == (12, 3, CONTEXT)
    crew.finish(2, below)
    assert crew.up == whole(trials(1, 10, 5))


def test_a_part_of_which_only_the_end_was_missing_is_done() -> None:
    crew = FakeCrew()
    crew.come(1)
    crew.ask(trials(1, 0, 2))
    crew.play(1, crew.hands[1][0], 0, 0.0, 1.0)
    crew.lose(1)
    assert crew.up == whole(trials(1, 0, 2))


def test_an_answer_goes_up_with_its_end_and_once() -> None:
    crew = FakeCrew()
    crew.come(1)
    crew.come(2)
    crew.ask(question(1))
    crew.answer(1, crew.hands[1][0], "of one that is lost")
    assert crew.up == []
    crew.lose(1)
    crew.finish(2, crew.hands[2][0])
    assert crew.up == whole(question(1))


def test_answer_that_cannot_be_is_not_passed_on_and_its_analyser_is_condemned() -> None:
    crew = FakeCrew()
    crew.come(1)
    crew.come(2)
    crew.ask(question(1))
    crew.answer(1, crew.hands[1][0], "nan")
    crew.end(1, crew.hands[1][0])
    assert crew.up == []
    ((number, code, text),) = [(x.analyser, x.code, x.text) for x in crew.condemned]
    assert (number, code) == (1, "bad-value")
    assert text.endswith("expected 16 hex digits, not 'nan'")
    crew.finish(2, crew.hands[2][0])
    assert crew.up == whole(question(1))


def test_what_comes_of_parts_that_others_have_is_dropped_and_they_are_stopped() -> None:
    crew = FakeCrew()
    crew.come(1)
    crew.ask(trials(1))
    (first,) = crew.hands[1]
    crew.lose(1)
    crew.come(2)
    crew.come(1)
    assert [(stop.analyser, stop.part, stop.attempt) for stop in crew.stops] == [
        (1, first.part, first.attempt)
    ]
    crew.play(1, first, 0, 0.0)
    crew.end(1, first, Outcome.STOPPED)
    assert (crew.up, crew.core.dropped_count) == ([], 2)
    crew.finish(2, crew.hands[2][0])
    assert crew.up == whole(trials(1))


def test_what_ended_before_a_return_needs_no_stop() -> None:
    crew = FakeCrew()
    crew.come(1)
    crew.ask(trials(1))
    (first,) = crew.hands[1]
    crew.lose(1)
    crew.tell(Progressed(1, first.part, first.attempt, 5))
    crew.end(1, first)
    crew.come(1)
    assert crew.stops == []


def test_sessions_that_never_come_back_are_forgotten() -> None:
    crew = FakeCrew()
    crew.ask(trials(1))
    for number in range(1, STALE_MAX + 10):
        crew.come(number)
        crew.lose(number, is_death=False)
    assert len(crew.core._stale) == STALE_MAX


def test_a_stop_goes_down_or_ends_at_once_what_nobody_has() -> None:
    crew = FakeCrew()
    crew.come(1)
    requests = trials(1, 0, 4), trials(2), search(3)
    crew.ask(*requests)
    for part in (1, 3, 1, 9):
        crew.stop(part)
    assert crew.up == [stopped(search(3), 0)]
    assert len(crew.stops) == 1
    (below, _) = crew.hands[1]
    crew.play(1, below, 0, 0.0)
    crew.end(1, below, Outcome.STOPPED)
    assert crew.up[-1] == stopped(requests[0], 1)


def test_a_stopped_search_tells_what_it_has_proved() -> None:
    crew = FakeCrew()
    crew.come(1)
    crew.ask(search(1))
    crew.stop(1)
    crew.answer(1, crew.hands[1][0])
    crew.end(1, crew.hands[1][0], Outcome.STOPPED)
    assert crew.up == [whole(search(1))[0], stopped(search(1), 1)]


def test_a_stopped_part_whose_analyser_is_lost_has_ended() -> None:
    crew = FakeCrew()
    crew.come(1)
    crew.come(2)
    crew.ask(trials(1))
    crew.play(1, crew.hands[1][0], 0, 0.0)
    crew.stop(1)
    crew.lose(1)
    assert crew.up[-1] == stopped(trials(1), 1)
    assert crew.hands[2] == []


@pytest.mark.parametrize("outcome", [Outcome.STOPPED, Outcome.FAIL])
def test_who_leaves_gets_no_more_and_others_go_on(outcome: Outcome) -> None:
    crew = FakeCrew()
    crew.come(1, 2)
    crew.come(2)
    crew.ask(trials(1))
    (below,) = crew.hands[1]
    crew.end(1, below, outcome, "draining" if outcome is Outcome.FAIL else "")
    assert len(crew.hands[2]) == 1
    assert crew.core.crew.workers == 1


def test_one_that_drains_finishes_what_it_has() -> None:
    crew = FakeCrew()
    crew.come(1, 2)
    crew.ask(trials(1))
    crew.do(crew.core.retired(1))
    assert crew.core.crew.workers == 1, "one is told of, so that it can finish"
    crew.ask(trials(2))
    crew.finish(1, crew.hands[1][0])
    assert crew.hands[1] == []
    assert crew.up == whole(trials(1))
    crew.do(crew.core.retired(1))
    crew.do(crew.core.retired(9))
    crew.lose(1, is_death=False)
    assert crew.core.crew.workers == 0


def test_what_fails_below_fails_with_the_name_of_who_said_so() -> None:
    crew = FakeCrew()
    crew.come(1)
    crew.ask(trials(1))
    crew.end(1, crew.hands[1][0], Outcome.FAIL, "bad-context")
    fail = failed(crew.up)
    assert (fail.code, fail.text) == ("bad-context", "a1: as it is said below")


def test_a_line_too_long_for_one_goes_to_another_and_fails_when_it_is_so_for_all() -> None:
    crew = FakeCrew()
    crew.come(1)
    crew.come(2)
    crew.ask(trials(1))
    for number in (1, 2):
        crew.end(number, crew.hands[number][0], Outcome.FAIL, ReplyCode.LINE_TOO_LONG)
    assert failed(crew.up).code == ReplyCode.LINE_TOO_LONG


def test_a_part_that_takes_everybody_with_it_fails() -> None:
    crew = FakeCrew()
    crew.ask(trials(1))
    for number in range(DEATHS_MAX):
        assert crew.up == []
        crew.come(number + 1)
        crew.lose(number + 1)
    fail = failed(crew.up)
    assert (fail.code, fail.text) == (
        "engine-error", "3 analysers below were lost with it: gone"
    )  # fmt: skip


def test_who_breaks_a_rule_is_refused_and_what_went_up_of_its_parts_is_failed() -> None:
    crew = FakeCrew()
    crew.come(1, 2)
    crew.ask(trials(1), trials(2))
    first, _ = crew.hands[1]
    crew.play(1, first, 0, 0.0)
    crew.come(2, 2)
    crew.lose(1, breach="bad-result")
    assert [(one.analyser, one.code) for one in crew.condemned] == [(1, "bad-result")]
    assert failed(crew.up).part == 1
    (again,) = crew.hands[2]
    crew.finish(2, again)
    assert crew.results(2) == whole(trials(2))


@pytest.mark.parametrize("value", [-1.0, 0.1, float("nan"), 1e7])
def test_a_value_that_no_trial_can_have_goes_no_further(value: float) -> None:
    crew = FakeCrew()
    crew.come(1)
    crew.ask(trials(1))
    crew.play(1, crew.hands[1][0], 0, value)
    assert crew.condemned[0].code == ReplyCode.BAD_VALUE
    assert crew.up == []
    crew.come(2)
    crew.finish(2, crew.hands[2][0])
    assert crew.up == whole(trials(1))


def test_one_with_another_engine_is_not_used_until_those_of_the_first_are_gone() -> None:
    crew = FakeCrew()
    crew.come(1, 1, offer("0" * 16))
    crew.come(2, 4, offer("f" * 16))
    (one,) = crew.turned_down
    assert (one.analyser, one.code) == (2, ReplyCode.ENGINE_MISMATCH)
    assert one.text == f"a2: its noop engine is {'f' * 16}, that of the others {'0' * 16}"
    crew.ask(*map(trials, range(4)))
    assert crew.hands[2] == []
    crew.come(3, 1, offer("f" * 16))
    crew.lose(3)
    crew.lose(1)
    assert [engine.digest for engine in crew.core.crew.offers()] == ["f" * 16]
    assert len(crew.hands[2]) == 4


def test_a_liar_makes_room_for_those_of_another_engine() -> None:
    crew = FakeCrew()
    crew.come(1)
    crew.come(2, 1, offer("f" * 16))
    crew.ask(trials(1))
    crew.play(1, crew.hands[1][0], 0, -1.0)
    assert len(crew.hands[2]) == 1


def test_one_that_grows_is_handed_more_at_once() -> None:
    crew = FakeCrew()
    crew.come(1)
    crew.ask(*map(trials, range(9)))
    assert len(crew.hands[1]) == 2
    before = crew.change_count
    crew.come(1, 4)
    assert len(crew.hands[1]) == 8
    assert (crew.core.crew.workers, crew.change_count) == (4, before + 1)


def test_no_more_goes_up_than_is_allowed() -> None:
    crew = FakeCrew(results_max=2)
    crew.come(1)
    crew.ask(trials(1))
    crew.finish(1, crew.hands[1][0])
    assert crew.up == whole(trials(1))[:2]
    crew.ask(trials(2))
    assert crew.hands[1] == [], "nothing is begun while results wait"
    crew.do(crew.core.allow(3))
    assert len(crew.up) == 3
    crew.do(crew.core.hold(True))
    crew.do(crew.core.allow(9))
    assert len(crew.up) == 3
    crew.do(crew.core.hold(False))
    assert crew.up == whole(trials(1))
    assert len(crew.hands[1]) == 1


def test_steps_never_go_back() -> None:
    crew = FakeCrew()
    crew.come(1)
    crew.ask(trials(1), trials(2))
    assert crew.core.progress() == []
    crew.report(1, crew.hands[1][0], 5)
    crew.report(1, crew.hands[1][0], 4)
    assert [report.steps for report in crew.core.progress()] == [5]
    crew.lose(1)
    crew.come(2)
    crew.report(2, crew.hands[2][0], 2)
    assert [report.steps for report in crew.core.progress()] == [7]


def test_what_is_refused_fails_without_being_taken_on() -> None:
    crew = FakeCrew()
    crew.do(crew.core.refuse(question(1), "draining", "leaving"))
    assert crew.up == [Fail(part=1, attempt=1, code="draining", text="leaving")]
    assert crew.core.live_count == 0


def test_after_a_cancel_all_is_as_new() -> None:
    crew = FakeCrew(results_max=4)
    crew.come(1)
    crew.ask(trials(1), trials(2), trials(3))
    (first, _) = crew.hands.pop(1)
    crew.play(1, first, 0, 0.0)
    crew.do(crew.core.cancel_all())
    assert len(crew.stops) == 2
    crew.end(1, first)
    crew.up.clear()
    crew.ask(trials(1))
    crew.finish(1, crew.hands[1][0])
    assert crew.up == whole(trials(1))


def test_entries_are_of_use_while_the_game_is_searched() -> None:
    crew = FakeCrew()
    crew.ask(trials(1))
    assert not crew.core.is_searched("noop")
    crew.ask(search(2))
    assert crew.core.is_searched("noop")
    assert not crew.core.is_searched("othello")


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
        self.crew = FakeCrew(results_max=20)
        self.requests = requests
        self.sent: dict[tuple[int, int, int], int] = {}  # trials, by analyser and its part
        self.gone: list[int] = []
        self.asked_to_stop: set[int] = set()
        self.next = 1
        self.crew.ask(*requests)

    def happen(self, what: str, number: int) -> None:
        crew = self.crew
        here = [x for x in crew.hands if crew.core.crew.get(x) is not None]
        who = here[number % len(here)] if here else None
        if what == "come":
            crew.come(self.next, 1 + number % 3)
            self.next += 1
        elif what == "return" and self.gone:
            crew.come(self.gone.pop())
        elif what == "stop":
            self.asked_to_stop.add(self.requests[number % len(self.requests)].part)
            crew.stop(self.requests[number % len(self.requests)].part)
        elif what == "allow":
            crew.do(crew.core.allow(len(crew.up) + number % 7))
        elif who is not None:
            self._happen_to(who, what, number)

    def _happen_to(self, who: int, what: str, number: int) -> None:
        crew, hand = self.crew, self.crew.hands[who]
        request = hand[number % len(hand)] if hand else None
        if what in ("lose", "leave"):
            crew.lose(who, is_death=False)
            self.gone += [who] if what == "lose" else []
        elif what == "grow":
            crew.come(who, 1 + number % 5)
        elif what == "drain":
            crew.do(crew.core.retired(who))
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
        self.crew.play(who, request, skip, float(request.first_seq + skip))
        return True

    def _end(self, who: int, request: PartRequest, number: int) -> None:
        crew = self.crew
        if number % 4 == 0:
            crew.end(who, request, Outcome.STOPPED)
        elif number % 4 == 1:
            crew.end(who, request, Outcome.FAIL, "draining")
        else:
            while self._play(who, request):
                pass
            if not isinstance(request, Trials):
                crew.answer(who, request)
            crew.end(who, request)

    def finish(self) -> None:
        crew = self.crew
        crew.come(self.next, 4)
        last = self.next
        for _ in range(1_000):
            crew.do(crew.core.allow(len(crew.up) + 10))
            if not crew.core.live_count and crew.core.outbox.queued == crew.core.outbox.released:
                return
            for who in [x for x in crew.hands if crew.core.crew.get(x) is not None]:
                for request in list(crew.hands[who]):
                    self._end(who, request, 2)
        raise AssertionError(f"never ends: {crew.core.live_count} parts, {last} is there")


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
        results, expected = story.crew.results(request.part), whole(request)
        if results != expected:
            assert request.part in story.asked_to_stop, "only a stop cuts a part short"
            count = sum(isinstance(result, Trial) for result in results)
            assert results == [*expected[:count], stopped(request, count)]


@given(HAPPENINGS)
def test_what_each_has_in_hand_is_counted_right(happenings: list[tuple[str, int]]) -> None:
    story = Story([trials(part, 0, 3, urgent=part % 2 == 0) for part in range(1, 9)])
    for what, number in happenings:
        story.happen(what, number)
        for who in story.crew.hands:
            member = story.crew.core.crew.get(who)
            if member is not None:
                urgent = [part for part in member.held.values() if part.kind.is_urgent]
                assert member.urgent_count == len(urgent)
                assert all(part.holder == who for part in member.held.values())
