"""Dependencies point down: master, analyser, training -> protocol, engine_ext; never up."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from engine_ext import services
from tests.tidy.source_files import PACKAGES, ROOT, source_files

MAY_IMPORT = {
    "protocol": {"protocol"},
    "engine_ext": {"engine_ext"},
    "analyser": {"analyser", "protocol", "engine_ext"},
    "master": {"master", "protocol", "engine_ext"},
    "training": {"training", "engine_ext"},
}
# The command line composes a master with local analysers in one process, and a relay of both.
COMPOSING = "master/cli/"

# Modules that take time, randomness and I/O as arguments.
PURE = ("protocol/", "engine_ext/", "master/scheduler", "master/search/", "master/laboratory/",
        "master/fold/", "master/timeline/", "master/relay/forwarding.py", "master/relay/parts.py",
        "master/contract/events.py", "master/contract/commands.py",
        "master/contract/goals.py", "master/contract/leases.py")  # fmt: skip
PURE_BUT = (
    "protocol/aio/",
    "protocol/guards/",
    "engine_ext/chess/uci_engine/",  # other people's programs, which run and take time
)
IMPURE = {"asyncio", "socket", "ssl", "uvloop", "click", "rich", "time", "random", "threading",
          "sqlite3", "subprocess"}  # fmt: skip

_CIMPORT = re.compile(r"^\s*(?:from\s+([\w.]+)\s+c?import|c?import\s+([\w.]+))", re.MULTILINE)


def imported(path: Path) -> Iterator[str]:
    """Yield the dotted names that a Python or Cython file imports."""
    text = path.read_text()
    if path.suffix in {".pyx", ".pxd"}:
        for match in _CIMPORT.finditer(text):
            yield match[1] or match[2]
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


SOURCES = source_files(".py", ".pyi", ".pyx", ".pxd")


def ours_beyond(path: Path) -> set[str]:
    """Return our packages that a file imports and may not."""
    name = relative(path)
    allowed = MAY_IMPORT[name.split("/")[0]] | (
        {"analyser"} if name.startswith(COMPOSING) else set()
    )
    return ({module.split(".")[0] for module in imported(path)} & set(PACKAGES)) - allowed


def test_imports_point_down() -> None:
    beyond = {relative(path): ours_beyond(path) for path in SOURCES}
    assert {name: modules for name, modules in beyond.items() if modules} == {}


GENERAL = "engine_ext/search/"
GAMES = {f"engine_ext.{game}" for game in services.GAMES}


def test_what_all_games_search_with_knows_none_of_them() -> None:
    general = [path for path in SOURCES if relative(path).startswith(GENERAL)]
    assert len(general) > 10
    knowing = {
        relative(path): {".".join(module.split(".")[:2]) for module in imported(path)} & GAMES
        for path in general
    }
    assert {name: games for name, games in knowing.items() if games} == {}


def test_pure_modules_know_no_clock_socket_or_task() -> None:
    impure = {
        relative(path): {module.split(".")[0] for module in imported(path)} & IMPURE
        for path in SOURCES
        if relative(path).startswith(PURE) and not relative(path).startswith(PURE_BUT)
    }
    assert len(impure) > len(PURE)
    assert {name: modules for name, modules in impure.items() if modules} == {}


OTHERS = {
    "master/api/jobs.py",
    "master/cli/access/cert_command.py",
    "master/fleets/dask_plugin.py",  # runs on workers that may not have this package
    "master/fleets/kubernetes_fleet.py",
    "master/games/backgammon/matches/foreign.py",
    "master/reports/png.py",
}
"""Modules that import other people's packages by name: optional ones."""

_BY_NAME = re.compile(r"\b(?:import_module|__import__)\b")


def test_our_modules_are_imported_by_statements_alone() -> None:
    """Type checkers and readers follow a statement, and no name in a text."""
    files = {relative(path) for path in source_files(".py") if _BY_NAME.search(path.read_text())}
    assert files == OTHERS
