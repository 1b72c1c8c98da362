import asyncio
import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from engine_ext.control import RunControl
from engine_ext.noop.front import FRONT
from engine_ext.noop.question import noop_question
from engine_ext.services import GAMES, answer, engine_digest
from master.contract.commands import CorrectAnswer
from master.contract.errors import MasterError
from master.contract.job_words import JOB_MAX, Priority
from master.contract.questions import QuestionError
from master.contract.views import JobRequest
from master.service import open_questions
from master.service.service import MasterService
from master.store.checksums import checksum
from protocol.messages import Fail, Message, PartRequest, Question
from tests.engine_ext.broken_answers import broken
from tests.engine_ext.questions_of_all_kinds import questions_of_all_kinds
from tests.master.service.watching import silent, until

QUESTIONS = [noop_question(rounds=10, number=number) for number in range(20)]
LIE, TRUTH = "1" * 16, "2" * 16


def right(questions: list[str]) -> list[str | None]:
    return [answer(question, RunControl()) for question in questions]


async def test_answers_come_in_the_order_of_the_questions_each_asked_once(
    service: MasterService, fake_analyser: Any
) -> None:
    analyser = fake_analyser().join(service)
    reported: list[tuple[int, str]] = []
    asked = [*QUESTIONS, *QUESTIONS[::-1]]
    answers = await service.ask(asked, on_answer=lambda index, text: reported.append((index, text)))
    assert answers == right(asked)
    assert sorted(reported) == list(enumerate(answers))
    assert sorted(request.context for request in analyser.requests) == sorted(QUESTIONS)
    assert not any(request.urgent for request in analyser.requests)
    await until(lambda: analyser.acked == analyser.sent)


async def test_no_question_needs_no_analyser(service: MasterService) -> None:
    assert await service.ask([]) == []


async def test_urgent_questions_go_out_as_such(service: MasterService, fake_analyser: Any) -> None:
    analyser = fake_analyser().join(service)
    await service.ask(QUESTIONS[:2], priority=Priority.URGENT)
    assert all(request.urgent for request in analyser.requests)


async def test_kept_answers_are_not_asked_for_again(tmp_path: Path, fake_analyser: Any) -> None:
    async with MasterService(tmp_path) as service:
        fake_analyser().join(service)
        await service.ask(QUESTIONS[:7])
        assert await service.ask(QUESTIONS[:7]) == right(QUESTIONS[:7])  # durable or not
    async with MasterService(tmp_path) as service:
        analyser = fake_analyser().join(service)
        reported: list[int] = []
        answers = await service.ask(QUESTIONS, on_answer=lambda index, _: reported.append(index))
        assert answers == right(QUESTIONS)
        assert reported[:7] == list(range(7))
        assert {request.context for request in analyser.requests} == set(QUESTIONS[7:])


