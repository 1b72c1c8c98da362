"""Figures are printed without the minus of a zero: `+0.0000`, not `-0.0000`."""

import re

import pytest

from tests.tidy.source_files import ROOT

FOLDERS = ("master/cli", "master/games", "master/reports")
_SIGNED = re.compile(r":[<>^]?[+][0-9]*,?[.][0-9{][^}\"]*f[}]")
"""A number with its sign, of so many digits, without the `z` that drops the minus of a zero."""


@pytest.mark.parametrize("folder", FOLDERS)
def test_signed_figures_have_no_negative_zero(folder: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for match in _SIGNED.finditer(path.read_text())
    ]
    assert found == []


def test_rule_finds_what_it_is_for() -> None:
    assert _SIGNED.search('f"{value:+.3f}"')
    assert _SIGNED.search('f"{value:+9.4f}"')
    assert not _SIGNED.search('f"{value:+z.3f}"')
