"""Searches whose analysers may lie: right, or ended by a line that names the liar."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.search.bounds_tree import VALUE_LIMIT
from master.contract.events import Outcome, PartEnded
from master.contract.rate import RateMeter
from master.search.claims import Claim, find_claims
from master.search.running.checked import CLAIM_PART_FIRST, OUR_PARTY, Confirming
from master.search.running.run import ProveHere, Send
from master.search.running.search_sessions import SearchSession, from_wire, to_wire
from master.search.running.wording import Proved
from protocol.messages import Entries, Search, Stop
from tests.master.search.fake_fleet import Fleet, MadeUpWording
from tests.master.search.synthetic import MadeUpGame, answer

SEEDS = st.integers(0, 10_000)
PROVES_NOTHING = "an answer: it has come to its end, and proves nothing"


def liar(seed: int, share: float = 0.3, most: int = 8) -> Callable[[list[int]], list[int]]:
    """Return what tells other bounds than were proved, now and then."""
    rng = random.Random(seed)

    def lie(numbers: list[int]) -> list[int]:
        if rng.random() >= share:
            return numbers
        lower = rng.randint(-most, most)
        upper = lower + rng.choice([0, 0, 3])
        return [lower, upper, *numbers[2:4]]

    return lie


@settings(max_examples=60)
@given(SEEDS, st.integers(1, 6), st.lists(st.sampled_from(["", "attic", "cellar"]), min_size=1))
def test_honest_strangers_find_what_all_find(seed: int, depth: int, parties: list[str]) -> None:
    fleet = Fleet(seed, depth, is_checked=True)
    for party in parties[:4]:
        fleet.come(1 + seed % 2, party)
    fleet.finish()
    assert fleet.found == answer(fleet.game, depth)
    assert fleet.run.liars == ()
    assert fleet.run.unconfirmed == 0


@settings(max_examples=150)
@given(SEEDS, st.lists(st.sampled_from(["", "attic", "cellar"]), max_size=3), st.booleans())
@pytest.mark.when_changed
def test_no_liar_is_believed(seed: int, honest: list[str], is_rare: bool) -> None:
    fleet = Fleet(seed, 5, is_checked=True)
    bad = fleet.come(1, "barn")
    bad.lie = liar(seed, 0.05 if is_rare else 0.5)
    for party in honest:
        fleet.come(1, party)
    while not fleet.run.is_over and fleet.run.has_workers:
        fleet.turn()
    if not fleet.run.is_over:
        assert fleet.refused == [f"analyser seat-1: {PROVES_NOTHING}"]
    elif fleet.run.error:
        assert fleet.run.liars == (bad.number,)
        assert fleet.run.error.startswith("seat-1 at barn told what is false: ")
    else:
        assert fleet.found == answer(fleet.game, 5)


def test_liar_alone_is_found_out_here_and_named() -> None:
    fleet = Fleet(4, 5, is_checked=True)
    bad = fleet.come(1, "barn")
    value, _ = answer(fleet.game, 5)
    bad.lie = lambda numbers: [value + 1, value + 1, *numbers[2:4]]
    fleet.finish()
    assert fleet.run.liars == (bad.number,)
    assert fleet.run.error.startswith(
        "seat-1 at barn told what is false: of a position's value, that it is"
    )


def test_honest_one_that_is_contradicted_by_a_liar_is_not_blamed() -> None:
    fleet = Fleet(4, 5, is_checked=True)
    good = fleet.come(1, "attic")
    while not fleet.to_prove:  # what attic told is being proved here, one claim after the other
        fleet.turn()
    bad = fleet.come(1, "barn")
    assert bad.waiting, "another party is asked as well"
    bad.lie = lambda numbers: [-numbers[1] - 1, -numbers[0] + 1, *numbers[2:4]]
    fleet.finish()
    assert good.number not in fleet.run.liars


def test_strangers_tell_no_entries_and_hear_those_of_ours() -> None:
    fleet = Fleet(2, 6, is_checked=True)
    ours, stranger = fleet.come(1), fleet.come(1, "attic")
    for _ in range(30):
        fleet.turn()
    requests = [task.request for task in stranger.tasks] + list(stranger.waiting)
    assert all(request.news == -1 for request in requests)
    reported = Entries(game="made-up", text=f"{fleet.game.root().hex()} 3 x")
    assert fleet.run.entries(stranger.number, reported, fleet.now) == []
    assert ours.entries_heard == 0


def test_session_that_goes_leaves_its_claims_to_others() -> None:
    fleet = Fleet(4, 5, is_checked=True)
    fleet.come(1, "attic")
    while not fleet.to_prove:
        fleet.turn()
    other = fleet.come(1, "barn")
    assert other.waiting
    fleet.lose(other)
    fleet.finish()
    assert fleet.found == answer(fleet.game, 5)


def test_abandoned_search_stops_what_is_proved_again() -> None:
    fleet = Fleet(4, 5, is_checked=True)
    fleet.come(1, "attic")
    while not fleet.to_prove:
        fleet.turn()
    fleet.come(1, "barn")
    actions = fleet.run.abandon("nobody waits")
    assert [type(a.message) for a in actions if isinstance(a, Send)].count(Stop) >= 1


def test_our_own_analysers_are_believed() -> None:
    fleet = Fleet(9, 6, is_checked=True)
    fleet.come(2)
    fleet.finish()
    assert fleet.to_prove == []
    assert find_claims(fleet.scheduler._state.tree) == ()
    assert fleet.found == answer(fleet.game, 6)


def test_claims_are_asked_as_urgent_parts_of_the_search() -> None:
    fleet = Fleet(4, 5, is_checked=True)
    fleet.come(1, "attic")
    while not fleet.to_prove:
        fleet.turn()
    assert isinstance(fleet.to_prove[0], ProveHere)
    sent = fleet.run.came(2, "barn", 1, fleet.now, "barn")
    requests = [a.message for a in sent if isinstance(a, Send)]
    assert [type(request) for request in requests] == [Search]
    assert all(request.urgent for request in requests if isinstance(request, Search))


@pytest.mark.parametrize(
    ("code", "refused"),
    [("draining", []), ("bad-context", ["analyser seat-2: bad-context: no"])],
)
def test_session_that_fails_at_a_claim_leaves_it_to_others(code: str, refused: list[str]) -> None:
    fleet = Fleet(4, 5, is_checked=True)
    fleet.come(1, "attic")
    while not fleet.to_prove:
        fleet.turn()
    other = fleet.come(1, "barn")
    request = other.waiting.popleft()
    other.kept.append(PartEnded(0, request.part, request.attempt, Outcome.FAIL, 0, code, "no"))
    fleet.finish()
    assert fleet.found == answer(fleet.game, 5)
    assert fleet.refused == refused


def test_silent_session_is_not_waited_for() -> None:
    fleet = Fleet(4, 5, is_checked=True)
    fleet.come(1, "attic")
    while not fleet.to_prove:
        fleet.turn()
    other = fleet.come(1, "barn")
    other.waiting.clear()  # it is stopped, and its link lives
    fleet.finish()
    assert fleet.found == answer(fleet.game, 5)


SEARCH = 9
WORDING = MadeUpWording(MadeUpGame(1))
NOTHING = Proved(-VALUE_LIMIT, VALUE_LIMIT, 1, None, ())
AT_LEAST = Proved(5, VALUE_LIMIT, 1, None, ())
AT_MOST = Proved(-VALUE_LIMIT, 4, 1, None, ())


def session_of(number: int, party: str, workers: int = 1) -> SearchSession:
    return SearchSession(
        number, f"s{number}", RateMeter(0.0, 0), workers, list(range(workers)), party=party
    )


def claim_of(teller: int, bound: int = 5, is_lower: bool = True) -> Claim:
    return Claim(bytes([teller, bound]), 3, is_lower, bound, frozenset([teller]))


@dataclass
class Stage:
    """Claims that sessions have told, and what others were asked about them."""

    sessions: list[SearchSession]
    claims: list[Claim]
    asked: list[tuple[int, Search]] = field(default_factory=list)
    here: list[ProveHere] = field(default_factory=list)

    def __post_init__(self) -> None:
        by_number = {session.number: session for session in self.sessions}
        self.confirming = Confirming(self.claims, SEARCH, WORDING, by_number)

    def ask(self, *sessions: SearchSession) -> list[tuple[int, Search]]:
        """Ask these sessions, or all; return who was asked what by this alone."""
        said = self.confirming.ask(sessions or self.sessions)
        self.here += [each for each in said if isinstance(each, ProveHere)]
        requests = [
            (each[0], each[1])
            for each in said
            if not isinstance(each, ProveHere) and isinstance(each[1], Search)
        ]
        self.asked += requests
        assert len(said) - len(requests) in {0, 1}, "what is no request is one search of ours"
        return requests

    def judge(self, session: int, proved: Proved) -> None:
        """Answer the request of a session that was made last."""
        (request,) = [request for number, request in self.asked if number == session][-1:]
        _, part = from_wire(request.part)
        assert self.confirming.has(part, request.attempt, session)
        self.confirming.judge(part, request.attempt, proved)


def two_parties() -> tuple[Stage, SearchSession, SearchSession]:
    """Return a claim that one session told, that session, and another party's."""
    teller, other = session_of(1, "attic"), session_of(2, "barn")
    return Stage([teller, other], [claim_of(1)]), teller, other


