from master.service.analysers.doors import Door


def test_session_comes_back_through_its_own_door_or_from_one_that_dials_in_to_another() -> None:
    attic, cellar = Door("", "attic:1", is_returning=True), Door("", "cellar:1", is_returning=True)
    one, other = Door.inbound("a:50001"), Door.inbound("a:50002")
    assert attic.leads_back_to(attic)
    assert other.leads_back_to(one)
    assert not cellar.leads_back_to(attic)
    assert not one.leads_back_to(attic)
    assert not attic.leads_back_to(one)
