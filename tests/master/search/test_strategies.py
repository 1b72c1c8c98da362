from master.search.driver import Mode
from master.search.strategies import STRATEGIES, Sharing, Splitting


def test_names_are_unique_and_all_are_reproducible() -> None:
    assert list(STRATEGIES) == ["manyply", "nb0amg", "par", "par_rmi", "par_tuple"]
    assert all(each.mode is Mode.REPRODUCIBLE for each in STRATEGIES.values())


def test_source_5_shares_nothing_all_in_batches_or_what_is_deep() -> None:
    sharing = [STRATEGIES[name].sharing for name in ("par", "par_rmi", "par_tuple")]
    assert sharing == [Sharing.NONE, Sharing.ALL, Sharing.FROM_DEPTH]
    assert STRATEGIES["par_rmi"].batch == 10_000
    assert {STRATEGIES[name].depth_min for name in ("par", "par_rmi", "par_tuple")} == {5}


def test_source_4_splits_no_further_than_it_traverses() -> None:
    assert STRATEGIES["nb0amg"].splitting is Splitting.PLIES
