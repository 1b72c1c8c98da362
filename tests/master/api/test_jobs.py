"""The operations about the master, its jobs, questions, analysers and numbers."""

import asyncio
import json
import os
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families

from engine_ext.noop.question import noop_question
from master.api.application import make_application
from master.api.jobs import MetricsHandlers, check_installed, read_interval, to_text
from master.api.messages import API_VERSION, INTERVAL_S_MAX, INTERVAL_S_MIN
from master.api.routing import adapter
from master.api.rules import RefusedError
from master.api.server import master_handlers
from master.api.watching import READERS_MAX
from master.contract.errors import MasterError
from master.contract.job_words import JobState, Priority
from master.contract.questions import QuestionError
from master.contract.views import (
    ANALYSER_STATES,
    UPDATE_INTERVAL_S,
    Figures,
    JobRequest,
    Notice,
    NoticeKind,
    Update,
)
from tests.master.api.asgi import BEARER, JSON, application, asked, calling, page_of, site_of
from tests.master.api.fake_master import CONTEXT, LINE, VIEW, FakeMaster

QUESTIONS = [noop_question(rounds=1, number=number) for number in range(5)]
UPDATE = Update(VIEW, (LINE,), (Notice(NoticeKind.WARNING, "no disk"),), False)
LAST = replace(UPDATE, job=replace(VIEW, state=JobState.DONE), is_final=True)


# The master.
async def test_master_is_shown_and_its_directory_to_its_owner_alone() -> None:
    site = site_of(FakeMaster(VIEW))
    site.listens, site.page = "attic:8641", "http://attic:8642/"
    app = make_application(master_handlers(site))
    for is_owner in (True, False):
        async with calling(app, "GET", "/api/about", is_owner=is_owner) as call:
            await call.sent.get()
            assert json.loads((await call.sent.get())["body"]) == {
                "name": "attic",
                "api": API_VERSION,
                "pid": os.getpid(),
                "state_dir": "/state" if is_owner else None,
                "listens": "attic:8641",
                "page": "http://attic:8642/",
            }


async def test_master_that_listens_nowhere_says_so() -> None:
    _, app = application()
    about = (await asked(app, "GET", "/api/about")).json
    assert (about["listens"], about["page"]) == (None, None)


async def test_numbers_and_lines_about_the_master_are_shown() -> None:
    master, app = application(VIEW)
    master.lines_of_status = ["analysers: 1 ready", "b\u00fccher"]
    shown = (await asked(app, "GET", "/api/master")).json
    assert (shown["name"], shown["api"], shown["trouble"]) == ("attic", API_VERSION, None)
    assert shown["figures"]["parts_waiting"] == 1
    assert (await asked(app, "GET", "/api/status")).json == {"lines": master.lines_of_status}


# Jobs.
async def test_jobs_and_analysers_are_listed() -> None:
    _, app = application(VIEW)
    jobs = (await asked(app, "GET", "/api/jobs")).json["jobs"]
    assert [(job["job"], job["state"], job["folded"]) for job in jobs] == [(1, "running", 10)]
    assert jobs[0]["question"]
    (line,) = (await asked(app, "GET", "/api/analysers")).json["analysers"]
    assert (line["name"], line["state"], line["workers"]) == ("attic", "ready", 4)


async def test_job_is_shown_and_its_report_beside_it() -> None:
    _, app = application(VIEW)
    shown = (await asked(app, "GET", "/api/jobs/1")).json
    assert (shown["job"], shown["label"], shown["priority"]) == (1, "mine", "normal")
    report = (await asked(app, "GET", "/api/jobs/1/report")).json
    assert (report["job"], report["id"]) == (1, "mine")


async def test_job_is_submitted() -> None:
    master, app = application(VIEW)
    request = JobRequest(CONTEXT, 5, 0.25, "m\u00fcne \U0001f3b2")
    body = adapter(JobRequest).dump_json(request)
    assert (await asked(app, "POST", "/api/jobs", BEARER | JSON, body)).json == {"job": 1}
    assert master.submitted == [request]


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b'{"trials": 5}',
        b'{"context": "", "trials": 5}',
        b'{"context": "x", "trials": 0}',
        b'{"context": "x", "trials": true}',
        b'{"context": "x", "trials": "5"}',
        b'{"context": "x", "stop_se": NaN}',
        b'{"context": "x", "stop_se": 1e400}',
        b'{"context": "x", "stop_se": "1_000"}',
        b'{"context": "x", "trials": 5, "games": 5}',
        b'{"context": "x", "trials": 5, "label": "%s"}' % (b"x" * 4001),
    ],
)
async def test_bad_job_is_refused_before_the_master_is_asked(body: bytes) -> None:
    master, app = application(VIEW)
    answer = await asked(app, "POST", "/api/jobs", BEARER | JSON, body)
    assert (answer.status, answer.json["code"]) == (422, "bad-body")
    assert master.submitted == []


