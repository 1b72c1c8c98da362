"""Whole trials on ARM give the bits that they give here (tests.engine_ext.arm)."""

from pathlib import Path

import pytest

from tests.engine_ext.arm import compiled_tree, python_of
from tests.engine_ext.backgammon import trial_bits

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.mark.when_changed
def test_trials_and_answers_have_the_same_bits_on_arm(tmp_path: Path) -> None:
    run = python_of(compiled_tree("backgammon", tmp_path / "tree"), tmp_path)
    shown = run(Path(trial_bits.__file__))
    assert shown["machine"] == "aarch64"
    assert shown["bits"] == trial_bits.bits()