def test_claim_is_asked_as_an_urgent_search_of_its_window() -> None:
    stage, _, other = two_parties()
    ((session, request),) = stage.ask(other)
    assert (session, request.urgent) == (2, True)
    assert request.part == to_wire(SEARCH, CLAIM_PART_FIRST)
    assert request.context == f"made-up/1 {bytes([1, 5]).hex()} 3 4 5"
    asked, lease, window = stage.confirming.asked(CLAIM_PART_FIRST, 1)
    assert (asked, lease.answer, window) == (other, None, (4, 5))


def test_only_the_session_that_was_asked_in_this_attempt_answers() -> None:
    stage, _, other = two_parties()
    stage.ask(other)
    has = stage.confirming.has
    assert has(CLAIM_PART_FIRST, 1, 2)
    assert not has(CLAIM_PART_FIRST, 1, 1)
    assert not has(CLAIM_PART_FIRST, 2, 2)
    assert not has(CLAIM_PART_FIRST + 1, 1, 2)
    stage.judge(2, AT_LEAST)
    assert not has(CLAIM_PART_FIRST, 1, 2)


def test_no_party_proves_its_own_results() -> None:
    teller, neighbour = session_of(1, "attic"), session_of(2, "attic", 4)
    stage = Stage([teller, neighbour], [claim_of(1)])
    assert stage.ask() == []
    assert [each.claim for each in stage.here] == [0]


