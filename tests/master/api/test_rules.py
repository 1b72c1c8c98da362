from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.api.rules import CONTENT_SECURITY, Head, Need, Rules, cookie_name
from master.api.tokens import Token

TOKEN = Token("t" * 32)
RULES = Rules(TOKEN, is_reading_free=False, names=frozenset({"attic"}))
READER = Head("GET", ("127.0.0.1:8642",), reading_pass=TOKEN.reading_pass)
OWNER = Head(
    "POST",
    ("127.0.0.1:8642",),
    origin="http://127.0.0.1:8642",
    fetch_site="same-origin",
    content_type="application/json; charset=utf-8",
    authorization="Bearer " + "t" * 32,
)


def code_of(head: Head, need: Need, rules: Rules = RULES) -> str:
    refusal = rules.refusal(head, need)
    return "" if refusal is None else refusal.code


def test_owner_does_everything_and_a_reader_reads() -> None:
    assert [code_of(OWNER, need) for need in Need] == ["", "", ""]
    assert [code_of(READER, need) for need in Need] == ["", "", "no-token"]


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST:1", "localhost.", "127.0.0.1", "10.1.2.3:80", "[::1]:8642", "attic:1"],
)
def test_addresses_and_own_names_are_hosts(host: str) -> None:
    assert code_of(replace(READER, hosts=(host,)), Need.READING) == ""


@pytest.mark.parametrize(
    ("hosts", "code"),
    [
        (("evil.example",), "wrong-host"),
        (("127.0.0.1.evil.example:8642",), "wrong-host"),
        (("localhost.evil.example",), "wrong-host"),
        (("attic.evil.example",), "wrong-host"),
        (("evil.example@127.0.0.1",), "bad-host"),
        (("127.0.0.1/x",), "bad-host"),
        (("",), "bad-host"),
        ((), "bad-host"),
        (("127.0.0.1", "127.0.0.1"), "bad-host"),
    ],
)
def test_other_names_are_refused_for_everything(hosts: tuple[str, ...], code: str) -> None:
    for need in Need:
        assert code_of(replace(OWNER, hosts=hosts, origin=""), need) == code


@pytest.mark.parametrize(
    "origin",
    ["null", "http://evil.example", "http://127.0.0.1", "http://127.0.0.1:1", "127.0.0.1:8642"],
)
def test_other_origins_are_refused_for_everything(origin: str) -> None:
    for need in Need:
        assert code_of(replace(OWNER, origin=origin), need) == "foreign-origin"


def test_proxy_that_speaks_tls_is_the_same_origin() -> None:
    head = replace(OWNER, hosts=("attic",), origin="https://attic")
    assert code_of(head, Need.TOKEN) == ""


@pytest.mark.parametrize("site", ["cross-site", "same-site", "what"])
def test_links_from_elsewhere_lead_to_the_page_alone(site: str) -> None:
    head = replace(OWNER, fetch_site=site, origin="")
    assert [code_of(head, need) for need in Need] == ["", "foreign-origin", "foreign-origin"]


def test_reading_is_free_on_this_machine_alone() -> None:
    stranger = Head("GET", ("localhost:8642",))
    free = replace(RULES, is_reading_free=True)
    assert code_of(stranger, Need.READING, free) == ""
    assert code_of(stranger, Need.READING) == "no-token"
    assert code_of(stranger, Need.TOKEN, free) == "no-token"


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "json"])
def test_forms_change_nothing(kind: str) -> None:
    assert code_of(replace(OWNER, content_type=kind), Need.TOKEN) == "not-json"


@given(st.builds(Head, st.sampled_from(["GET", "POST"]), st.tuples(st.text()), *[st.text()] * 5))
def test_nobody_changes_anything_by_chance(head: Head) -> None:
    assert RULES.refusal(head, Need.TOKEN) is not None


def test_nothing_is_loaded_from_elsewhere_and_nothing_inline() -> None:
    directives = dict(part.split(" ", 1) for part in CONTENT_SECURITY.split("; "))
    assert directives.pop("default-src") == "'none'"
    assert set(directives.values()) == {"'self'", "'none'", "'script'"}
    assert {directives[f"{kind}-src"] for kind in ("script", "style", "connect", "img")} == {
        "'self'"
    }


def test_each_port_has_its_cookie() -> None:
    assert cookie_name(1) != cookie_name(2)
