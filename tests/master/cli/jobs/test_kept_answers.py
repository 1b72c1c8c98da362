from pathlib import Path

import pytest

from engine_ext.noop.question import noop_question
from master.cli.jobs.kept_answers import kept_answers
from master.cli.place import Place
from master.config.paths import database_path
from master.contract.questions import question_digest
from master.store.answers import AnswerRow, write_answers
from master.store.schema import open_database, transaction

DAY = 20_000
FIRST, SECOND, THIRD = (noop_question(number=number) for number in range(3))
ANSWERS = {FIRST: "1" * 16, SECOND: "2" * 16}


def keep(state_dir: Path, known: dict[str, str], source: str = "") -> None:
    database = open_database(database_path(state_dir))
    rows = [AnswerRow(question_digest(text), "e", answer, source) for text, answer in known.items()]
    with transaction(database):
        write_answers(database, rows, [], DAY)
    database.close()


def test_nothing_is_known_and_nothing_made_where_there_is_no_store(state_dir: Path) -> None:
    assert kept_answers(Place(), ["q"]) == {}
    assert not state_dir.exists()


def test_what_is_kept_is_known_by_its_question(state_dir: Path) -> None:
    keep(state_dir, ANSWERS)
    assert kept_answers(Place(), [SECOND, THIRD, FIRST]) == ANSWERS


def test_use_is_noted_lest_what_is_used_goes_first(state_dir: Path) -> None:
    keep(state_dir, ANSWERS)
    kept_answers(Place(), [FIRST])
    database = open_database(database_path(state_dir))
    days = dict(database.execute("SELECT text, used FROM answer"))
    database.close()
    assert days[ANSWERS[FIRST]] > days[ANSWERS[SECOND]] == DAY


def test_master_elsewhere_is_asked_itself(state_dir: Path) -> None:
    keep(state_dir, ANSWERS)
    assert kept_answers(Place(master="/run/other.sock"), [FIRST]) == {}


def test_damaged_store_knows_nothing(state_dir: Path) -> None:
    state_dir.mkdir()
    database_path(state_dir).write_bytes(b"SQLite format 3\0, or so it says")
    assert kept_answers(Place(), [FIRST]) == {}


def test_kept_answer_that_cannot_be_is_dropped_named_and_asked_again(
    state_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(state_dir, {FIRST: "nan", SECOND: ANSWERS[SECOND]}, "liar")
    assert kept_answers(Place(), [FIRST, SECOND]) == {SECOND: ANSWERS[SECOND]}
    said = capsys.readouterr().err
    assert said == (
        "1 kept answer of liar cannot be, and will be asked again: "
        "expected 16 hex digits, not 'nan'\n"
    )
    assert kept_answers(Place(), [FIRST]) == {}
    assert not capsys.readouterr().err, "it is kept no more"
