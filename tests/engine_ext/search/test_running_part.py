"""A part of the toy game that tells what it found, and one that learned it."""

from engine_ext.search.part_text import PartAnswer, TableWords
from engine_ext.search.running_part import RunningPart
from engine_ext.search.table import KEY_BYTES
from tests.engine_ext.search import nim

NAME = TableWords("0123456789abcdef", "solve", "normal")
HEAPS = (3, 2, 2)


def whole(shared: nim.NimTable, news_depth: int = -1) -> tuple[PartAnswer, list[str]]:
    """Search HEAPS to the end; return the answer and the news."""
    ended: list[str] = []
    search = nim.NimPart(HEAPS, (-1, 1), shared.table)
    part = RunningPart(search, shared, news_depth, lambda: ended.append("ended"))
    while not part.step(1):
        assert ended == []
    news = part.news()
    answer = PartAnswer.from_text(part.end())
    assert ended == ["ended"]
    return answer, news


def learn(shared: nim.NimTable, texts: list[str]) -> None:
    for text in texts:
        name, packed = nim.FORM.read_entries(text)
        assert name == shared.name
        size = nim.ENTRY_BYTES
        each = [packed[first : first + size] for first in range(0, len(packed), size)]
        shared.learn([(entry[:KEY_BYTES], entry[16], entry[KEY_BYTES:]) for entry in each])


def test_what_one_part_tells_spares_another_its_work() -> None:
    first, second = nim.shared(NAME), nim.shared(NAME)
    answer, news = whole(first, 0)
    assert answer.lower == answer.upper == nim.value(HEAPS)
    learn(second, news)
    again, none = whole(second)
    assert (again.lower, again.upper, none) == (answer.lower, answer.upper, [])
    assert again.nodes < answer.nodes // 2


def test_a_part_that_nobody_listens_to_tells_nothing() -> None:
    assert whole(nim.shared(NAME))[1] == []