async def test_answers_of_a_kind_that_is_not_kept_are_asked_for_again(
    service: MasterService, fake_analyser: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds: Any = FRONT.kinds
    kind = kinds["noop-question/1"]
    monkeypatch.setitem(kinds, "noop-question/1", kind._replace(is_kept=False))
    analyser = fake_analyser().join(service)
    for times in (1, 2):
        assert await service.ask(QUESTIONS[:3]) == right(QUESTIONS[:3])
        assert len(analyser.requests) == 3 * times
    await until(lambda: analyser.acked == analyser.sent)
    monkeypatch.undo()
    await service.ask(QUESTIONS[:3])
    assert len(analyser.requests) == 9, "none was kept"
    await service.ask(QUESTIONS[:3])
    assert len(analyser.requests) == 9


async def test_cancelled_call_stops_its_parts_and_its_answers_stay(
    tmp_path: Path, fake_analyser: Any, honest: Any
) -> None:
    def answer_some(request: PartRequest) -> list[Message]:
        return honest(request) if request.context in QUESTIONS[:5] else []

    async with MasterService(tmp_path) as service:
        analyser = fake_analyser(answer=answer_some).join(service)
        reported: list[int] = []
        call = asyncio.create_task(
            service.ask(QUESTIONS, on_answer=lambda index, _: reported.append(index))
        )
        await until(lambda: len(reported) == 5)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await until(lambda: not analyser.side.session.outstanding)
        await until(lambda: service._open_questions.waiting_count == 0)
        analyser.answer = honest
        await service.ask(QUESTIONS)
        assert sorted(reported) == list(range(5)), "nobody is told after the end of the call"
        asked = [request.context for request in analyser.requests]
        assert all(asked.count(question) == 1 for question in QUESTIONS[:5])


async def test_two_calls_share_the_answers_in_either_order(
    service: MasterService, fake_analyser: Any, honest: Any
) -> None:
    analyser = fake_analyser(answer=silent).join(service)
    background = asyncio.create_task(service.ask(QUESTIONS, priority=Priority.BACKGROUND))
    await analyser.request_came.wait()
    held = len(analyser.requests)
    analyser.answer = honest
    answers = await service.ask(QUESTIONS[::-1], priority=Priority.ASKED)
    async with asyncio.timeout(5):
        assert await background == answers[::-1] == right(QUESTIONS)
    assert len(analyser.requests) == len(QUESTIONS) + held


async def test_lost_analysers_questions_are_answered_by_another(
    service: MasterService, fake_analyser: Any
) -> None:
    dying = fake_analyser("dying", answer=silent).join(service)
    call = asyncio.create_task(service.ask(QUESTIONS))
    await dying.request_came.wait()
    dying.die()
    fake_analyser("good").join(service)
    async with asyncio.timeout(5):
        assert await call == right(QUESTIONS)


async def test_analyser_without_the_service_is_not_asked_and_named_once(
    service: MasterService, fake_analyser: Any
) -> None:
    old = fake_analyser("old")
    old.services = ("trials",)
    old.join(service)
    await until(lambda: bool(service.analysers()))
    calls = [asyncio.create_task(service.ask([question])) for question in QUESTIONS[:3]]
    await until(lambda: service._open_questions.waiting_count == 3)
    fake_analyser("new").join(service)
    assert await asyncio.gather(*calls) == [[text] for text in right(QUESTIONS[:3])]
    assert old.requests == []
    texts = [notice.text for notice in service._core.notices.since(0)]
    assert texts == ["old has no service analyse for noop"]


@pytest.mark.parametrize("question", ["go/1", "noop/1 alternatives=1 rounds=1", "x\n"])
async def test_text_that_is_no_question_is_refused_by_its_place(
    service: MasterService, question: str
) -> None:
    with pytest.raises(QuestionError) as caught:
        await service.ask([QUESTIONS[0], question])
    assert caught.value.index == 1


async def test_question_that_cannot_be_answered_ends_the_call_by_its_place(
    service: MasterService, fake_analyser: Any, honest: Any, judge: Any
) -> None:
    def fail(request: PartRequest) -> list[Message]:
        if request.context != QUESTIONS[3]:
            return honest(request)  # type: ignore[no-any-return]
        return [Fail(part=request.part, attempt=request.attempt, code="bad-context", text="no")]

    judge("bad-context")
    fake_analyser("a", answer=fail).join(service)
    with pytest.raises(QuestionError, match=r"given up: bad-context: boom \(a\)") as caught:
        await service.ask(QUESTIONS)
    assert caught.value.index == 3


async def test_answer_that_was_proved_wrong_is_reported_and_kept_anew(
    service: MasterService, fake_analyser: Any, honest: Any, answer_with: Any
) -> None:
    def lie_once(request: PartRequest) -> list[Message]:
        if request.context == QUESTIONS[0]:
            return answer_with(request, LIE)  # type: ignore[no-any-return]
        return []

    liar = fake_analyser("liar", answer=lie_once, workers=4).join(service)
    reported: list[tuple[int, str]] = []
    call = asyncio.create_task(
        service.ask(QUESTIONS[:2], on_answer=lambda index, text: reported.append((index, text)))
    )
    await until(lambda: bool(reported))
    service._core._actions[CorrectAnswer](CorrectAnswer(JOB_MAX + 1, 1, 0, TRUTH))
    liar.die()
    fake_analyser("good").join(service)
    async with asyncio.timeout(5):
        assert await call == [TRUTH, *right(QUESTIONS[1:2])]
    assert reported[:2] == [(0, LIE), (0, TRUTH)]
    assert await service.ask(QUESTIONS[:1]) == [TRUTH]


async def test_error_of_the_callers_function_comes_back_to_the_caller(
    service: MasterService, fake_analyser: Any
) -> None:
    def fail(index: int, text: str) -> None:
        raise KeyError(index)

    fake_analyser().join(service)
    with pytest.raises(KeyError):
        await service.ask(QUESTIONS, on_answer=fail)
    with pytest.raises(KeyError):  # of a kept answer too
        await service.ask(QUESTIONS, on_answer=fail)
    assert await service.ask(QUESTIONS) == right(QUESTIONS)


async def test_ending_master_lets_nobody_wait(tmp_path: Path, fake_analyser: Any) -> None:
    async with MasterService(tmp_path) as service:
        analyser = fake_analyser(answer=silent).join(service)
        call = asyncio.create_task(service.ask(QUESTIONS))
        alone = asyncio.create_task(service.ask([noop_question(7, 7)]))
        await analyser.request_came.wait()
        await service.drain()
        for waiting in (call, alone):
            with pytest.raises(MasterError, match="the master is ending"):
                await waiting
        with pytest.raises(MasterError, match="the master is ending"):
            await service.ask(QUESTIONS)


async def test_full_disk_is_a_warning_and_the_answers_come(
    service: MasterService, fake_analyser: Any
) -> None:
    analyser = fake_analyser().join(service)
    service._core._writer.database.execute("PRAGMA max_page_count = 1")
    many = [noop_question(rounds=1, number=number) for number in range(600)]
    assert await service.ask(many) == right(many)
    service._core._writer.flush()
    await until(lambda: analyser.acked == analyser.sent)
    texts = [notice.text for notice in service._core.notices.since(0)]
    assert [text for text in texts if "answers are not kept" in text and "full" in text]
    assert len(texts) == 1


async def test_too_many_waiting_questions_are_refused(
    service: MasterService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_questions, "QUESTIONS_MAX", 10)
    waiting = asyncio.create_task(service.ask(QUESTIONS[:8]))
    await until(lambda: service._open_questions.waiting_count == 8)
    with pytest.raises(MasterError, match="8 questions of 1 jobs wait"):
        await service.ask(QUESTIONS[8:12])
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)


