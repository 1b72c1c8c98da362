"""What an earlier run has proved: packed, merged, and never the reason of another answer."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from master.search import known as module
from master.search.known import EARLIER, KnownBounds, pack_bounds, unpack_bounds
from master.search.rules import Child
from tests.master.search.fake_fleet import Fleet
from tests.master.search.running.test_checked import liar
from tests.master.search.synthetic import answer

NUMBERS = st.integers(-(2**31), 2**31 - 1)
BOUNDS = st.dictionaries(st.binary(max_size=40), st.tuples(NUMBERS, NUMBERS), max_size=30)
PARTIES = st.lists(st.sampled_from(["", "attic", "cellar"]), min_size=1, max_size=3)


@given(BOUNDS)
def test_packed_bounds_are_read_as_they_were(bounds: dict[bytes, tuple[int, int]]) -> None:
    assert list(unpack_bounds(pack_bounds(bounds)).items()) == list(bounds.items())


@given(st.binary(min_size=1, max_size=200))
def test_what_is_no_packed_bounds_is_an_error_of_one_line(packed: bytes) -> None:
    with pytest.raises(ValueError, match=r"^no packed bounds: "):
        unpack_bounds(packed)


def test_bounds_that_are_cut_off_are_an_error() -> None:
    import zlib  # noqa: PLC0415  # the one test that packs by hand

    with pytest.raises(ValueError, match="cut off"):
        unpack_bounds(zlib.compress(b"\x03abc\x01"))


def test_newer_bounds_count_and_too_many_lose_the_last_of_the_older(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "KNOWN_MAX", 3)
    old = KnownBounds({b"root": (0, 9), b"near": (1, 9), b"far": (2, 9)})
    new = KnownBounds({b"root": (4, 5), b"other": (6, 7)}, is_confirmed=False)
    merged = old.with_more(new)
    assert merged.bounds == {b"root": (4, 5), b"near": (1, 9), b"other": (6, 7)}
    assert not merged.is_confirmed
    assert old.with_more(old) == old


def interrupted(seed: int, depth: int, parties: list[str], turns: int) -> KnownBounds:
    """Return what a search has proved that was stopped after some turns, or had ended."""
    fleet = Fleet(seed, depth, is_checked=True)
    for party in parties:
        fleet.come(1 + seed % 2, party)
    for _ in range(turns):
        if fleet.run.is_over:
            break
        fleet.turn()
    known = fleet.run.known()
    return replace(known, bounds=unpack_bounds(pack_bounds(known.bounds)))


@settings(max_examples=100)
@given(st.integers(0, 10_000), st.integers(1, 7), PARTIES, PARTIES, st.integers(0, 120))
def test_search_that_goes_on_finds_what_a_straight_one_finds(
    seed: int, depth: int, first: list[str], second: list[str], turns: int
) -> None:
    known = interrupted(seed, depth, first, turns)
    assert known.is_confirmed == (not any(first))
    fleet = Fleet(seed, depth, is_checked=True, known=known)
    for party in second:
        fleet.come(1, party)
    fleet.finish()
    assert fleet.found == answer(fleet.game, depth)


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(0, 120))
def test_lies_of_an_earlier_run_are_found_out(seed: int, turns: int) -> None:
    first = Fleet(seed, 5, is_checked=True)
    first.come(1, "barn").lie = liar(seed, 0.5)
    for _ in range(turns):
        if not first.run.is_over:
            first.turn()
    fleet = Fleet(seed, 5, is_checked=True, known=first.run.known())
    fleet.come()
    fleet.finish()
    if fleet.run.error:
        assert fleet.run.liars == (EARLIER,)
        assert fleet.run.error.startswith("an earlier run told what is false: ")
    else:
        assert fleet.found == answer(fleet.game, 5)


@pytest.mark.parametrize("wrong", [-3, -1, 1, 3])
def test_false_value_of_the_root_is_not_believed(wrong: int) -> None:
    value, _ = answer(Fleet(3, 6).game, 6)
    game = Fleet(3, 6).game
    key = game.entry_key(Child(game.root(), 6))
    known = KnownBounds({key: (value + wrong, value + wrong)}, is_confirmed=False)
    fleet = Fleet(3, 6, is_checked=True, known=known)
    fleet.come()
    fleet.finish()
    assert fleet.found == answer(game, 6)


def test_search_of_which_all_is_known_asks_nobody() -> None:
    known = interrupted(3, 6, [""], 10_000)
    fleet = Fleet(3, 6, known=known)
    session = fleet.come()
    assert fleet.found == answer(fleet.game, 6)
    assert not session.waiting


def test_half_a_search_is_not_searched_again() -> None:
    """Counts parts, of a search stopped half-way: so many are handed out in all, not as many."""
    counts = []
    for is_known in (False, True):
        handed = 0
        for seed in range(40):
            known = interrupted(seed, 8, [""], 60) if is_known else KnownBounds()
            fleet = Fleet(seed, 8, known=known)
            fleet.come()
            fleet.finish()
            handed += fleet.scheduler.counts.handed_out
        counts.append(handed)
    assert counts[1] < 0.8 * counts[0]
