"""Typed paths: a home that does not exist is no error of its own."""

from pathlib import Path

import pytest

from protocol.guards.home_paths import home_path


def test_home_of_the_user_stands_for_its_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    assert home_path("~/a b") == home_path(Path("~/a b")) == Path("/home/ann/a b")
    assert home_path("a/~") == Path("a/~")


def test_home_of_an_unknown_user_names_no_file() -> None:
    assert home_path("~no-such-user/x") == Path("~no-such-user/x")
