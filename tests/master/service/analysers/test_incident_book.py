from hypothesis import given
from hypothesis import strategies as st

from master.contract.commands import IncidentKind
from master.service.analysers.incident_book import (
    INCIDENTS_MAX,
    NAMES_MAX,
    TEXT_CHARACTERS_MAX,
    IncidentBook,
)

noted = st.tuples(st.sampled_from("ab"), st.sampled_from(IncidentKind), st.text("xyz ", max_size=9))


@given(st.lists(noted, max_size=40))
def test_all_are_counted_and_the_latest_are_kept(
    incidents: list[tuple[str, IncidentKind, str]],
) -> None:
    book = IncidentBook()
    for at, (name, kind, text) in enumerate(incidents):
        book.record(name, kind, text, str(at))
    for name in "ab":
        own = [
            (str(at), each[1].value, each[2])
            for at, each in enumerate(incidents)
            if each[0] == name
        ]
        assert sum(count for _, count in book.counts(name)) == len(own)
        assert dict(book.counts(name)).keys() == {kind for _, kind, _ in own}
        kept = [(one.at, one.kind, one.text) for one in book.latest(name)]
        assert kept == own[-INCIDENTS_MAX:]


def test_who_was_quiet_for_longest_is_forgotten() -> None:
    book = IncidentBook()
    for number in range(NAMES_MAX):
        book.record(str(number), IncidentKind.STALLED, "x", "now")
    book.record("0", IncidentKind.STALLED, "x", "now")
    book.record("new", IncidentKind.STALLED, "x", "now")
    assert book.counts("0") == (("stalled", 2),)
    assert book.counts("1") == ()
    assert book.latest("1") == ()


def test_long_text_is_cut() -> None:
    book = IncidentBook()
    book.record("a", IncidentKind.STALLED, "x" * 1_000, "now")
    (one,) = book.latest("a")
    assert len(one.text) == TEXT_CHARACTERS_MAX
    assert one.text.endswith("x…")
