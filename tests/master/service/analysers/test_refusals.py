"""Who is refused: a name that broke a rule, and new names of a host that has many of them."""

import pytest

from master.service.analysers import sessions
from master.service.analysers.endpoints import Endpoint
from master.service.analysers.sessions import BREAKERS_MAX, REFUSED_S_MAX, REFUSED_S_MIN, Refusals


def endpoint(host: str = "attic", port: int = 1, certificate: str = "") -> Endpoint:
    return Endpoint.inbound(f"{host}:{port}", certificate)


def broken(count: int, at: Endpoint, now: float = 0.0) -> Refusals:
    known = Refusals()
    for number in range(count):
        known.refuse(f"renamed{number}", at, "quarantined: it lies", now)
    return known


def test_name_that_broke_a_rule_is_refused_at_its_host_from_any_port() -> None:
    known = broken(1, endpoint())
    assert known.reason("renamed0", endpoint(port=2), 1e9) == "quarantined: it lies"
    assert known.reason("renamed0", endpoint("cellar"), 0.0) == ""
    assert known.reason("other", endpoint(), 0.0) == ""


def test_host_of_many_rule_breakers_gets_no_new_names_for_a_while() -> None:
    known = broken(BREAKERS_MAX, endpoint())
    text = known.reason("fresh", endpoint(port=9), 0.0)
    assert text == "3 analysers of attic broke rules: no new one of it is taken for 60 s"
    assert known.reason("fresh", endpoint("cellar"), 0.0) == ""
    assert known.reason("fresh", endpoint(), REFUSED_S_MIN) == ""


def test_each_further_rule_breaker_doubles_the_wait_up_to_a_bound() -> None:
    known = broken(BREAKERS_MAX + 1, endpoint())
    assert known.reason("fresh", endpoint(), 2 * REFUSED_S_MIN - 1.0)
    assert not known.reason("fresh", endpoint(), 2 * REFUSED_S_MIN)
    many = broken(1000, endpoint())
    assert many.reason("fresh", endpoint(), REFUSED_S_MAX - 1.0)
    assert not many.reason("fresh", endpoint(), REFUSED_S_MAX)


def test_analyser_that_was_served_may_come_again_whatever_others_of_its_host_do() -> None:
    known = Refusals()
    known.note_served("honest", endpoint())
    for number in range(10):
        known.refuse(f"renamed{number}", endpoint(), "quarantined", 0.0)
    assert known.reason("honest", endpoint(port=5), 0.0) == ""
    assert known.reason("fresh", endpoint(), 0.0)


def test_certificate_counts_where_there_is_one() -> None:
    known = broken(BREAKERS_MAX, endpoint(certificate="ab" * 32))
    assert "the certificate abababababababab broke" in known.reason(
        "fresh", endpoint("cellar", certificate="ab" * 32), 0.0
    )
    assert known.reason("fresh", endpoint(certificate="cd" * 32), 0.0) == ""


def test_analysers_that_are_dialled_close_no_host() -> None:
    known = broken(10, Endpoint("", "attic:1", is_returning=True))
    assert known.reason("fresh", Endpoint("", "attic:2", is_returning=True), 0.0) == ""


def test_tables_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "NAMES_MAX", 5)
    known = broken(20, endpoint())
    assert list(known) == [(f"renamed{number}", "attic") for number in range(15, 20)]
