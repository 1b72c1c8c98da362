"""What sessions have been told, and why nobody searches."""

from master.contract.rate import RateMeter
from master.search.running.search_sessions import SearchSession, why_nobody


def test_each_entry_is_news_once_for_workers_that_share_a_table() -> None:
    session = SearchSession(3, "attic", RateMeter(0.0, 0), 2, [1, 2])
    old, other = (b"a", 3, b"x"), (b"b", 3, b"x")
    assert session.news_of((old,)) == (old,)
    assert session.news_of((old, other)) == (other,)
    better = b"a", 3, b"y"
    assert session.news_of((better,)) == (better,)
    alone = SearchSession(3, "attic", RateMeter(0.0, 0), 1, [1])
    assert alone.news_of((old,)) == alone.news_of((old,)) == (old,)


def test_nobody_can_be_used_when_all_that_came_are_refused() -> None:
    attic, cellar = (SearchSession(number, name, RateMeter(0.0, 0)) for number, name in
                     enumerate(("attic", "cellar")))  # fmt: skip
    assert why_nobody([]) == ""
    attic.refusal = "too old"
    assert why_nobody([attic, cellar]) == ""
    cellar.refusal = "too new"
    assert why_nobody([attic, cellar]) == "attic: too old; cellar: too new"
