from pathlib import Path

from master.cli.jobs.kept_answers import kept_answers
from master.cli.place import Place
from master.config.paths import database_path
from master.contract.questions import question_digest
from master.store.answers import AnswerRow, write_answers
from master.store.schema import open_database, transaction

DAY = 20_000


def keep(state_dir: Path, known: dict[str, str]) -> None:
    database = open_database(database_path(state_dir))
    rows = [AnswerRow(question_digest(text), "e", answer) for text, answer in known.items()]
    with transaction(database):
        write_answers(database, rows, [], DAY)
    database.close()


def test_nothing_is_known_and_nothing_made_where_there_is_no_store(state_dir: Path) -> None:
    assert kept_answers(Place(), ["q"]) == {}
    assert not state_dir.exists()


def test_what_is_kept_is_known_by_its_question(state_dir: Path) -> None:
    keep(state_dir, {"first": "1", "second": "2"})
    assert kept_answers(Place(), ["second", "third", "first"]) == {"second": "2", "first": "1"}


def test_use_is_noted_lest_what_is_used_goes_first(state_dir: Path) -> None:
    keep(state_dir, {"first": "1", "second": "2"})
    kept_answers(Place(), ["first"])
    database = open_database(database_path(state_dir))
    days = dict(database.execute("SELECT text, used FROM answer"))
    database.close()
    assert days["1"] > days["2"] == DAY


def test_master_elsewhere_is_asked_itself(state_dir: Path) -> None:
    keep(state_dir, {"first": "1"})
    assert kept_answers(Place(master="/run/other.sock"), ["first"]) == {}


def test_damaged_store_knows_nothing(state_dir: Path) -> None:
    state_dir.mkdir()
    database_path(state_dir).write_bytes(b"SQLite format 3\0, or so it says")
    assert kept_answers(Place(), ["first"]) == {}
