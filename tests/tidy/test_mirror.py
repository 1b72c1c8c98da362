"""Tests lie below `tests` in the folders of what they test."""

from tests.tidy.source_files import PACKAGES, ROOT, source_files

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
