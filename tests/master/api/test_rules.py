from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

from master.api.rules import (
    CONTENT_SECURITY,
    TOKEN_FILE,
    Head,
    Need,
    Rules,
    Token,
    cookie_name,
    kept_token,
    read_token,
)
from master.contract.errors import MasterError
from tests.master.api.asgi import BEARER, PORT, application
from tests.master.api.fake_master import VIEW

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


TEXTS = st.text("ab-_09Z", min_size=32, max_size=36)


@given(TEXTS, TEXTS)
def test_token_is_shown_by_itself_alone(own: str, other: str) -> None:
    token = Token(own)
    assert token.is_shown_by(f"Bearer {own}")
    assert token.is_shown_by(f"bearer {own}")
    assert token.is_shown_by(f"Bearer {other}") == (own == other)
    assert not token.is_shown_by(f"Basic {own}")
    assert not token.is_shown_by(own)


@given(st.text(max_size=99))
def test_any_text_is_compared(text: str) -> None:
    token = Token("t" * 32)
    assert not token.is_pass(text)
    assert not token.is_shown_by(text)


def test_pass_is_not_the_token_and_belongs_to_it() -> None:
    token = Token("t" * 32)
    assert token.is_pass(token.reading_pass)
    assert not token.is_shown_by(f"Bearer {token.reading_pass}")
    assert not Token("u" * 32).is_pass(token.reading_pass)
    assert "t" * 32 not in token.reading_pass


@pytest.mark.parametrize("text", ["", "t" * 31, "t" * 129, "t" * 32 + "\n", "ä" * 32, "a b" * 20])
def test_bad_token_is_refused_in_words(text: str) -> None:
    with pytest.raises(ValueError, match="expected a token of 32"):
        Token(text)


def test_token_does_not_show_itself() -> None:
    token = Token("t" * 32)
    assert "ttt" not in repr(token)
    assert token.fragment == "#token=" + "t" * 32


def test_token_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    first = kept_token(tmp_path)
    assert kept_token(tmp_path).fragment == first.fragment == read_token(tmp_path).fragment
    assert stat.S_IMODE((tmp_path / TOKEN_FILE).stat().st_mode) == 0o600
    (tmp_path / TOKEN_FILE).unlink()
    assert kept_token(tmp_path).fragment != first.fragment


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_token_that_others_can_read_is_of_no_use(tmp_path: Path, mode: int) -> None:
    kept_token(tmp_path)
    (tmp_path / TOKEN_FILE).chmod(mode)
    with pytest.raises(MasterError, match="others of this machine can use the token"):
        kept_token(tmp_path)


def test_bad_files_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(MasterError, match="cannot read the token"):
        read_token(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(MasterError, match="cannot write"):
        kept_token(tmp_path / "file" / "state")
    path = tmp_path / TOKEN_FILE
    path.write_bytes(b"\xff short")
    path.chmod(0o600)
    with pytest.raises(MasterError, match="delete it, and the master makes another"):
        kept_token(tmp_path)


_, APP = application(VIEW)
HERE = {"host": f"127.0.0.1:{PORT}"}
REJECTED = ["400", "401", "403", "404", "405", "409", "413", "415", "422"]
CONFIG = schemathesis.Config.from_dict(
    {"checks": {"negative_data_rejection": {"expected-statuses": REJECTED}}}
)
DESCRIBED = schemathesis.openapi.from_asgi("/api/openapi.json", APP, config=CONFIG, headers=HERE)
STREAM = "/api/events"
"""Its answer has no end; see test_streams.py."""

NOT_READ = ("/api/jobs/{job}/updates", "/api/questions", "/api/timeline")
"""Schemathesis compares each event of a stream with the schema of the text, and puts the schemas of
tuples into a form that its own validator refuses. test_application.py and test_jobs.py check
these."""

SCHEMA = checks.response_schema_conformance
CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    SCHEMA,
    checks.negative_data_rejection,
]


@DESCRIBED.exclude(path=STREAM).parametrize()
@settings(max_examples=12, deadline=None, suppress_health_check=[*HealthCheck], derandomize=True)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.when_changed
def test_answers_to_strangers_are_as_described(case: schemathesis.Case[Any]) -> None:
    found = [each for each in CHECKS if case.path not in NOT_READ or each is not SCHEMA]
    case.call_and_validate(headers=HERE | BEARER, checks=found)