def test_session_is_asked_as_much_as_it_has_workers() -> None:
    busy = session_of(2, "barn", 3)
    stage = Stage([session_of(1, "attic", 0), busy], [claim_of(1, bound) for bound in range(5)])
    assert len(stage.ask()) == 3
    assert stage.ask() == []
    stage.judge(2, Proved(9, 9, 1, None, ()))
    assert len(stage.ask()) == 1


def test_this_process_searches_one_claim_at_a_time_and_only_without_an_analyser_of_its_own() -> (
    None
):
    teller, ours = session_of(1, "attic"), session_of(2, OUR_PARTY)
    stage = Stage([teller, ours], [claim_of(1, bound) for bound in (5, 6, 7)])
    stage.ask(teller)
    stage.ask(teller)
    assert [each.claim for each in stage.here] == [0]
    assert stage.here[0].question == f"made-up/1 {bytes([1, 5]).hex()} 3 4 5"
    stage.confirming.answer_here(0, AT_LEAST)
    ((session, request),) = stage.ask()
    assert (session, from_wire(request.part)) == (2, (SEARCH, CLAIM_PART_FIRST + 1))
    assert len(stage.here) == 1
    ours.workers.clear()  # it is away
    stage.ask()
    assert [each.claim for each in stage.here] == [0, 2]


def test_our_own_analyser_is_not_asked_what_this_process_searches() -> None:
    teller, ours = session_of(1, "attic"), session_of(2, OUR_PARTY)
    stage = Stage([teller, ours], [claim_of(1)])
    stage.ask(teller)
    assert len(stage.here) == 1
    assert stage.ask() == []


def test_what_is_doubted_is_proved_here_before_anything_else() -> None:
    teller, other = session_of(1, "attic", 0), session_of(2, "barn")
    stage = Stage([teller, other], [claim_of(1, bound) for bound in (5, 4, 3)])
    stage.ask()
    assert [each.claim for each in stage.here] == [1]
    stage.confirming.answer_here(1, AT_LEAST)
    stage.judge(2, AT_MOST)
    stage.ask(teller)
    assert [each.claim for each in stage.here] == [1, 0]


