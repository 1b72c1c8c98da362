from master.service.analysers.endpoints import Endpoint


def test_session_comes_back_through_its_own_endpoint_or_from_one_that_dials_in_to_another() -> None:
    attic, cellar = (
        Endpoint("", "attic:1", is_returning=True),
        Endpoint("", "cellar:1", is_returning=True),
    )
    one, other = Endpoint.inbound("a:50001"), Endpoint.inbound("a:50002")
    assert attic.leads_back_to(attic)
    assert other.leads_back_to(one)
    assert not cellar.leads_back_to(attic)
    assert not one.leads_back_to(attic)
    assert not attic.leads_back_to(one)
