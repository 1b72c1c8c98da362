"""Make the README's pictures of the page: a real master with two analysers, at real rollouts.

    python -m tests.pictures.page deploy/pictures

Takes about half a minute; Debian's `chromium` shows the page.  Who adds a view adds a line to
VIEWS.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from master.api.client import MasterClient
from master.config.paths import control_socket_path
from master.contract.job_words import Priority
from tests.daemons.analyser_programs import HERE, line_with, listening, started
from tests.daemons.command_line import POSITION, Home
from tests.master.api.browser import Browser, Scheme, browsing
from tests.master.reports.browser import CHROMIUM

LONG_JOBS = (("4Dn4ICiY55gBIg", "--cube"), (POSITION, "--dice", "31"))
POLL_S = 0.1


@dataclass(frozen=True)
class View:
    """A look at the page.

    Args:
        name: of the file, without `.png`.
        path: what stands behind the `#` of the link.
        is_ready: an expression that is true once all is there that the picture is to show.
        width: of the window, in pixels.
        height: of the window.
        scheme: `light` or `dark`.
        press: a selector of what is clicked first; empty: nothing.
    """

    name: str
    path: str
    is_ready: str
    width: int = 1240
    height: int = 720
    scheme: Scheme = "light"
    press: str = ""


def says(selector: str, *words: str) -> str:
    """Return the expression for an element's text having some words."""
    text = f"(document.querySelector({selector!r})?.innerText ?? '')"
    return " && ".join(f"{text}.includes({word!r})" for word in words)


_FOLDS = "!/\\b0 of/.test(document.querySelector('#jobs tbody').innerText)"
_IS_AT_WORK = _FOLDS + " && " + says("#fleet tbody", "attic", "cellar", " ms", "%", "job")

_HAS_CURVES = (
    "document.querySelector('.uplot') && "
    "[...document.querySelectorAll('#view td')].some((each) => Number(each.textContent) >= 200)"
)
_HAS_LANES = "/attic.*cellar/s.test(document.querySelector('#view tbody')?.textContent)"

VIEWS = (
    View("page", "#/", _IS_AT_WORK),
    View("page-rollout", "#/jobs/3", _HAS_CURVES, height=790),
    View("page-timeline", "#/timeline", _HAS_LANES, width=1000, height=460, press="#view summary"),
    View("page-narrow", "#/", _IS_AT_WORK, width=390, height=800, scheme="dark"),
)
"""All pictures, in the order in which they are made."""


async def make(folder: Path) -> None:
    """Run the master, its analysers and its jobs, and make all pictures of it."""
    one_worker = ("--workers", "1", "--name")
    with tempfile.TemporaryDirectory() as text:
        home = Home(Path(text))
        async with (
            listening(*one_worker, "attic") as (_, attic),
            listening(*one_worker, "cellar") as (_, cellar),
            mastering(home, attic, cellar),
            browsing() as browser,
        ):
            link = (await home.run("web", "--no-browser")).out.strip()
            await begin_jobs(home)
            await browser.open(link)
            await browser.until(says("#connection", "Live"))
            for view in VIEWS:
                await take(browser, view, folder)


@asynccontextmanager
async def mastering(home: Home, *ports: int) -> AsyncIterator[None]:
    """Run a master with a page that calls on analysers of this machine."""
    fleet = home.directory / "fleet.toml"
    fleet.write_text("".join(f'[[analyser]]\naddress = "{HERE}:{port}"\n' for port in ports))
    options = ("--fleet", str(fleet), "--name", "desk", "--web", f"{HERE}:0")
    argv = (sys.executable, "-m", "master", "--state-dir", str(home.state), *options)
    async with started(*argv, env=home.environ) as master:
        await line_with(master, "ready")
        yield


async def begin_jobs(home: Home) -> None:
    """Have a job that is done, one in the background, and one that runs."""
    done = await home.run("rollout", POSITION, "--dice", "31", "--trials", "36", "--truncate", "5")
    assert done.code == 0, done
    async with MasterClient(control_socket_path(home.state, home.environ)) as client:
        for count, args in enumerate(LONG_JOBS, start=2):
            async with home.running("rollout", *args, "--trials", "20736"):
                while len(await client.jobs()) < count:  # noqa: ASYNC110  # nobody tells of it
                    await asyncio.sleep(POLL_S)
        await client.prioritise(2, Priority.BACKGROUND)


async def take(browser: Browser, view: View, folder: Path) -> None:
    """Make one picture."""
    await browser.resemble(view.width, view.scheme, view.height)
    await browser.find(f"location.hash = {view.path!r}")
    if view.press:
        await browser.until(f"document.querySelector({view.press!r})")
        await browser.find(f"document.querySelector({view.press!r}).click()")
    await browser.until(view.is_ready)
    path = folder / f"{view.name}.png"
    await browser.picture(path)
    click.echo(f"{path}: {path.stat().st_size:,} bytes")


def main() -> None:
    """Write the pictures into the folder that is given."""
    if len(sys.argv) != 2:
        raise SystemExit("usage: python -m tests.pictures.page FOLDER")
    if CHROMIUM is None:
        raise SystemExit("chromium is not installed")
    asyncio.run(make(Path(sys.argv[1])))


if __name__ == "__main__":
    main()