async def test_questions_and_rollouts_are_worked_on_side_by_side(
    service: MasterService, fake_analyser: Any
) -> None:
    fake_analyser().join(service)
    job = await service.submit(JobRequest("noop/1 alternatives=1 rounds=1", 300))
    assert await service.ask(QUESTIONS) == right(QUESTIONS)
    async for update in service.subscribe(job, interval_s=0.01):
        last = update
    assert last.job.folded == 300
    assert [view.job for view in await service.jobs()] == [job]
    assert "questions: 0 wait, 20 were answered by analysers" in await service.status()


async def test_services_are_asked_apart(service: MasterService, fake_analyser: Any) -> None:
    engine = engine_digest("noop")
    moves = f"backgammon-moves/1 engine={engine} ply=0"

    analyser = fake_analyser().join(service)
    call = asyncio.create_task(service.ask([moves, QUESTIONS[0]]))
    await until(lambda: bool(service._core.notices.since(0)))
    texts = [notice.text for notice in service._core.notices.since(0)]
    assert texts == ["fake does not play backgammon"]
    assert not [request for request in analyser.requests if isinstance(request, Question)]
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)


async def random_calls(
    service: MasterService, fake_analyser: Any, honest: Any, rng: random.Random
) -> None:
    """Ask now this, now that, while calls are cancelled and analysers come and go."""
    pool = [noop_question(rounds=100, number=number) for number in range(60)]
    analysers = [fake_analyser("a 0", workers=2).join(service)]
    calls: list[tuple[asyncio.Task[list[str]], list[str]]] = []
    for step in range(40):
        asked = rng.choices(pool, k=rng.randrange(1, 30))
        ask = service.ask(asked, priority=rng.choice(list(Priority)))
        calls.append((asyncio.create_task(ask), asked))
        for _ in range(rng.randrange(30)):
            await asyncio.sleep(0)
        if rng.random() < 0.3:
            rng.choice(calls)[0].cancel()
        if rng.random() < 0.2:
            await analysers.pop(rng.randrange(len(analysers))).leave("enough")
        if not analysers or rng.random() < 0.2:
            kind = rng.choice([silent, honest, honest])
            fake = fake_analyser(f"a {step + 1}", kind, workers=rng.choice([1, 3]))
            analysers.append(fake.join(service))
    for analyser in analysers:
        await analyser.leave("enough")
    fake_analyser("the last").join(service)
    for call, asked in calls:
        try:
            assert await call == right(asked)
        except asyncio.CancelledError:
            assert call.cancelled()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.when_changed
