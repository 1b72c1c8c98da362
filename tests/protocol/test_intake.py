from hypothesis import given
from hypothesis import strategies as st

from protocol.intake import TURN_BYTES, TURN_LINES, Intake
from protocol.line import LINE_BYTES_MAX, LineBuffer


def drained(intake: Intake) -> list[str]:
    found = []
    while not intake.is_empty:
        lines = intake.turn()
        found += [lines.popleft() for _ in range(min(len(lines), TURN_LINES))]
    return found


@given(st.lists(st.binary(max_size=200)), st.integers(1, 400))
def test_lines_of_all_turns_are_those_of_one(pieces: list[bytes], repeats: int) -> None:
    intake, data = Intake(LINE_BYTES_MAX), b"".join(pieces) * repeats
    for piece in (data[: len(data) // 3], data[len(data) // 3 :]):
        intake.put(piece)
    assert drained(intake) == LineBuffer(LINE_BYTES_MAX).feed(data)


def test_no_more_is_cut_than_a_turn_needs_and_the_longest_lines_pass() -> None:
    intake, line = Intake(LINE_BYTES_MAX), b"x" * (LINE_BYTES_MAX - 2) + b"\n"
    intake.put(line * 100)
    assert len(intake.turn()) == TURN_BYTES // len(line) == 2
    assert len(drained(intake)) == 100
    intake.put(line * 3)
    intake.clear()
    assert intake.is_empty
