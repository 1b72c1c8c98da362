"""A browser that a test drives while the page lives: Debian's Chromium, through Playwright.

What the page says wrongly and all that it asks for is kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import pytest

from tests.master.reports.browser import CHROMIUM

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, ConsoleMessage, Page

Scheme: TypeAlias = Literal["light", "dark"]

STEP_S_MAX = 20.0
CHECK_S = 0.05

PICTURE_PIXELS_MAX = 4_000
"""Height of a picture: what is further down is more of the same."""

_OPTIONS = ("--disable-gpu", "--disable-extensions", "--disable-component-update")


class Browser:
    """One window."""

    def __init__(self, page: Page, devtools: CDPSession) -> None:
        self.complaints: list[str] = []
        self.asked: list[str] = []
        self._page = page
        self._devtools = devtools
        page.set_default_timeout(1e3 * STEP_S_MAX)
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._hear)

    def _hear(self, message: ConsoleMessage) -> None:
        self.complaints.append(f"{message.text} {message.location.get('url', '')}")

    async def open(self, url: str) -> None:
        await self._page.goto(url)

    async def reload(self) -> None:
        """Load the page anew; what is found after that is of the new one."""
        await self._page.reload()

    async def find(self, script: str) -> Any:
        """Return what an expression is in the page, a promise's value too."""
        async with asyncio.timeout(STEP_S_MAX):
            return await self._page.evaluate(script)

    async def until(self, script: str) -> None:
        """Wait until an expression is true."""
        wait = (
            f"new Promise((done) => {{ const look = () => ({script}) ? done(true)"
            f" : setTimeout(look, {1_000 * CHECK_S}); look(); }})"
        )
        try:
            await self.find(wait)
        except TimeoutError:
            body = await self.find("document.body.innerText")
            raise AssertionError(f"not so: {script}; the page says {body}") from None

    async def press(self, *keys: str) -> None:
        """Press keys, by the names that scripts know them by."""
        for key in keys:
            await self._page.keyboard.press(key)

    async def devtools(self, method: str, **fields: Any) -> dict[str, Any]:
        """Call what Chromium alone offers."""
        async with asyncio.timeout(STEP_S_MAX):
            found: dict[str, Any] = await self._devtools.send(method, fields)
            return found

    async def metrics(self) -> dict[str, float]:
        """Return Chromium's own numbers of the page, such as Nodes and TaskDuration."""
        found = (await self.devtools("Performance.getMetrics"))["metrics"]
        return {each["name"]: each["value"] for each in found}

    async def heap_bytes(self) -> float:
        """Return what JavaScript holds, once all garbage is collected."""
        await self.devtools("HeapProfiler.collectGarbage")
        return float((await self.devtools("Runtime.getHeapUsage"))["usedSize"])

    async def resemble(self, width: int, scheme: Scheme, height: int = 900) -> None:
        """Be of some size, and light or dark."""
        await self._page.set_viewport_size({"width": width, "height": height})
        await self._page.emulate_media(color_scheme=scheme)

    async def picture(self, path: Path, *, is_whole: bool = False) -> None:
        """Write how it looks, for people; `is_whole`: with what one has to scroll to."""
        if not is_whole:
            await self._page.screenshot(path=path)
            return
        root = "document.documentElement"
        width, height = await self.find(f"[{root}.clientWidth, {root}.scrollHeight]")
        seen = {"x": 0.0, "y": 0.0, "width": width, "height": min(height, PICTURE_PIXELS_MAX)}
        await self._page.screenshot(path=path, full_page=True, clip=seen)  # type: ignore[arg-type]


@asynccontextmanager
async def browsing() -> AsyncIterator[Browser]:
    """Yield a browser with a profile of its own; skips where Playwright is not installed."""
    playwright = pytest.importorskip("playwright.async_api", reason="playwright is not installed")
    assert CHROMIUM is not None, "see needs_chromium"
    async with playwright.async_playwright() as driver:
        chromium = await driver.chromium.launch(
            executable_path=CHROMIUM, args=_OPTIONS, chromium_sandbox=False
        )
        try:
            page = await chromium.new_page()
            devtools = await page.context.new_cdp_session(page)
            await devtools.send("Performance.enable")
            yield Browser(page, devtools)
        finally:
            await chromium.close()
