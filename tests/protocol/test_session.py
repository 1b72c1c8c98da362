"""Sessions keep results until acknowledged, check them, and are known by their secret."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.codec import encode
from protocol.codes import LocalProtocolError, ProtocolError
from protocol.messages import (
    ANSWER_CHARACTERS_MAX,
    AnalyserHello,
    Answer,
    Done,
    Fail,
    MasterHello,
    PartResult,
    Question,
    Search,
    Stopped,
    Trial,
    Trials,
    context_digest,
)
from protocol.plain import OUT_BYTES_MAX
from protocol.session import (
    OUTSTANDING_MAX,
    UNACKED_BYTES_MAX,
    AnalyserSession,
    MasterSession,
)
from protocol.session_secret import is_same_session, new_session_secret, public_session_id
from tests.protocol.strategies import tried

DIGEST = context_digest("c")


def trial(seq: int, part: int = 1) -> Trial:
    return Trial(part=part, attempt=0, seq=seq, values=(0.5,))


def request(part: int = 1, count: int = 2, first_seq: int = 0) -> Trials:
    return Trials(part=part, attempt=0, first_seq=first_seq, count=count, context="c")


def done(count: int = 2, digest: str = DIGEST) -> Done:
    return Done(part=1, attempt=0, context_digest=digest, count=count)


@given(st.lists(st.integers(0, 12)), st.integers(0, 20))
def test_results_are_kept_from_the_first_unacked_on(acks: list[int], count: int) -> None:
    session = AnalyserSession("s")
    for seq in range(count):
        session.keep(trial(seq))
    best = 0
    for ack in acks:
        refusal = tried(session.ack, ack)
        if ack > count:
            assert isinstance(refusal, ProtocolError)
            assert refusal.code == "bad-ack"
        else:
            assert refusal is None
            best = max(best, ack)
    assert session.first_unacked == best + 1
    assert session.result_count == count
    kept = session.lines_from(session.first_unacked, 10**9)
    assert kept == [encode(trial(seq)) for seq in range(best, count)]


def test_lines_to_send_again_come_in_pieces_of_one_at_least() -> None:
    session = AnalyserSession("s")
    size = len(session.keep(trial(0)))
    for seq in range(1, 9):
        session.keep(trial(seq))
    assert len(session.lines_from(4, 2 * size)) == 2
    assert len(session.lines_from(4, 1)) == 1
    assert session.lines_from(10, 100) == []


def test_full_session_keeps_nothing_more_until_an_ack() -> None:
    session = AnalyserSession("s", unacked_max=2)
    session.keep(trial(0))
    session.keep(trial(1))
    assert session.is_full
    with pytest.raises(LocalProtocolError):
        session.keep(trial(2))
    session.ack(1)
    assert not session.is_full
    session.keep(trial(2))


def test_session_of_long_answers_is_heavy_before_it_is_full() -> None:
    session = AnalyserSession("s")
    long = Answer(part=1, attempt=0, text="x" * ANSWER_CHARACTERS_MAX)
    while not session.is_heavy:
        session.keep(long)
    assert UNACKED_BYTES_MAX <= sum(map(len, session.lines_from(1, 10**9))) < OUT_BYTES_MAX
    session.ack(1)
    assert not session.is_heavy
    session.keep(long)
    session.restart("t")
    assert not session.is_heavy


def test_session_goes_on_only_from_results_that_are_kept() -> None:
    session = AnalyserSession("s")
    for seq in range(5):
        session.keep(trial(seq))
    session.ack(2)
    for received in (2, 3, 4, 5):
        session.check_resume(received)
    for received in (0, 1, 6):
        with pytest.raises(ProtocolError, match="bad-resume"):
            session.check_resume(received)
    session.restart("t")
    assert (session.name, session.first_unacked, session.result_count) == ("t", 1, 0)
    assert not session.outstanding


def test_analyser_takes_a_part_once_and_few_at_a_time() -> None:
    session = AnalyserSession("s")
    session.open(request())
    with pytest.raises(ProtocolError, match="wrong-order"):
        session.open(request())
    session.keep(trial(0))
    assert session.outstanding == {(1, 0)}
    session.keep(done())
    session.open(request())
    for part in range(2, OUTSTANDING_MAX + 1):
        session.open(request(part))
    with pytest.raises(ProtocolError, match="too-many-parts"):
        session.open(request(0))


def test_results_that_fit_their_part_are_known_and_counted() -> None:
    session = MasterSession("s")
    session.open(request())
    assert [session.count(result) for result in (trial(0), trial(1), done())] == [True] * 3
    assert session.received == 3
    assert session.outstanding == []


def test_result_of_a_part_that_is_gone_is_counted_but_unknown() -> None:
    session = MasterSession("s")
    assert session.count(trial(7)) is False
    assert session.count(done()) is False
    assert session.received == 2


FAIL = Fail(part=1, attempt=0, code="engine-error")
STOPPED = Stopped(part=1, attempt=0, context_digest=DIGEST, count=1)


@pytest.mark.parametrize("results", [[trial(0), STOPPED], [FAIL], [trial(0), FAIL]])
def test_a_part_may_end_early(results: list[PartResult]) -> None:
    session = MasterSession("s")
    session.open(request())
    assert all(session.count(result) for result in results)
    assert session.outstanding == []


@pytest.mark.parametrize(
    "results",
    [
        [trial(1)],
        [trial(0), trial(0)],
        [trial(0), trial(1), trial(2)],
        [trial(0), done(1)],
        [trial(0), done(2)],
        [trial(0), trial(1), done(2, "0" * 16)],
        [STOPPED],
    ],
)
def test_result_that_does_not_fit_its_part_is_refused(results: list[PartResult]) -> None:
    session = MasterSession("s")
    session.open(request())
    with pytest.raises(ProtocolError, match="bad-result"):
        [session.count(result) for result in results]


def test_wrong_count_is_refused_with_the_one_that_came() -> None:
    session = MasterSession("s")
    session.open(request(first_seq=5))
    session.count(trial(5))
    with pytest.raises(ProtocolError, match="2 results named, 1 came"):
        session.count(done(2))


SEARCH = Search(part=1, attempt=0, context="c", news=8)
QUESTIONS: list[Question | Search] = [
    SEARCH,
    Question(service="moves", part=1, attempt=0, context="c"),
    Question(service="analyse", part=1, attempt=0, context="c"),
]
ANSWER = Answer(part=1, attempt=0, text="so")
NOTHING = Stopped(part=1, attempt=0, context_digest=DIGEST, count=0)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("results", [[ANSWER, done(1)], [NOTHING], [FAIL]])
def test_question_has_one_answer_and_done_or_neither(
    question: Question | Search, results: list[PartResult]
) -> None:
    ours, theirs = MasterSession("s"), AnalyserSession("s")
    ours.open(question)
    theirs.open(question)
    for result in results:
        assert ours.outstanding == [(1, 0)]
        assert theirs.outstanding == {(1, 0)}
        assert ours.count(result)
        theirs.keep(result)
    assert ours.outstanding == []
    assert not theirs.outstanding
    assert ours.count(ANSWER) is False
    assert ours.received == len(results) + 1


@pytest.mark.parametrize(
    "results",
    [
        [trial(0)],
        [ANSWER, ANSWER],
        [ANSWER, trial(1)],
        [ANSWER, NOTHING],
        [ANSWER, STOPPED],
        [ANSWER, FAIL],
        [ANSWER, done(0)],
        [ANSWER, done(2)],
        [ANSWER, done(1, "0" * 16)],
        [done(1)],
        [done(0)],
        [STOPPED],
    ],
)
def test_result_that_does_not_fit_its_question_is_refused(results: list[PartResult]) -> None:
    session = MasterSession("s")
    session.open(QUESTIONS[1])
    with pytest.raises(ProtocolError, match="bad-result"):
        [session.count(result) for result in results]


def test_stopped_search_answers_what_it_has_proved() -> None:
    ours, theirs = MasterSession("s"), AnalyserSession("s")
    ours.open(SEARCH)
    theirs.open(SEARCH)
    for result in (ANSWER, STOPPED):
        assert ours.count(result)
        theirs.keep(result)
    assert ours.outstanding == []
    assert not theirs.outstanding


@pytest.mark.parametrize(
    "results", [[ANSWER, NOTHING], [ANSWER, FAIL], [ANSWER, ANSWER], [STOPPED], [done(1)]]
)
def test_result_that_does_not_fit_its_search_is_refused(results: list[PartResult]) -> None:
    session = MasterSession("s")
    session.open(SEARCH)
    with pytest.raises(ProtocolError, match="bad-result"):
        [session.count(result) for result in results]


def test_answer_to_trials_is_refused() -> None:
    session = MasterSession("s")
    session.open(request())
    with pytest.raises(ProtocolError, match="bad-result"):
        session.count(ANSWER)


def test_master_notes_each_part_once_and_few_at_a_time() -> None:
    session = MasterSession("s")
    for part in range(OUTSTANDING_MAX):
        session.open(request(part))
    with pytest.raises(LocalProtocolError, match="already"):
        session.open(request(0))
    with pytest.raises(LocalProtocolError, match="too many"):
        session.open(request(OUTSTANDING_MAX))


def test_master_acks_what_it_received_and_never_backwards() -> None:
    session = MasterSession("s", received=5)
    session.count(trial(0))
    session.ack(6)
    for count in (5, 7):
        with pytest.raises(LocalProtocolError, match=f"ack {count}: 6 to 6 expected"):
            session.ack(count)


def test_secret_is_128_random_bits_and_fits_the_wire() -> None:
    made = {new_session_secret() for _ in range(100)}
    assert len(made) == 100
    assert {len(secret) for secret in made} == {32}
    assert all(MasterHello(name="me", session=secret).session == secret for secret in made)


def test_public_id_is_that_of_the_specification() -> None:
    # printf 'manyply session s' | sha256sum
    assert public_session_id("s") == "09b99517d409d49d"
    assert AnalyserHello(name="a", cores=1, session=public_session_id("s")).session
    assert public_session_id("") == ""


def test_sessions_are_the_same_by_their_secret_and_never_without_one() -> None:
    assert is_same_session("s", "s")
    assert not is_same_session("s", "t")
    assert not is_same_session("", "")
