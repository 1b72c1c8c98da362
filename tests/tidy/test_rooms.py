"""Folders: none import each other in a circle, none is crowded, and each has its tests."""

import ast
from collections import defaultdict
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from tests.tidy.source_files import PACKAGES, ROOT, source_files

MODULES_IN_MASTER_MAX = 4
FILES_IN_CLI_MAX = 20
HOUSE = ("master/games", "master/cli")  # folders whose folders are rooms

ABOVE = {
    "engine_ext/services.py": "the table of games imports each game's engine front",
    "engine_ext/validation.py": "finds the check of a kind of question in the table of games",
    "master/games/table.py": "the table of games imports each game's front",
    "master/cli/games.py": "the table of games' commands imports each game's commands",
    "master/cli/app.py": "the list of commands imports each when it is called",
    "master/cli/manual.py": "the manual describes every command",
    "master/cli/__init__.py": "the program",
    "master/cli/__main__.py": "the program",
}
"""Modules above the rooms of their folder, each a room of its own; the folder's others are below
the rooms."""

BY_NAME = {
    "master/fleets/ray_fleet.py": "the program that a child process runs",
}
"""Files with modules of ours in texts; a reader and mypy cannot follow these."""


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module_of(path): path for path in source_files(".py")}


def imports_of(path: Path) -> set[str]:
    """Return the modules of ours that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else node.module for name in names}
    return found & set(MODULES)


@cache
def imports() -> dict[str, set[str]]:
    """Return what each module imports; read when a test asks, not by every worker."""
    return {name: imports_of(path) - {name} for name, path in MODULES.items()}


def room_of(module: str) -> str:
    """Return the folder that a module is in; of games and commands the inner one."""
    path = MODULES[module].relative_to(ROOT)
    if path.as_posix() in ABOVE:
        return path.as_posix()
    folder = path.parent
    depth = 3 if folder.as_posix().startswith(HOUSE) else 2
    return "/".join(folder.parts[:depth])


def circle_in(graph: dict[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_import_each_other() -> None:
    assert circle_in(imports()) == []


def test_no_rooms_of_the_master_import_each_other() -> None:
    rooms: dict[str, set[str]] = defaultdict(set)
    for module, imported in imports().items():
        rooms[room_of(module)] |= {room_of(other) for other in imported} - {room_of(module)}
    # The root of master holds its entry points, which are above its rooms.
    inner = {room: others - {"master"} for room, others in rooms.items() if room != "master"}
    assert circle_in(inner) == []


def modules_in_texts(path: Path) -> set[str]:
    """Return our modules that a file names in texts, as `module` or as `module:name`.

    A package is named for the files in it.
    """
    texts = {
        node.value.partition(":")[0]
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "." in node.value
    }
    return {name for name in texts & set(MODULES) if MODULES[name].name != "__init__.py"}


def test_no_module_is_imported_by_a_text() -> None:
    found = {path.relative_to(ROOT).as_posix() for path in MODULES.values()
             if modules_in_texts(path)}  # fmt: skip
    assert found == set(BY_NAME)


def test_imports_are_found_within_functions() -> None:
    assert "master.games.threes.report" in imports()["master.games.threes.front"]
    assert "master.cli.jobs.show_command" in imports()["master.cli.app"]


def test_circles_are_found() -> None:
    assert sorted(set(circle_in({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}))) == list("abc")


def test_no_room_is_crowded() -> None:
    assert len(list((ROOT / "master").glob("*.py"))) <= MODULES_IN_MASTER_MAX
    files = [path for path in (ROOT / "master" / "cli").iterdir() if path.is_file()]
    assert len(files) <= FILES_IN_CLI_MAX


NO_RULES = {"__init__.py", "__main__.py"}
"""Entry points are tried as programs (tests/daemons), packages hold nothing."""

MADE_UP = {"master/cli/toy_game", "master/service/made_up"}
"""Games that only tests have."""


def test_each_folder_has_its_tests() -> None:
    modules = [path for path in source_files(".py", ".pyx") if path.name not in NO_RULES]
    folders = {path.parent.relative_to(ROOT).as_posix() for path in modules}
    tested = {folder for folder in folders if any((ROOT / "tests" / folder).glob("test_*.py"))}
    assert folders - tested == set()


def test_each_folder_of_tests_is_of_a_folder() -> None:
    files = [path for package in PACKAGES for path in (ROOT / "tests" / package).rglob("*.py")]
    folders = {path.parent.relative_to(ROOT / "tests").as_posix() for path in files}
    assert {folder for folder in folders if not (ROOT / folder).is_dir()} == MADE_UP