@pytest.mark.parametrize("name", ["halt", "resume", "forget"])
async def test_jobs_are_changed(name: str) -> None:
    master, app = application(VIEW)
    answer = await asked(app, "POST", f"/api/jobs/1/{name}")
    assert (answer.status, answer.json) == (200, {"job": 1})
    assert master.asked == [(name, 1)]


async def test_job_begins_again_as_another() -> None:
    master, app = application(VIEW)
    assert (await asked(app, "POST", "/api/jobs/1/again")).json == {"job": 1}
    assert master.submitted == [JobRequest(CONTEXT, 1000, None, "mine")]


async def test_job_is_extended() -> None:
    master, app = application(VIEW)
    answer = await asked(app, "POST", "/api/jobs/1/extend", BEARER | JSON, b'{"tri', b'als": 72}')
    assert answer.json == {"job": 1}
    assert master.asked == [("extend", 1, 72)]


async def test_job_is_put_into_the_background() -> None:
    master, app = application(VIEW)
    body = b'{"priority": "background"}'
    answer = await asked(app, "POST", "/api/jobs/1/priority", BEARER | JSON, body)
    assert answer.json == {"job": 1}
    assert master.asked == [("prioritise", 1, Priority.BACKGROUND)]
    assert (await asked(app, "GET", "/api/jobs/1")).json["priority"] == "background"


@pytest.mark.slow
@given(st.binary(max_size=60))
def test_any_body_is_answered_and_extends_nothing_by_chance(body: bytes) -> None:
    async def check() -> None:
        master, app = application(VIEW)
        answer = await asked(app, "POST", "/api/jobs/1/extend", BEARER | JSON, body)
        assert answer.status == 422 or json.loads(body)["trials"] == master.asked[0][2]

    asyncio.run(check())


async def test_change_is_carried_out_though_its_client_leaves() -> None:
    class Slow(FakeMaster):
        async def halt(self, job: int) -> None:
            begun.set()
            await may_end.wait()
            await super().halt(job)
            halted.set()

    begun, may_end, halted = asyncio.Event(), asyncio.Event(), asyncio.Event()
    master = Slow(VIEW)
    app = page_of(site_of(master))
    async with calling(app, "POST", "/api/jobs/1/halt", BEARER | JSON, (b"{}",)) as call:
        await begun.wait()
        call.leave()
        may_end.set()
        await halted.wait()
    assert master.asked == [("halt", 1)]


# Events.
async def test_further_reader_of_events_gets_them_and_the_oldest_leaves() -> None:
    site = site_of(FakeMaster(VIEW))
    app = make_application(master_handlers(site))
    opened = [calling(app, "GET", "/api/events") for _ in range(READERS_MAX + 1)]
    for each in opened:
        call = await each.__aenter__()
        assert (await call.sent.get())["status"] == 200
        await call.event()
    assert site.watching.reader_count == READERS_MAX
    assert (await call.event())[0] == "state"
    for each in opened:
        await each.__aexit__(None, None, None)
    assert site.watching.reader_count == 0


async def test_events_tell_a_change_and_resume_after_a_break() -> None:
    master, app = application(VIEW)
    async with calling(app, "GET", "/api/events") as call:
        assert (await call.sent.get())["status"] == 200
        await call.event()
        name, number, reported = await call.event()
        assert name == "state"
        assert reported["changed"]["jobs"][0]["state"] == "running"
    async with calling(app, "GET", "/api/events", {"last-event-id": number}) as call:
        await call.sent.get()
        await call.event()
        master.change(1, state=JobState.DONE)
        name, _, reported = await call.event()
    assert name == "changes"
    assert [job["state"] for job in reported["changed"]["jobs"]] == ["done"]
    assert "analysers" not in reported["changed"]


async def test_head_of_events_ends() -> None:
    _, app = application()
    assert (await asked(app, "HEAD", "/api/events")).status == 200


