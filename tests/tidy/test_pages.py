"""What pages name is there: commands, options, links, manual pages, and tests of peers' rules."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from analyser.command import main as analyser_main
from master.cli import manual
from master.cli.app import OTHER_NAMES, WORDS_OF_OPTIONS, manyply
from master.cli.relay.command import main as relay_main
from master.command import main as master_main
from tests.tidy.source_files import ROOT

PROGRAMS = {
    "manyply": manyply,
    "manyply-master": master_main,
    "manyply-analyser": analyser_main,
    "manyply-relay": relay_main,
}
PAGES = sorted(
    path
    for place in (".", "analyser", "deploy", "engine_ext", "master", "protocol", "training")
    for path in ((ROOT / place).glob("*.md") if place == "." else (ROOT / place).rglob("*.md"))
)
PAGES.remove(ROOT / "protocol" / "SPEC.md")  # it speaks of lines between daemons
_NAMED = re.compile(r"^(?:\S*/bin/)?(manyply(?:-master|-analyser|-relay)?)(?: (.*))?$")


def written(path: Path) -> Iterator[str]:
    """Yield what a page shows as commands: lines of blocks, and code inside sentences."""
    text = path.read_text().replace("\\\n", " ")
    for block in re.findall(r"^```.*?\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            for part in re.split(r"&&|\|", line.strip().removeprefix("$ ").partition(" #")[0]):
                yield part.strip()
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    yield from re.findall(r"(?<!`)`([^`\n]+)`(?!`)", prose)


def named(path: Path) -> list[tuple[str, list[str]]]:
    found = [_NAMED.match(text) for text in written(path)]
    return [(match[1], shlex.split(match[2] or "")) for match in found if match is not None]


def complaints(program: str, words: list[str]) -> Iterator[str]:
    command: click.Command = PROGRAMS[program]
    rest = list(words)
    while isinstance(command, click.Group) and rest and re.fullmatch(r"[a-z]+", rest[0]):
        found = command.get_command(click.Context(command), rest[0])
        if found is None:
            break
        command = found
        rest.pop(0)
    is_command = bool(rest) and rest[0] not in (*WORDS_OF_OPTIONS, *OTHER_NAMES)
    if command is manyply and is_command and re.fullmatch(r"[a-z]+", rest[0]):
        yield f"there is no command {rest[0]}"
    params = list(command.params)
    if isinstance(command, click.Group) and command is not manyply:  # a game that goes unsaid
        usual = command.get_command(click.Context(command), "backgammon")
        params += usual.params if usual is not None else []
    if command.context_settings.get("ignore_unknown_options"):  # they go to another program
        params += [param for each in PROGRAMS.values() for param in each.params]
    options = {name for param in params for name in (*param.opts, *param.secondary_opts)}
    for word in rest:
        option = re.match(r"--?[a-z][a-z-]*", word)
        if option is not None and option[0] not in options | {"--help", "-h"}:
            yield f"{command.name} has no option {option[0]}"


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_of_a_page_exist(path: Path) -> None:
    wrong = [
        f"{program} {' '.join(words)}: {complaint}"
        for program, words in named(path)
        for complaint in complaints(program, words)
    ]
    assert wrong == []


def test_commands_are_found_in_pages() -> None:
    assert len(named(ROOT / "README.md")) >= 10
    assert list(complaints("manyply", ["rolout", "ID"]))
    assert list(complaints("manyply", ["rollout", "ID", "--dise", "31"]))


def test_every_command_has_one_section_in_the_pages() -> None:
    folder = ROOT / "master" / "cli"
    pages = [folder / "README.md", *(folder / "pages").glob("*.md")]
    heads = [head for page in pages for head in re.findall(r"^## (\S+)$", page.read_text(), re.M)]
    commands = manyply.list_commands(click.Context(manyply))
    assert sorted(head for head in heads if head in commands) == sorted(commands)


_LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def links(path: Path) -> list[str]:
    """Return the places in this tree that a page links to, as it writes them."""
    return [each for each in _LINK.findall(path.read_text()) if "://" not in each]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: "/".join(path.parts[-2:]))
def test_links_lead_somewhere(path: Path) -> None:
    assert [each for each in links(path) if not (path.parent / each).exists()] == []


def test_links_are_found() -> None:
    assert sum(map(len, map(links, PAGES))) > 10


@pytest.mark.parametrize("name", manual.PROGRAMS)
def test_page_is_current(name: str) -> None:
    written = (ROOT / "deploy" / "man" / f"{name}.1").read_text()
    assert written == manual.page(name), "run: python -m master.cli.manual deploy/man"


TABLES = sorted((ROOT / "master" / "games").glob("*/NEIGHBOURS.md"))
_NAMED_TEST = re.compile(r"`(test_[a-z0-9_]+)`")
_DEFINED = re.compile(r"^(?:async )?def (test_[a-z0-9_]+)\(", re.MULTILINE)


def test_games_with_neighbours_have_a_table() -> None:
    assert {"backgammon", "chess", "othello"} <= {path.parent.name for path in TABLES}


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.parent.name)
def test_named_tests_are_there(path: Path) -> None:
    named = set(_NAMED_TEST.findall(path.read_text()))
    sources = (each.read_text() for each in (ROOT / "tests").rglob("test_*.py"))
    defined = {name for text in sources for name in _DEFINED.findall(text)}
    assert named
    assert named - defined == set()
