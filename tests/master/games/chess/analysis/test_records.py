"""Files of games."""

from pathlib import Path

import pytest

from master.games.chess.analysis.records import read_records
from master.games.errors import RecordError
from tests.master.games.chess.analysis.games import LEGAL, SCHOLAR


def test_every_game_is_read(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    file.write_text(SCHOLAR + "\n" + LEGAL + "\n\n" + SCHOLAR.replace("\n", "\r\n"), newline="")
    assert [record.white for record in read_records(file)] == ["Ann", "Legal", "Ann"]
    file.write_text("1. e4 e5 *")
    (record,) = read_records(file)
    assert record.game.moves == ("e2e4", "e7e5")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is empty: expected games in PGN"),
        ("\n\n", "is empty"),
        (SCHOLAR + "\n" + SCHOLAR.replace("Qxf7#", "Qxf8#"), "game 2: move 4. "),
        ("\0\1\2", "game 1: move 1. "),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "games.pgn"
    file.write_text(text)
    with pytest.raises(RecordError, match=complaint):
        read_records(file)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot read"):
        read_records(tmp_path / "none.pgn")
