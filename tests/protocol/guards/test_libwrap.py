"""libwrap is asked where it is there, and missed in one line where it is not."""

import ctypes

import pytest

from protocol.guards.libwrap import LIBRARY, LibwrapError, load_libwrap


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