async def test_calls_that_come_and_go_get_the_right_answers(
    tmp_path: Path, fake_analyser: Any, honest: Any, seed: int
) -> None:
    async with asyncio.timeout(20), MasterService(tmp_path) as service:
        await random_calls(service, fake_analyser, honest, random.Random(seed))
        await until(lambda: not service._open_questions.waiting_count)
        service._core.scheduler.validate_state()
        assert service._core.scheduler.jobs() == []


ALL_GAMES = tuple(sorted(GAMES))

WAYS = (
    "garbage",
    "cut off",
    "cut off early",
    "not a number",
    "infinite",
    "overflowing",
    "out of range",
    "of too many digits",
    "said twice",
)


@pytest.mark.slow
@pytest.mark.parametrize("how", WAYS)
async def test_broken_answer_of_any_kind_is_named_not_kept_and_asked_elsewhere(
    service: MasterService, fake_analyser: Any, answer_with: Any, how: str
) -> None:
    asked = questions_of_all_kinds()
    truths = right(list(asked.values()))
    for (name, question), truth in zip(asked.items(), truths, strict=True):
        assert truth is not None, "nobody stops it"

        wrong = broken(truth, first_number=_FIRST_NUMBERS.get(name, 0))[how]

        def lie(request: PartRequest, wrong: str = wrong) -> list[Message]:
            return answer_with(request, wrong)  # type: ignore[no-any-return]

        start = len(service._core.notices.since(0))
        liar = fake_analyser(f"liar {name}", answer=lie, games=ALL_GAMES)
        liar.join(service, f"10.0.0.9:{start + 1}")
        call = asyncio.create_task(service.ask([question]))
        await liar.request_came.wait()
        good = fake_analyser("good", games=ALL_GAMES).join(service)
        async with asyncio.timeout(30):
            assert await call == [truth], (name, how)
        texts = [notice.text for notice in service._core.notices.since(0)][start:]
        (incident, refusal) = texts
        assert incident.startswith(f"liar {name}: question 0: "), texts
        assert refusal.endswith(f"this analyser (10.0.0.9:{start + 1}) is refused from now on")
        assert "given up" not in "".join(texts)
        await good.leave()
    await until(lambda: service._core.stored_ticket() == service._core._writer.last_ticket)
    kept = service._store._select("SELECT text, source FROM answer")
    assert {text for text, _ in kept} <= set(truths)
    assert {source for _, source in kept} == {"good"}


_FIRST_NUMBERS = {"moves": 1}
"""The first number of its answer that is not the place of a move."""


async def test_no_number_of_broken_answers_ends_a_question(
    service: MasterService, fake_analyser: Any, answer_with: Any
) -> None:
    call = asyncio.create_task(service.ask(QUESTIONS[:1]))
    for number in range(8):
        liar = fake_analyser(f"liar {number}", answer=lambda request: answer_with(request, "nan"))
        liar.join(service, f"10.0.0.{number}:1")
        await liar.request_came.wait()
    fake_analyser("good").join(service)
    async with asyncio.timeout(5):
        assert await call == right(QUESTIONS[:1])


async def test_kept_answers_that_cannot_be_are_dropped_and_asked_again(
    tmp_path: Path, fake_analyser: Any
) -> None:
    async with MasterService(tmp_path) as service:
        fake_analyser("good").join(service)
        truth = await service.ask(QUESTIONS[:2])
    database = sqlite3.connect(tmp_path / "jobs.sqlite3")
    database.create_function("row_checksum", -1, checksum, deterministic=True)
    database.execute("UPDATE answer SET text = 'inf', source = 'liar' WHERE text = ?", truth[:1])
    database.execute("UPDATE answer SET checksum = row_checksum(digest, engine, text)")
    database.commit()
    database.close()
    async with MasterService(tmp_path) as service:
        good = fake_analyser("good").join(service)
        assert await service.ask(QUESTIONS[:2]) == truth
        assert [request.context for request in good.requests] == QUESTIONS[:1]
        await until(lambda: len(service._core.notices.since(0)) == 1)
        (notice,) = service._core.notices.since(0)
        assert notice.text.startswith("1 kept answer of liar cannot be, and will be asked again: ")
