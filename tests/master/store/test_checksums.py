from hypothesis import assume, given
from hypothesis import strategies as st

from master.store.checksums import (
    CHECKSUM_BYTES,
    Column,
    checksum,
    from_stored_bytes,
    to_stored_bytes,
)

columns = st.none() | st.integers() | st.floats(allow_nan=False) | st.binary() | st.binary().map(
    from_stored_bytes
)  # fmt: skip
rows = st.lists(columns).map(tuple)


def bits(row: tuple[Column, ...]) -> tuple[tuple[type, str], ...]:
    return tuple((type(x), x.hex() if isinstance(x, float) else repr(x)) for x in row)


@given(rows, rows)
def test_different_rows_have_different_checksums(
    one: tuple[Column, ...], other: tuple[Column, ...]
) -> None:
    assume(bits(one) != bits(other))
    assert checksum(*one) != checksum(*other)


@given(rows)
def test_checksum_is_of_the_bits(row: tuple[Column, ...]) -> None:
    assert len(checksum(*row)) == CHECKSUM_BYTES
    assert checksum(*row) == checksum(*row)


def test_columns_do_not_run_into_each_other() -> None:
    assert len({checksum("ab", "c"), checksum("a", "bc"), checksum("abc"), checksum(b"abc")}) == 4
    assert checksum(1) != checksum(1.0)
    assert checksum(0.0) != checksum(-0.0)


@given(st.binary())
def test_whatever_a_text_column_holds_is_kept(content: bytes) -> None:
    assert to_stored_bytes(from_stored_bytes(content)) == content


def test_checksums_stay_what_they_are_in_files_that_exist() -> None:
    row = (1, 0, 2, b"\x00" * 16, "text", 0.5, None)
    assert checksum(*row).hex() == "edb93e9154861429"
