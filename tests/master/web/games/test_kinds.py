"""Games' own files are served as the page's are, and keep the page's rules."""

import posixpath
import re

import pytest

from master.games.table import fronts
from master.web.assets import ASSETS
from master.web.games.kinds import asset_path, game_assets, watched_games

FILES = {asset.path: asset for asset in game_assets()}
TEXTS = {path: asset.body.decode() for path, asset in FILES.items()}


def test_games_are_those_of_the_fronts() -> None:
    assert [*watched_games()] == [name for name, front in fronts() if front.watched]


def test_files_have_places_of_their_own() -> None:
    assert FILES
    assert not set(FILES) & {asset.path for asset in ASSETS}
    for watched in watched_games().values():
        assert {asset_path(name) for name in watched.files} <= set(FILES)


@pytest.mark.parametrize("path", FILES)
def test_types_are_those_that_browsers_take(path: str) -> None:
    known = {"js": "text/javascript", "css": "text/css"}
    assert FILES[path].media.startswith(known[path.rpartition(".")[2]])


@pytest.mark.parametrize("path", FILES)
def test_files_put_in_text_alone_and_ask_nothing_of_elsewhere(path: str) -> None:
    html = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|Function\("
    assert re.findall(html, TEXTS[path]) == []
    addresses = re.findall(r"(?:https?:)?//[\w.]+", re.sub(r"(?m)^\s*//.*$", "", TEXTS[path]))
    assert [found for found in addresses if found != "http://www.w3.org"] == []


@pytest.mark.parametrize("path", FILES)
def test_imports_are_served(path: str) -> None:
    served = {*FILES, *(asset.path for asset in ASSETS)}
    for imported in re.findall(r'from "(\.\.?/[\w./]+)"', TEXTS[path]):
        assert posixpath.normpath(posixpath.join("/games", imported)) in served
