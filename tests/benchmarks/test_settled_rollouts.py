import json
from pathlib import Path

import pytest

from tests.benchmarks import settled_rollouts

IDS = ("4HPwATDgc/ABMA", "4NvBASiY85gBJA", "e+OAAwSc3cBgBA")


@pytest.mark.slow
def test_settled_rollouts_play_no_more_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "positions.jsonl"
    file.write_text("".join(json.dumps({"position_id": each}) + "\n" for each in IDS))
    asked = (str(file), "--moves", "1", "--cubes", "1", "--trials", "180")
    settled_rollouts.main((*asked, "--json"))
    move, cube = json.loads(capsys.readouterr().out)
    assert (move["fixed"], cube["fixed"]) == (5 * 180, 2 * 180)
    for each in (move, cube):
        least = each["fixed"] * 144 // 180
        assert least <= each["settled"] <= each["fixed"]
        assert each["loses"] >= 0.0
    settled_rollouts.main(asked)
    assert "all" in capsys.readouterr().out
