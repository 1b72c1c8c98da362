"""Refusals are counted and few are logged; libwrap is called where it is installed."""

import ctypes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.guards.access_control import SAID_AGAIN_S, AccessControl
from protocol.guards.libwrap import LIBRARY, LibwrapError, load_libwrap


def test_many_are_counted_and_few_are_said() -> None:
    said: list[str] = []
    now = [0.0]
    keeper = AccessControl(warn=said.append, clock=lambda: now[0])
    assert keeper.summary() == ""
    for second in range(int(SAID_AGAIN_S) + 1):
        now[0] = second
        keeper.note(f"10.0.0.{second}:1", "bad-secret", "another")
    keeper.note("10.1.1.1:1", "no-secret", "none")
    assert said == [
        "10.0.0.0:1: bad-secret: another",
        "10.0.0.60:1: bad-secret: another (and 59 like it before)",
        "10.1.1.1:1: no-secret: none",
    ]
    assert keeper.summary() == "bad-secret 61, no-secret 1"


def test_connection_that_ends_counts_if_a_stranger_was_refused() -> None:
    said: list[str] = []
    keeper = AccessControl(warn=said.append)
    keeper.note_end("10.0.0.1:1", "bad-secret: another: one")
    keeper.note_end("10.0.0.2:1", "busy: serves alice")
    keeper.note_end("10.0.0.3:1", "")
    assert said == ["10.0.0.1:1: bad-secret: another: one"]
    assert keeper.summary() == "bad-secret 1"


@given(st.lists(st.tuples(st.sampled_from("ab"), st.floats(0, 100)), max_size=40))
def test_every_one_is_said_or_counted_in_a_later_line(steps: list[tuple[str, float]]) -> None:
    said: list[str] = []
    now = [0.0]
    keeper = AccessControl(warn=said.append, clock=lambda: now[0])
    for code, later in steps:
        now[0] += later
        keeper.note("peer", code, "why")
    now[0] += 2 * SAID_AGAIN_S
    for code in "ab":
        keeper.note("peer", code, "why")
    for code in "ab":
        lines = [line for line in said if line.startswith(f"peer: {code}:")]
        more = sum(int(line.rpartition("and ")[2].split()[0]) for line in lines if "and " in line)
        assert len(lines) + more == keeper.counts[code]


class Rules:
    """Stands in for the library: what was asked, and who is let in."""

    def __init__(self) -> None:
        self.asked: list[tuple[bytes, ...]] = []
        self.hosts_ctl = self

    def __call__(self, *question: bytes) -> int:
        self.asked.append(question)
        return int(question[2] == b"192.168.1.7")


def test_daemon_and_address_are_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules()
    monkeypatch.setattr(ctypes, "CDLL", lambda name: rules)
    is_let_in = load_libwrap("manyply-analyser")
    assert [is_let_in(host) for host in ("192.168.1.7", "10.0.0.1")] == [True, False]
    assert rules.asked[0] == (b"manyply-analyser", b"unknown", b"192.168.1.7", b"unknown")


@pytest.mark.parametrize("library", ["libnothing.so.99", "libc.so.6"])
def test_missing_library_is_one_line(library: str) -> None:
    with pytest.raises(LibwrapError, match=f"--libwrap needs {library}, which this system lacks"):
        load_libwrap("manyply-analyser", library)


def test_installed_library_answers() -> None:
    try:
        ctypes.CDLL(LIBRARY)
    except OSError:
        pytest.skip(f"{LIBRARY} is not installed")
    assert load_libwrap("manyply-analyser")("127.0.0.1") in (True, False)