# Updates of a job.
async def test_job_is_followed_to_its_end() -> None:
    master, app = application(VIEW)
    master.updates = [UPDATE, LAST]
    async with calling(app, "GET", "/api/jobs/1/updates?interval_s=0.05") as call:
        assert (await call.sent.get())["status"] == 200
        for update in master.updates:
            name, _, said = await call.event()
            assert name == "update"
            assert adapter(Update).validate_json(json.dumps(said)) == update
        assert (await call.event())[0] == "done"
    assert master.asked == [("subscribe", 1, 0.05)]
    assert master.has_left.is_set()


async def test_reader_of_updates_that_leaves_ends_its_subscription() -> None:
    master, app = application(VIEW)
    master.updates = [UPDATE] * 9
    async with calling(app, "GET", "/api/jobs/1/updates") as call:
        await call.sent.get()
        master.may_update.clear()
        await call.event()
        assert not master.has_left.is_set()
    await master.has_left.wait()


async def test_job_without_any_update_ends_at_once() -> None:
    _, app = application(VIEW)
    async with calling(app, "GET", "/api/jobs/1/updates") as call:
        await call.sent.get()
        assert (await call.event())[0] == "done"


@pytest.mark.parametrize("text", ["", "0.05", "1", "0.5", "3600", "3600.0"])
def test_seconds_between_updates_are_read(text: str) -> None:
    assert read_interval(text) == (float(text) if text else UPDATE_INTERVAL_S)


@given(st.floats(INTERVAL_S_MIN, INTERVAL_S_MAX))
def test_seconds_that_a_client_writes_are_read(seconds: float) -> None:
    assert read_interval(f"{seconds:g}") == float(f"{seconds:g}")


@pytest.mark.parametrize(
    "text",
    ["0", "0.049", "-1", "3601", "nan", "inf", "1e400", "1_000", "1e1", " 1", "1\n", "true", "x",
     "\u0661"],
)  # fmt: skip
async def test_other_seconds_are_refused(text: str) -> None:
    with pytest.raises(
        RefusedError, match=r"expected interval_s, 0\.05 to 3600 seconds"
    ) as refused:
        read_interval(text)
    assert (refused.value.refusal.status, refused.value.refusal.code) == (422, "bad-query")


async def test_updates_at_bad_intervals_are_refused_before_the_stream() -> None:
    master, app = application(VIEW)
    answer = await asked(app, "GET", "/api/jobs/1/updates?interval_s=1_000")
    assert (answer.status, answer.json["code"]) == (422, "bad-query")
    assert master.asked == []


# Questions.
def ask_body(*questions: str, **more: object) -> bytes:
    return json.dumps({"questions": questions} | more).encode()


async def test_answers_come_as_they_are_known_and_then_the_end() -> None:
    master, app = application()
    body = ask_body(*QUESTIONS, priority="urgent")
    async with calling(app, "POST", "/api/questions", BEARER | JSON, (body,)) as call:
        assert (await call.sent.get())["status"] == 200
        name, _, said = await call.event()
        assert name == "answers"
        expected = await master.asker.ask(QUESTIONS)
        assert sorted(said["answers"]) == [list(each) for each in enumerate(expected)]
        assert (await call.event())[0] == "done"
    assert Priority.URGENT in master.asker.priorities


async def test_first_answer_does_not_wait_for_the_last() -> None:
    class Slow(FakeMaster):
        async def ask(self, questions, *, priority=Priority.ASKED, on_answer=None):  # type: ignore[no-untyped-def]
            for index in (1, 0):
                on_answer(index, f"answer {index}")
                await may_go_on.wait()
            return []

    may_go_on = asyncio.Event()
    app = page_of(site_of(Slow()))
    body = ask_body(*QUESTIONS[:2])
    async with calling(app, "POST", "/api/questions", BEARER | JSON, (body,)) as call:
        await call.sent.get()
        assert (await call.event())[2] == {"answers": [[1, "answer 1"]]}
        may_go_on.set()
        assert (await call.event())[2] == {"answers": [[0, "answer 0"]]}
        assert (await call.event())[0] == "done"


