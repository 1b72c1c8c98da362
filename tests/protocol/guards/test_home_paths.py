"""Typed paths: a home that does not exist is no error of its own."""

from pathlib import Path

import click
import pytest

from protocol.guards.home_paths import home_path, user_folder


def test_home_of_the_user_stands_for_its_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    assert home_path("~/a b") == home_path(Path("~/a b")) == Path("/home/ann/a b")
    assert home_path("a/~") == Path("a/~")


def test_home_of_an_unknown_user_names_no_file() -> None:
    assert home_path("~no-such-user/x") == Path("~no-such-user/x")


def test_user_without_a_home_gets_one_line() -> None:
    def find() -> Path:
        raise RuntimeError("could not determine the home directory for '~/.config'")

    with pytest.raises(click.UsageError, match="this user has no home folder: expected one"):
        user_folder(find)
    assert user_folder(lambda: Path("/home/ann")) == Path("/home/ann")
