"""The manual pages in `deploy/man` are what the help texts say today."""

import pytest

from master.cli.manual import PROGRAMS, page
from tests.tidy.source_files import ROOT


@pytest.mark.parametrize("name", PROGRAMS)
def test_page_is_current(name: str) -> None:
    written = (ROOT / "deploy" / "man" / f"{name}.1").read_text()
    assert written == page(name), "run: python -m master.cli.manual deploy/man"
