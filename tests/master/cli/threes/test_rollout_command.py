"""`manyply rollout threes`: what was typed becomes one job, whoever plays its games."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine_ext.control import RunControl
from engine_ext.threes.engine import SCORE_UNIT, engine_digest
from engine_ext.threes.net_file import shipped_net
from engine_ext.threes.player import play_game
from master.cli.app import manyply
from master.cli.errors import CommandError


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, args)


def rolled_out(games: int, *args: str, local: int = 1) -> dict[str, Any]:
    """Return the object of a rollout of seed 5, one ply, without its job."""
    result = ran("rollout", "threes", "--games", str(games), "--plies", "1", "--seed", "5",
                 "--local", str(local), "--json", *args)  # fmt: skip
    return without_job(result)


def without_job(result: Any) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    report: dict[str, Any] = json.loads(result.stdout)
    del report["job"]
    return report


def complaint(*args: str) -> str:
    """Return what a command refuses with."""
    result = ran(*args)
    assert isinstance(result.exception, CommandError | SystemExit), result
    reported = (
        str(result.exception) if isinstance(result.exception, CommandError) else result.stderr
    )
    assert reported
    return reported


@pytest.mark.slow
def test_result_is_that_of_the_games_on_any_machine() -> None:
    report = rolled_out(40)
    assert rolled_out(40, local=2) == report
    games = [play_game(shipped_net(), 5, number, 1, RunControl()) for number in range(40)]
    scores = [game[2] for game in games if game is not None]
    assert report["games"] == len(scores) == 40
    assert report["score"]["mean"] == pytest.approx(sum(scores) / 40, rel=1e-12)
    ordered = sorted(scores)
    lower = {"5": ordered[1], "25": ordered[9], "50": ordered[19], "75": ordered[29]}
    lower["95"] = ordered[37]
    assert report["score"]["quantiles"] == pytest.approx(lower, rel=1 / 500)
    assert report["engine"] == engine_digest()
    assert report["settings"] == {"plies": 1, "seed": 5}
    assert min(scores) % SCORE_UNIT or max(scores) % SCORE_UNIT, "halves of units are kept"


@pytest.mark.slow
def test_depth_is_another_name_of_plies() -> None:
    named = ran("rollout", "threes", "--games", "4", "--depth", "1", "--local", "1", "--json",
                "--seed", "5")  # fmt: skip
    assert without_job(named) == rolled_out(4)


@pytest.mark.slow
def test_extended_job_is_the_longer_one() -> None:
    rolled_out(12)
    longer = ran("extend", "1", "--trials", "20", "--local", "1", "--json")
    assert without_job(longer) == rolled_out(32)


@pytest.mark.slow
def test_result_is_drawn_the_same_when_it_is_shown(tmp_path: Path) -> None:
    first, again = tmp_path / "a.svg", tmp_path / "b.svg"
    rolled_out(8, "--svg", str(first))
    assert ran("show", "1", "--svg", str(again)).exit_code == 0
    assert "seed 5: 8 games" in first.read_text()
    assert first.read_text() == again.read_text()


@pytest.mark.slow
def test_result_is_a_picture_where_the_extra_is(tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="resvg-py is not installed (extra png)")
    png = tmp_path / "a.png"
    rolled_out(8)
    assert ran("show", "1", "--png", str(png)).exit_code == 0
    assert png.read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_result_for_people_is_shown_again() -> None:
    played = ran("rollout", "threes", "--games", "8", "--plies", "1", "--local", "1")
    assert played.exit_code == 0, played.output
    assert "8 games: score " in played.stdout
    assert "highest card" in played.stdout
    assert "8 games: score " in ran("show", "1").stdout
    assert "Threes!, 1-ply, seed 1" in ran("jobs").stdout


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--games", "0"), "1 to "),
        (("--games", "few"), "few"),
        (("--plies", "9"), "expected 1 to 8 moves"),
        (("--depth", "3-2"), "expected 1 to 8 moves, or from N to M"),
        (("--rare", "1"), "2 to "),
        (("--seed", "-1"), "0 to "),
        (("--local", "0"), "--workers 0 leaves nobody to compute"),
        (("--analyser", "attic"), "'attic' is not an address"),
        (("6",), "unexpected extra argument"),
        (("--svg", "/dev/null/x.svg"), "cannot write /dev/null/x.svg: Not a directory"),
    ],
)
def test_mistake_is_named(args: tuple[str, ...], words: str) -> None:
    assert words in complaint("rollout", "threes", *args)
    assert ran("jobs", "--json").stdout == ""
