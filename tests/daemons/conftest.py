"""What the tests of processes share."""

from pathlib import Path

import pytest

from tests.daemons.command_line import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """A user who has done nothing yet."""
    return Home(tmp_path)
