"""The files of the page: all are served, none asks anything of elsewhere or puts in HTML."""

import posixpath
import re
from importlib.resources import files
from pathlib import Path

import pytest

from master.api.assets import ASSETS, Asset

PAGES = Path(str(files("master") / "page"))
PAGE = {
    str(each.relative_to(PAGES)): each.read_text() for each in PAGES.rglob("*") if each.is_file()
}
SCRIPTS = [name for name in PAGE if name.endswith(".js")]
FOR_PEOPLE = ("LICENSE", "README.md")
"""Of what others made: it lies beside it in the package, and no page asks for it."""


def test_every_file_is_served_and_each_that_is_served_is_there() -> None:
    wanted = [name for name in PAGE if posixpath.basename(name) not in FOR_PEOPLE]
    assert sorted(asset.name for asset in ASSETS) == sorted(wanted)
    assert all(asset.body for asset in ASSETS)


@pytest.mark.parametrize("asset", ASSETS, ids=lambda asset: asset.name)
def test_types_are_those_that_browsers_take(asset: Asset) -> None:
    ending = asset.name.rpartition(".")[2]
    known = {"html": "text/html", "css": "text/css", "svg": "image/svg+xml", "js": "text/javascr"}
    assert asset.media.startswith(known[ending])


@pytest.mark.parametrize("name", SCRIPTS)
def test_scripts_put_in_text_alone(name: str) -> None:
    html = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\b|Function\("
    assert re.findall(html, PAGE[name]) == []


@pytest.mark.parametrize("asset", ASSETS, ids=lambda asset: asset.name)
def test_nothing_is_asked_of_elsewhere(asset: Asset) -> None:
    code = re.sub(r"(?ms)^\s*//.*?$|^\s*/\*.*?\*/", "", PAGE[asset.name])
    addresses = re.findall(r"(?:https?:)?//[\w.]+", code)
    assert [found for found in addresses if found != "http://www.w3.org"] == []


def test_imports_of_scripts_are_served() -> None:
    served = {asset.path for asset in ASSETS}
    for name in SCRIPTS:
        for imported in re.findall(r'(?:from|import\(|module:) "(\.\.?/[\w./]+)"', PAGE[name]):
            assert (
                posixpath.normpath(posixpath.join("/", posixpath.dirname(name), imported)) in served
            )


def test_page_has_neither_script_nor_style_of_its_own() -> None:
    page = PAGE["index.html"]
    assert re.findall(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", page) == []
