from master.search.rules import Child


def test_children_are_values() -> None:
    assert Child(b"a", 3) == Child(b"a", 3)
    assert len({Child(b"a", 3), Child(b"a", 3), Child(b"a", 2)}) == 2
