import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyser.tasks import (
    SEARCH_SLICE_S,
    SLICE_NODES_MAX,
    SLICE_NODES_MIN,
    SLICE_S,
    SLICE_TRIALS_MAX,
    Task,
)
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.parts import read_entries
from engine_ext.search.part_text import PartAnswer
from protocol.messages import (
    Answer,
    Done,
    Entries,
    Fail,
    Message,
    PartRequest,
    Question,
    Search,
    Stopped,
    Trial,
    Trials,
)
from tests.analyser.driven_master import ENDLESS, ENDLESS_QUESTION, NOOP, QUESTION, expected
from tests.analyser.search_parts import (
    check_answer,
    long_boards,
    new_search,
    question,
    small_boards,
)


def new_task(context: str = NOOP, count: int = 5, first_seq: int = 0) -> Task:
    return Task(Trials(part=7, attempt=3, first_seq=first_seq, count=count, context=context))


@given(
    count=st.integers(1, 300),
    first_seq=st.integers(0, 10**9),
    limits=st.lists(st.integers(1, 50), min_size=1),
    elapsed_s=st.floats(0, 1),
)
@settings(deadline=None, max_examples=40)
def test_slices_of_any_size_give_the_results_of_one_run(
    count: int, first_seq: int, limits: list[int], elapsed_s: float
) -> None:
    task = new_task(count=count, first_seq=first_seq)
    results: list[Message] = []
    is_final, calls = False, 0
    while not is_final:
        limit, before = limits[calls % len(limits)], task.done_count
        messages, is_final = task.run_slice(limit)
        assert len(messages) <= limit + 1
        task.adapt_slice(task.done_count - before, elapsed_s)
        results += messages
        calls += 1
    assert results == expected(task.request)


@given(count=st.integers(0, SLICE_TRIALS_MAX), elapsed_s=st.floats(0, 1e4))
def test_next_slice_stays_within_its_bounds(count: int, elapsed_s: float) -> None:
    task = new_task(count=10**6)
    task.adapt_slice(count, elapsed_s)
    assert 1 <= task.next_trials <= SLICE_TRIALS_MAX


def test_slow_trials_are_computed_one_at_a_time() -> None:
    task = new_task(count=100)
    task.adapt_slice(4, 10 * SLICE_S)
    assert task.next_trials == 1


def test_stopped_part_says_how_many_trials_it_sent() -> None:
    task = new_task(count=5)
    messages, is_final = task.run_slice(1)
    assert [type(m) for m in messages] == [Trial]
    assert not is_final
    task.control.stop()
    messages, is_final = task.run_slice(5)
    assert is_final
    (stopped,) = messages
    assert isinstance(stopped, Stopped)
    assert (stopped.part, stopped.attempt, stopped.count) == (7, 3, 1)


def test_part_stopped_before_it_began_computes_nothing() -> None:
    task = new_task(context=ENDLESS)
    task.control.stop()
    (stopped,), is_final = task.run_slice(5)
    assert is_final
    assert isinstance(stopped, Stopped)
    assert stopped.count == 0


def test_part_whose_last_trial_beats_the_stop_is_done() -> None:
    task = new_task(count=1)
    messages, _ = task.run_slice(1)
    assert [type(m) for m in messages] == [Trial, Done]


@pytest.mark.parametrize(
    ("context", "code"),
    [
        ("noop/1 alternatives=0 rounds=0", "bad-context"),
        ("noop/1 rounds", "bad-context"),
        ("go/1 x", "bad-context"),
        ("broken/1 raise", "engine-error"),
        ("broken/1 load", "engine-error"),
        ("broken/1 short", "engine-error"),
        ("broken/1 nan", "engine-error"),
    ],
)
@pytest.mark.usefixtures("broken_game")
def test_part_that_cannot_be_computed_fails_with_its_code(context: str, code: str) -> None:
    (fail,), is_final = new_task(context=context).run_slice(5)
    assert is_final
    assert isinstance(fail, Fail)
    assert (fail.part, fail.attempt, fail.code) == (7, 3, code)
    assert fail.text


def test_question_is_answered_in_one_slice() -> None:
    task = Task(asked(QUESTION))
    assert task.next_trials == 1
    assert task.run_slice(1) == (expected(task.request), True)


def test_stopped_question_has_no_answer() -> None:
    task = Task(asked(ENDLESS_QUESTION))
    task.control.stop()
    (stopped,), is_final = task.run_slice(1)
    assert is_final
    assert isinstance(stopped, Stopped)
    assert (stopped.part, stopped.attempt, stopped.count) == (7, 3, 0)