async def test_no_question_has_no_answers() -> None:
    _, app = application()
    async with calling(app, "POST", "/api/questions", BEARER | JSON, (ask_body(),)) as call:
        await call.sent.get()
        assert (await call.event())[0] == "done"


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (QuestionError(1, "no such move"), ("bad-question", "no such move", 1)),
        (MasterError("too many wait"), ("refused", "too many wait", None)),
    ],
)
async def test_refused_questions_end_the_stream_and_name_the_question(
    error: MasterError, expected: tuple[object, ...]
) -> None:
    master, app = application()
    master.error = error
    body = ask_body(*QUESTIONS)
    async with calling(app, "POST", "/api/questions", BEARER | JSON, (body,)) as call:
        await call.sent.get()
        name, _, said = await call.event()
    assert (name, (said["code"], said["text"], said["index"])) == ("refused", expected)


async def test_questions_of_a_client_that_leaves_are_stopped() -> None:
    master, app = application()
    master.may_answer.clear()
    body = ask_body(*QUESTIONS)
    async with calling(app, "POST", "/api/questions", BEARER | JSON, (body,)) as call:
        await call.sent.get()
        await master.is_asked.wait()
        assert not master.is_stopped.is_set()
    assert master.is_stopped.is_set()


async def test_work_goes_on_while_its_client_reads_slowly() -> None:
    master, app = application()
    questions = [noop_question(rounds=1, number=number) for number in range(500)]
    body = ask_body(*questions)
    async with calling(app, "POST", "/api/questions", BEARER | JSON, (body,)) as call:
        while len(master.asker.asked) < len(questions):  # noqa: ASYNC110  # nothing is read
            await asyncio.sleep(0)
        await call.sent.get()
        assert len((await call.event())[2]["answers"]) == len(questions)


@pytest.mark.parametrize(
    "body",
    [
        b"{}",
        b'{"questions": "q"}',
        b'{"questions": [1]}',
        b'{"questions": [], "priority": 3}',
        b'{"questions": [], "count": 0}',
    ],
)
async def test_bad_questions_are_refused_before_the_stream(body: bytes) -> None:
    master, app = application()
    answer = await asked(app, "POST", "/api/questions", BEARER | JSON, body)
    assert (answer.status, answer.json["code"]) == (422, "bad-body")
    assert not master.is_asked.is_set()


# Numbers for monitoring.
async def test_numbers_are_shown_as_prometheus_reads_them() -> None:
    app = make_application([MetricsHandlers(site_of(FakeMaster(VIEW)))])
    answer = await asked(app, "GET", "/metrics")
    assert answer.status == 200
    assert answer.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert b"\nmanyply_parts_waiting 1.0\n" in answer.body
    assert (await asked(app, "GET", "/healthz")).body == b"ok\n"
    for path in ("/", "/api/jobs", "/api/about", "/api/session"):
        assert (await asked(app, "GET", path)).status == 404


async def test_numbers_that_cannot_be_read_are_no_numbers() -> None:
    class Broken(FakeMaster):
        async def figures(self):  # type: ignore[no-untyped-def]
            raise MasterError("the disk is full")

    app = make_application([MetricsHandlers(site_of(Broken()))])
    answer = await asked(app, "GET", "/metrics")
    assert (answer.status, answer.json["text"]) == (503, "the disk is full")
    assert (await asked(app, "GET", "/healthz")).status == 200


SEEN = Figures(7, 3, dict.fromkeys(ANALYSER_STATES, 1), {"running": 2, "done": 5}, 1000, 10, 4)


def samples() -> dict[tuple[str, str], float]:
    """Return each value by its name and state, as a reader of the format finds them."""
    families = text_string_to_metric_families(to_text(SEEN).decode())
    return {
        (sample.name, sample.labels.get("state", "")): sample.value
        for family in families
        for sample in family.samples
    }


def test_each_number_is_there_by_its_name_and_no_other() -> None:
    assert samples() == {
        ("manyply_parts_waiting", ""): 7,
        ("manyply_workers_busy", ""): 3,
        **{("manyply_analysers", state): 1 for state in ANALYSER_STATES},
        ("manyply_jobs", "running"): 2,
        ("manyply_jobs", "done"): 5,
        ("manyply_results_total", ""): 1000,
        ("manyply_duplicates_total", ""): 10,
        ("manyply_dropped_total", ""): 4,
    }


def test_lines_are_those_that_keda_looks_for() -> None:
    lines = to_text(SEEN).decode().splitlines()
    assert "manyply_parts_waiting 7.0" in lines
    assert "# TYPE manyply_parts_waiting gauge" in lines
    assert "# TYPE manyply_results_total counter" in lines


def test_missing_package_is_named_with_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    check_installed()
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    with pytest.raises(MasterError, match=r"^--metrics takes an extra: pip install 'manyply\[m"):
        check_installed()