def test_claim_that_was_proved_meanwhile_is_not_asked_again() -> None:
    sessions = [session_of(1, "attic", 0), session_of(2, "barn"), session_of(3, OUR_PARTY, 2)]
    stage = Stage(sessions, [claim_of(1, bound) for bound in (5, 6)])
    assert [session for session, _ in stage.ask()] == [2, 3, 3]
    stage.judge(3, AT_LEAST)
    assert stage.confirming.left == 1
    stage.confirming.lose(sessions[1])
    assert stage.ask(sessions[2], session_of(4, "cellar")) == []


def test_claim_that_others_are_slow_with_is_proved_here_as_well() -> None:
    stage, _, _ = two_parties()
    assert [session for session, _ in stage.ask()] == [2]
    assert [each.claim for each in stage.here] == [0]
    stage.confirming.answer_here(0, AT_LEAST)
    assert stage.confirming.is_over
    assert [session for session, _ in stage.confirming.stops()] == [2]


def test_proved_claim_is_over_and_nobody_is_blamed() -> None:
    stage, _, other = two_parties()
    stage.ask(other)
    assert (stage.confirming.left, stage.confirming.is_over) == (1, False)
    stage.judge(2, AT_LEAST)
    assert (stage.confirming.left, stage.confirming.is_over) == (0, True)
    assert stage.confirming.liars == frozenset()


def test_two_that_contradict_each_other_are_judged_here() -> None:
    for truth, liar, text in (
        (AT_MOST, 1, "of a position's value, that it is at least 5"),
        (AT_LEAST, 2, "of a position's value, that it is not at least 5"),
    ):
        stage, teller, other = two_parties()
        stage.ask(other)
        stage.judge(2, AT_MOST)
        assert not stage.confirming.is_over, "it is one's word against the other's"
        stage.ask(teller, other)
        assert [each.claim for each in stage.here] == [0]
        stage.confirming.answer_here(0, truth)
        assert stage.confirming.is_over
        assert [session.number for session in stage.confirming.liars] == [liar]
        assert stage.confirming.text == text


def test_all_senders_of_false_results_are_liars() -> None:
    sessions = [session_of(1, "attic"), session_of(2, "barn"), session_of(3, OUR_PARTY)]
    claim = Claim(b"p", 3, False, 4, frozenset([1, 2]))
    stage = Stage(sessions, [claim])
    ((session, _),) = stage.ask()
    assert session == 3
    stage.judge(3, AT_LEAST)
    assert {session.number for session in stage.confirming.liars} == {1, 2}
    assert stage.confirming.text.endswith("that it is at most 4")


@pytest.mark.parametrize("ends", ["goes", "proves nothing"])
def test_claim_of_a_session_without_an_answer_is_asked_again_as_another_attempt(ends: str) -> None:
    stage, _, other = two_parties()
    stage.ask(other)
    if ends == "goes":
        stage.confirming.lose(other)
    else:
        stage.judge(2, NOTHING)
    back = session_of(3, "cellar")
    ((session, request),) = stage.ask(back)
    assert session == 3
    assert request.attempt > 1
    assert not stage.confirming.has(CLAIM_PART_FIRST, 1, 2)


def test_answer_that_comes_after_its_session_went_counts_for_nothing() -> None:
    stage, _, other = two_parties()
    stage.ask(other)
    stage.confirming.lose(other)
    stage.confirming.judge(CLAIM_PART_FIRST, 1, AT_LEAST)
    assert stage.confirming.left == 1


def test_what_is_still_searched_is_stopped_where_it_is_searched() -> None:
    sessions = [session_of(1, "attic", 0), session_of(2, "barn"), session_of(3, "cellar")]
    stage = Stage(sessions, [claim_of(1, bound) for bound in (5, 6)])
    stage.ask()
    stage.judge(2, AT_LEAST)
    assert stage.confirming.stops() == [
        (3, Stop(part=to_wire(SEARCH, CLAIM_PART_FIRST + 1), attempt=1))
    ]