def asked(question: str, service: str = "analyse") -> Question:
    return Question(part=7, attempt=3, service=service, context=question)


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (
            asked("noop-question/1 rounds=x number=1"),
            "bad-context",
        ),
        (asked(NOOP), "bad-context"),
        (asked(QUESTION, "moves"), "bad-context"),
        (asked("chess-moves/1 x", "moves"), "bad-context"),
        (
            asked("broken-question/1 raise"),
            "engine-error",
        ),
        (
            asked("broken-question/1 none"),
            "engine-error",
        ),
        (
            asked("broken-question/1 unprintable"),
            "engine-error",
        ),
        (
            asked("broken-question/1 empty"),
            "engine-error",
        ),
        (
            asked("broken-question/1 endless"),
            "engine-error",
        ),
        (new_task(context=QUESTION).request, "bad-context"),
        (Search(part=7, attempt=3, context=QUESTION), "bad-context"),
        (Search(part=7, attempt=3, context=NOOP), "bad-context"),
        (Search(part=7, attempt=3, context="othello-search/1 x"), "bad-context"),
        (
            asked(new_search(1).context),
            "bad-context",
        ),
        (new_task(context=new_search(1).context).request, "bad-context"),
        (
            Search(part=7, attempt=3, context=question(small_boards(1)[0], engine="0" * 16)),
            "engine-mismatch",
        ),
    ],
)
@pytest.mark.usefixtures("broken_game")
def test_question_that_cannot_be_answered_fails_with_its_code(
    request_: PartRequest, code: str
) -> None:
    (fail,), is_final = Task(request_).run_slice(1)
    assert is_final
    assert isinstance(fail, Fail)
    assert (fail.part, fail.attempt, fail.code) == (7, 3, code)
    assert fail.text


def run_search(task: Task) -> list[Message]:
    messages: list[Message] = []
    is_final = False
    while not is_final:
        made, is_final = task.run_slice(1)
        assert is_final or {type(message) for message in made} <= {Entries}
        messages += made
    return messages


@pytest.mark.parametrize("board", small_boards(5), ids=str)
def test_search_ends_with_what_is_proved(board: OthelloBoard) -> None:
    answer, done = run_search(Task(new_search(7, board)))
    assert isinstance(answer, Answer)
    assert isinstance(done, Done)
    assert done.count == 1
    check_answer(board, answer, is_whole=True)


def test_stopped_search_tells_what_it_has_proved_so_far() -> None:
    (board,) = long_boards(1)
    task = Task(new_search(7, board))
    task.slice_nodes = SLICE_NODES_MIN
    assert task.run_slice(1) == ([], False)
    task.control.stop()
    (answer, stopped), is_final = task.run_slice(1)
    assert is_final
    assert isinstance(answer, Answer)
    assert isinstance(stopped, Stopped)
    assert stopped.count == 1
    assert PartAnswer.from_text(answer.text).nodes == task.control.steps >= SLICE_NODES_MIN
    check_answer(board, answer, is_whole=False)


def test_search_stopped_before_it_began_has_proved_nothing() -> None:
    task = Task(new_search(7))
    task.control.stop()
    (stopped,), is_final = task.run_slice(1)
    assert is_final
    assert isinstance(stopped, Stopped)
    assert stopped.count == 0
    assert task.search is None


def test_search_tells_table_entries_of_the_depth_asked_for() -> None:
    board = long_boards(2)[1]
    reported = [
        message
        for message in run_search(Task(new_search(7, board, 15)))
        if type(message) is Entries
    ]
    assert reported
    for message in reported:
        _, entries = read_entries(message.text)
        assert all(depth >= 15 for _, depth, _ in entries)
    assert not [m for m in run_search(Task(new_search(7, board))) if type(m) is Entries]


@given(st.lists(st.floats(0, 1e3), max_size=20))
def test_slices_of_a_search_stay_within_their_bounds(elapsed_s: list[float]) -> None:
    task = Task(new_search(7, small_boards(1)[0]))
    task.run_slice(1)
    for each in elapsed_s:
        before = task.slice_nodes
        task.adapt_slice(0, each)
        assert SLICE_NODES_MIN <= task.slice_nodes <= SLICE_NODES_MAX
        assert (task.slice_nodes <= before) or each < SEARCH_SLICE_S


def test_progress_of_a_paused_part_grows_with_each_report_and_never_falls_back() -> None:
    task = new_task(count=50)
    task.control.pause()
    assert [task.progress().steps for _ in range(3)] == [1, 2, 3]
    task.control.resume()
    assert task.progress().steps == 3
    task.run_slice(1)
    assert task.progress().steps > 3


def test_refused_part_fails_without_an_engine_call() -> None:
    task = Task(new_task(context=ENDLESS).request, is_refused=True)
    (fail,), is_final = task.run_slice(1)
    assert is_final
    assert isinstance(fail, Fail)
    assert fail.code == "draining"
    assert not task.has_begun


def test_progress_counts_the_steps_of_the_engine() -> None:
    task = new_task()
    assert task.progress().steps == 0
    task.run_slice(5)
    assert task.progress().steps > 0
