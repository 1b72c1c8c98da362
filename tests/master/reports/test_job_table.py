import pytest

from engine_ext.noop.runner import noop_context
from master.cli.jobs.watching import headline
from master.contract.job_words import JobState
from master.reports.job_table import job_object, question_line, settings_of, state_word, table_lines
from tests.master.cli.shown import POSITION, job_view

VIEW = job_view()
DAMAGED = job_view(
    job=4, context="-", state=JobState.DAMAGED, error="the record of job 4 is damaged", label="",
    created="", alternative_names=(), trials=None,
)  # fmt: skip


def test_job_says_what_it_is() -> None:
    reported = job_object(VIEW)
    assert (reported["job"], reported["label"], reported["state"], reported["folded"]) == (
        3,
        POSITION,
        "running",
        36,
    )
    settings = reported["settings"]
    assert isinstance(settings, dict)
    assert (settings["seed"], settings["ply"], settings["position_id"]) == (5, 0, POSITION)
    assert question_line(VIEW) == "the position, money, 0-ply, seed 5"


def test_job_of_any_game_is_described_by_its_game() -> None:
    assert settings_of(noop_context(alternatives=2, rounds=7)) == {"alternatives": 2, "rounds": 7}


def test_damaged_job_says_so() -> None:
    assert job_object(DAMAGED)["settings"] is None
    (line,) = [line for line in table_lines([VIEW, DAMAGED], None) if "damaged" in line]
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
    heading, line = table_lines([VIEW], 140)
    assert heading.split() == [
        "Job",
        "State",
        "Trials",
        "Folded",
        "Created",
        "(UTC)",
        "ID",
        "Question",
    ]
    assert line.split()[:6] == ["3", "running", "100", "36", "2026-11-21", "08:00"]
    assert line.endswith(f"{POSITION}  the position, money, 0-ply, seed 5")


@pytest.mark.parametrize("width", [60, 80, 100])
def test_narrow_table_stacks_and_never_breaks_a_word(width: int) -> None:
    many = job_view(job=12, label=f"{POSITION}:cAkAAAAAAAAA", trials=1_000_000)
    lines = table_lines([VIEW, many, DAMAGED], width)
    assert max(map(len, lines)) <= width
    words = " ".join(lines).split()
    for view in (VIEW, many):
        assert view.label in words
        assert all(word in words for word in question_line(view).split())