# ---- any sessions, claims and answers in any order; one party lies
PARTIES = ["attic", "barn", "cellar", OUR_PARTY]
LIAR = "barn"


class Court(Stage):
    """Random claims, of which only the lying party's may be false."""

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(seed)
        sessions = [
            session_of(number, rng.choice(PARTIES), rng.randint(1, 2))
            for number in range(1, rng.randint(2, 6))
        ]
        self.values = [rng.randint(-5, 5) for _ in range(rng.randint(1, 6))]
        self.false: set[int] = set()
        super().__init__(sessions, [])
        strangers = [session for session in sessions if session.party != OUR_PARTY]
        self.claims = [
            self.reported(*each, strangers) for each in enumerate(self.values) if strangers
        ]
        by_number = {session.number: session for session in sessions}
        self.confirming = Confirming(self.claims, SEARCH, WORDING, by_number)

    def reported(self, number: int, value: int, strangers: list[SearchSession]) -> Claim:
        rng = self.rng
        tellers = rng.sample(strangers, rng.randint(1, min(2, len(strangers))))
        is_lower = rng.random() < 0.5
        is_false = {session.party for session in tellers} == {LIAR} and rng.random() < 0.5
        slack = -rng.randint(1, 3) if is_false else rng.randint(0, 3)
        if is_false:
            self.false.add(number)
        bound = value - slack if is_lower else value + slack
        return Claim(bytes([number]), 3, is_lower, bound, frozenset(s.number for s in tellers))

    def honest(self, number: int) -> Proved:
        """Return what a fail-soft search of a claim's window proves."""
        value, (alpha, _) = self.values[number], self.claims[number].window
        bounds = (-VALUE_LIMIT, value) if value <= alpha else (value, VALUE_LIMIT)
        return Proved(*bounds, 1, None, ())

    def lying(self, number: int) -> Proved:
        alpha, beta = self.claims[number].window
        is_high = self.values[number] <= alpha
        bounds = (beta, VALUE_LIMIT) if is_high else (-VALUE_LIMIT, alpha)
        return Proved(*bounds, 1, None, ())

    def turn(self) -> None:
        rng = self.rng
        present = [session for session in self.sessions if rng.random() < 0.8]
        self.ask(*present) if present else None
        if self.here and rng.random() < 0.5:
            claim = self.here.pop().claim
            self.confirming.answer_here(claim, self.honest(claim))
        for number, request in self.asked[-4:]:
            self.answer(self.sessions[number - 1], request)
        if rng.random() < 0.1:
            self.confirming.lose(rng.choice(self.sessions))

    def answer(self, session: SearchSession, request: Search) -> None:
        _, part = from_wire(request.part)
        if self.confirming.is_over or not self.confirming.has(
            part, request.attempt, session.number
        ):
            return
        claim = part - CLAIM_PART_FIRST
        if self.rng.random() < 0.2:
            self.confirming.judge(part, request.attempt, NOTHING)
        elif session.party == LIAR and self.rng.random() < 0.5:
            self.confirming.judge(part, request.attempt, self.lying(claim))
        else:
            self.confirming.judge(part, request.attempt, self.honest(claim))


@settings(max_examples=300)
@given(st.integers(0, 10**6))
def test_answer_stands_only_if_it_is_true_and_the_honest_are_never_blamed(seed: int) -> None:
    court = Court(seed)
    for _ in range(1000):
        if court.confirming.is_over:
            break
        court.turn()
    assert court.confirming.is_over
    assert {session.party for session in court.confirming.liars} <= {LIAR}
    assert not court.false or court.confirming.liars


@settings(max_examples=200)
@given(st.integers(0, 10**6))
def test_no_party_is_asked_of_its_own_word_and_no_session_of_more_than_it_can(seed: int) -> None:
    court = Court(seed)
    for _ in range(30):
        if court.confirming.is_over:
            break
        court.turn()
        held = Counter(number for number, _ in court.confirming.stops())
        assert all(
            count <= len(court.sessions[number - 1].workers) for number, count in held.items()
        )
    for number, request in court.asked:
        claim = court.claims[from_wire(request.part)[1] - CLAIM_PART_FIRST]
        parties = {court.sessions[teller - 1].party for teller in claim.tellers}
        assert court.sessions[number - 1].party not in parties
