"""Results of jobs as objects and as tables."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import get_args, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.fen import START
from engine_ext.noop.runner import noop_context
from master.api.positions import handlers_of
from master.cli.jobs.watching import headline
from master.contract.job_words import JobState
from master.contract.search_views import SearchView
from master.contract.views import AlternativeSummary, JobView
from master.games.backgammon.rollout_report import rollout_report
from master.games.table import position_of
from master.reports.job_result import job_lines, job_report
from master.reports.job_table import (
    job_object,
    named_question,
    question_line,
    settings_of,
    state_word,
    table_lines,
)
from master.reports.report import Report
from tests.master.cli.shown import POSITION, TWO_MOVES, job_view

NAMES = ("first", "second", "third")
FLOATS = st.floats(-1e6, 1e6)
SUMMARIES = st.builds(
    AlternativeSummary,
    trials=st.just(36),
    means=st.tuples(FLOATS, FLOATS),
    std_errors=st.tuples(FLOATS, FLOATS) | st.just((None, None)),
    diff_to_best=st.floats(-10, 0),
    diff_std_error=st.none() | FLOATS,
)


def view_of(*summaries: AlternativeSummary, **changes: object) -> JobView:
    fields: dict[str, object] = {
        "context": noop_context(alternatives=3), "game": "noop", "label": "mine",
        "alternative_names": NAMES, "value_names": ("x", "y"), "alternatives": summaries,
    }  # fmt: skip
    return job_view(**(fields | changes))


def summary(mean: float = 0.5, diff: float = 0.0, error: float | None = 0.25) -> AlternativeSummary:
    return AlternativeSummary(36, (mean, -mean), (error, error), diff, 0.125)


VIEW = view_of(summary(0.1, -0.4), summary(0.5), summary(0.3, -0.2))


def rows(report: Report) -> list[Report]:
    found = report["alternatives"]
    assert isinstance(found, list)
    return found


def test_object_has_its_stable_keys_in_order() -> None:
    report = job_report(VIEW)
    assert list(report) == [
        "job", "trials", "stopped_by", "engine", "id", "settings", "alternatives",
    ]  # fmt: skip
    assert (report["job"], report["trials"], report["id"]) == (3, 36, "mine")
    assert report["settings"] == {"alternatives": 3, "rounds": 0}
    assert rows(report)[0] == {
        "name": "first", "trials": 36, "x": 0.1, "y": -0.1, "std_error": {"x": 0.25, "y": 0.25},
        "diff_to_best": -0.4, "diff_std_error": 0.125,
    }  # fmt: skip


@given(st.lists(SUMMARIES, max_size=3))
def test_every_figure_comes_under_its_names(summaries: list[AlternativeSummary]) -> None:
    report = job_report(view_of(*summaries))
    assert report["trials"] == (36 if summaries else 0)
    for name, row, one in zip(NAMES, rows(report), summaries, strict=False):
        assert (row["name"], (row["x"], row["y"])) == (name, one.means)
        assert row["std_error"] == dict(zip("xy", one.std_errors, strict=True))
        assert row["diff_to_best"] == one.diff_to_best
    assert len(rows(report)) == len(summaries)
    assert json.loads(json.dumps(report)) == report


def test_nothing_in_it_depends_on_the_fleet_or_the_time() -> None:
    other = replace(
        VIEW, created="2031-01-01T00:00:00+00:00", trials_per_s=99.0, eta_s=None, held=7,
        state=JobState.DONE, folded=999,
    )  # fmt: skip
    assert job_report(other) == job_report(VIEW)
    assert job_lines(other) == job_lines(VIEW)


@pytest.mark.parametrize(("stopped_by", "said"), [("", None), ("stop_se", "stop_se")])
def test_job_that_runs_is_stopped_by_nothing(stopped_by: str, said: str | None) -> None:
    assert job_report(replace(VIEW, stopped_by=stopped_by))["stopped_by"] == said


def test_who_was_caught_is_said_where_somebody_was() -> None:
    caught = replace(VIEW, caught=("attic lied", "barn too"))
    assert job_report(caught)["caught"] == ["attic lied", "barn too"]
    assert job_lines(caught)[-2:] == ["Caught: attic lied", "Caught: barn too"]
    assert "caught" not in job_report(VIEW)
    assert not any("Caught" in line for line in job_lines(VIEW))


def test_game_adds_facts_and_shows_values_its_own_way() -> None:
    def sums(names: Sequence[str], values: Sequence[float | None]) -> Report:
        return {"+".join(names): sum(value or 0.0 for value in values)}

    report = job_report(VIEW, {"seed": 5}, sums)
    assert list(report)[:4] == ["job", "trials", "stopped_by", "seed"]
    assert [row["x+y"] for row in rows(report)] == [0.0, 0.0, 0.0]
    assert rows(report)[0]["std_error"] == {"x+y": 0.5}
    assert "x" not in rows(report)[0]


def test_table_has_the_best_first_and_errors_beside_the_values() -> None:
    heading, *lines = job_lines(VIEW)
    assert heading.split() == ["x", "y"]
    assert [line.split()[:2] for line in lines] == [
        ["1.", "second"], ["2.", "third"], ["3.", "first"],
    ]  # fmt: skip
    assert lines[0].split()[2:] == ["0.5000", "[0.2500]", "-0.5000", "[0.2500]"]
    assert len({len(line) for line in (heading, *lines)}) == 1


@given(st.lists(SUMMARIES, min_size=1, max_size=3))
def test_table_ranks_by_the_difference_and_keeps_the_order_of_equals(
    summaries: list[AlternativeSummary],
) -> None:
    lines = job_lines(view_of(*summaries))[1:]
    ranked = [NAMES.index(line.split()[1]) for line in lines]
    assert sorted(ranked) == list(range(len(summaries)))
    keys = [(-summaries[index].diff_to_best, index) for index in ranked]
    assert keys == sorted(keys)


def test_error_of_a_single_trial_is_not_shown() -> None:
    (_, line) = job_lines(view_of(summary(error=None)))
    assert line.split() == ["1.", "first", "0.5000", "-0.5000"]


def test_before_the_first_round_there_is_a_sentence_and_an_empty_list() -> None:
    assert job_lines(view_of()) == ["no trial of every alternative is finished yet"]
    assert rows(job_report(view_of())) == []


def test_search_has_its_answer_in_the_games_words_or_what_was_done_for_it() -> None:
    search = SearchView(nodes=5_000, seconds=3.2, answer="value=3")
    view = view_of(search=search, stopped_by="answered")
    report = job_report(view)
    assert (report["answer"], report["nodes"]) == ("value=3", 5_000)
    assert "alternatives" not in report
    assert job_lines(view) == ["value=3"]
    begun = view_of(search=replace(search, answer=""))
    assert job_report(begun)["answer"] is None
    assert job_lines(begun) == ["no answer yet after 5,000 nodes, 3 s"]


TABLE_VIEW = job_view()
DAMAGED = job_view(
    job=4, context="-", state=JobState.DAMAGED, error="the record of job 4 is damaged", label="",
    created="", alternative_names=(), trials=None,
)  # fmt: skip


def test_job_says_what_it_is() -> None:
    reported = job_object(TABLE_VIEW)
    assert (reported["job"], reported["label"], reported["state"], reported["folded"]) == (
        3,
        POSITION,
        "running",
        36,
    )
    settings = reported["settings"]
    assert isinstance(settings, dict)
    assert (settings["seed"], settings["ply"], settings["position_id"]) == (5, 0, POSITION)
    assert question_line(TABLE_VIEW) == "position (no roll), money, 0-ply, seed 5"


def test_job_of_any_game_is_described_by_its_game() -> None:
    assert settings_of(noop_context(alternatives=2, rounds=7)) == {"alternatives": 2, "rounds": 7}


def test_damaged_job_says_so() -> None:
    assert job_object(DAMAGED)["settings"] is None
    (line,) = [line for line in table_lines([TABLE_VIEW, DAMAGED], None) if "damaged" in line]
    assert line.endswith("the record of job 4 is damaged")


@pytest.mark.parametrize(
    ("stopped_by", "word"),
    [("failed", "failed"), ("interrupted", "interrupted"), ("halted", "halted"),
     ("drained", "halted")],
)  # fmt: skip
def test_table_and_headline_say_one_word_of_a_halted_job(stopped_by: str, word: str) -> None:
    view = job_view(state=JobState.HALTED, stopped_by=stopped_by)
    assert state_word(view) == word
    assert table_lines([view], 140)[1].split()[1] == word
    assert headline(view).endswith(f", {word}")


def test_table_is_one_line_a_job_where_it_fits() -> None:
    heading, line = table_lines([TABLE_VIEW], 140)
    assert heading.split() == [
        "Job",
        "State",
        "Trials",
        "Done",
        "Created",
        "(UTC)",
        "ID",
        "Question",
    ]
    assert line.split()[:6] == ["3", "running", "100", "36", "2026-11-21", "08:00"]
    assert line.endswith(f"{POSITION}  position (no roll), money, 0-ply, seed 5")


def test_question_names_the_position_where_the_label_does_not() -> None:
    for label in ("", "mine", f"{POSITION}:cAkAAAAAAAAA"):
        view = job_view(label=label)
        line = table_lines([view], None, position_of)[1]
        assert line.count(POSITION) == 1
        assert line.endswith(question_line(view))
        assert position_of(view) == f"{POSITION}:cAkAAAAAAAAA"


@pytest.mark.parametrize("text", ["chess:startpos", "othello:f5d6c3"])
def test_position_of_a_search_is_read_again_by_its_game(text: str) -> None:
    game, _, typed = text.partition(":")
    handlers = handlers_of(game).positions
    assert handlers is not None
    position = handlers.read(START if typed == "startpos" else typed)
    action = handlers.action("search")
    assert action.job is not None
    request = action.job(position, action.settings({"depth": 4}, position))
    view = job_view(game=game, context=request.context, label="")
    assert position_of(view) == request.label == handlers.text(position)
    assert named_question(view, position_of(view)).startswith(f"{request.label}, ")


@pytest.mark.parametrize("width", [60, 80, 100])
def test_narrow_table_stacks_and_never_breaks_a_word(width: int) -> None:
    many = job_view(job=12, label=f"{POSITION}:cAkAAAAAAAAA", trials=1_000_000)
    lines = table_lines([TABLE_VIEW, many, DAMAGED], width)
    assert max(map(len, lines)) <= width
    words = " ".join(lines).split()
    for view in (TABLE_VIEW, many):
        assert view.label in words
        assert all(word in words for word in question_line(view).split())


VIEWS = [
    job_view(**TWO_MOVES),
    job_view(alternatives=(), stopped_by="trials", caught=("one", "two")),
]
NOOP = job_view(context=noop_context(), game="noop", value_names=("hash",), alternatives=())


def is_reported(value: object) -> bool:
    """Say whether a value is text, a number, absent, or a list or object of such."""
    if isinstance(value, dict):
        return all(isinstance(key, str) and is_reported(each) for key, each in value.items())
    if isinstance(value, list):
        return all(map(is_reported, value))
    return value is None or type(value) in (str, int, float, bool)


def test_report_is_an_object() -> None:
    assert (get_origin(Report), get_args(Report)) == (dict, (str, object))


@pytest.mark.parametrize("view", [*VIEWS, NOOP], ids=["moves", "caught", "noop"])
def test_reports_of_a_job_are_objects_that_json_gives_back(view: JobView) -> None:
    reports = [job_report(view), job_object(view)]
    reports += [rollout_report(view)] if view.game != "noop" else []
    for report in reports:
        assert is_reported(report)
        assert json.loads(json.dumps(report)) == report
