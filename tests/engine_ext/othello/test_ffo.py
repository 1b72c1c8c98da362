import pytest

from engine_ext.othello.ffo import SuitePosition, ffo_suite

SUITE = list(ffo_suite().values())


def test_the_suite_has_all_rows_but_six() -> None:
    numbers = [number for number in range(1, 80) if not 60 <= number <= 65]
    assert [row.name for row in SUITE] == [f"FFO{number:02}" for number in numbers]


@pytest.mark.parametrize("row", SUITE, ids=lambda row: row.name)
def test_each_row_has_a_score_for_every_legal_move_and_the_best_is_its_own(
    row: SuitePosition,
) -> None:
    assert set(row.moves) == set(row.board.moves())
    assert max(row.moves.values()) == row.score
