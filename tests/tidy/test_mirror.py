"""Each module has a test file of its own, in the same place below `tests`."""

from pathlib import Path

from tests.tidy.source_files import ROOT, source_files

NO_RULES = {"__init__.py", "__main__.py"}
"""Entry points are tried as programs (tests/daemons), packages hold nothing."""

ACROSS = {
    "engine_ext/backgammon/test_arm_trials.py",
    "engine_ext/backgammon/test_order.py",
    "engine_ext/backgammon/test_rollout_levels.py",
    "engine_ext/backgammon/test_same_bits.py",
    "engine_ext/chess/uci_engine/test_peers.py",
    "engine_ext/threes/test_arm_games.py",
    "master/cli/test_damages.py",
    "master/cli/test_exit_codes.py",
    "master/cli/test_named_files.py",
    "master/cli/test_widths.py",
    "master/cli/toy_game/test_toy_game.py",
    "master/games/backgammon/external/test_gnubg_server.py",
    "master/games/backgammon/matches/test_faulty_files.py",
    "master/web/test_strangers.py",
    "protocol/aio/test_endpoints_flooded.py",
    "protocol/aio/test_tls_links.py",
    "protocol/test_spec.py",
}
"""Tests of more than one module: of rules that all of a folder keep."""


def own_test(path: Path) -> Path:
    """Return where a module's own tests are."""
    return ROOT / "tests" / path.relative_to(ROOT).parent / f"test_{path.stem}.py"


def test_each_module_has_a_test_file() -> None:
    modules = [path for path in source_files(".py", ".pyx")
               if path.name not in NO_RULES and "training" not in path.parts]  # fmt: skip
    lacking = {path.relative_to(ROOT).as_posix() for path in modules if not own_test(path).exists()}
    assert lacking == set()


def test_each_test_file_has_a_module() -> None:
    files = [path for package in ("analyser", "engine_ext", "master", "protocol")
             for path in (ROOT / "tests" / package).rglob("test_*.py")
             if "training" not in path.parts]  # fmt: skip
    own = {own_test(path) for path in source_files(".py", ".pyx")}
    assert {path.relative_to(ROOT / "tests").as_posix() for path in {*files} - own} == ACROSS
