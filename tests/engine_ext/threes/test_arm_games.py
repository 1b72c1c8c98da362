"""Games of Threes! on ARM, the source's Raspberry Pi, are those played here, to the bit."""

from pathlib import Path

import pytest

from tests.engine_ext.arm import compiled_tree, python_of
from tests.engine_ext.threes import game_bits

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.mark.when_changed
def test_games_and_values_have_the_same_bits_on_arm(tmp_path: Path) -> None:
    run = python_of(compiled_tree("threes", tmp_path / "tree"), tmp_path)
    shown = run(Path(game_bits.__file__))
    assert shown["machine"] == "aarch64"
    assert shown["bits"] == game_bits.bits()
