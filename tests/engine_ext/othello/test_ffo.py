import pytest

from engine_ext.othello.ffo import SuitePosition, ffo_suite, is_suite_name, suite_position

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


@pytest.mark.parametrize("row", SUITE[:3], ids=lambda row: row.name)
def test_names_are_read_in_any_case_and_without_zeros(row: SuitePosition) -> None:
    for name in (row.name, row.name.lower(), f" ffo{int(row.name[3:])} ", f"FFO-{row.name[3:]}"):
        assert is_suite_name(name)
        assert suite_position(name) is row


@pytest.mark.parametrize("name", ["FFO60", "ffo0", "FFO80", "FFO", "FFO4x", "FFO400"])
def test_a_name_of_no_row_says_which_there_are(name: str) -> None:
    expected = f"there is no {name.upper()}: expected FFO01 to FFO59 or FFO66 to FFO79"
    with pytest.raises(ValueError, match=expected):
        suite_position(name)
