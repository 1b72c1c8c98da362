"""A browser that a test drives while the page lives: Debian's Chromium, over the pipes it offers.

The protocol is Chrome's own (DevTools): JSON, a zero byte after each message.  What the page says
wrongly and all that it asks for is kept.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.master.reports.browser import CHROMIUM

STEP_S_MAX = 20.0
LOOK_S = 0.05
MESSAGE_BYTES_MAX = 1 << 24

_WRAPPER = (
    "import os, sys, fcntl; r, w = (fcntl.fcntl(int(n), fcntl.F_DUPFD, 10) for n in sys.argv[1:3]);"
    "os.dup2(r, 3); os.dup2(w, 4); os.execv(sys.argv[3], sys.argv[3:])"
)
"""Puts the pipes where Chromium looks for them."""

_OPTIONS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--remote-debugging-pipe", "about:blank",
)  # fmt: skip


class Browser:
    """One window."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.complaints: list[str] = []
        self.asked: list[str] = []
        self._reader = reader
        self._writer = writer
        self._session = ""
        self._last = 0
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}

    async def begin(self) -> None:
        targets = (await self._call("Target.getTargets"))["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        attached = await self._call("Target.attachToTarget", targetId=page, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            await self._call(f"{domain}.enable")

    async def _call(self, method: str, **fields: Any) -> dict[str, Any]:
        self._last += 1
        number = self._last
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        message = {"id": number, "method": method, "params": fields}
        if self._session:
            message["sessionId"] = self._session
        self._writer.write(json.dumps(message).encode() + b"\0")
        async with asyncio.timeout(STEP_S_MAX):
            found: dict[str, Any] = await answer
            return found

    async def listen(self) -> None:
        while True:
            message = json.loads((await self._reader.readuntil(b"\0"))[:-1])
            if "id" in message:
                assert "error" not in message, message
                self._answers.pop(message["id"]).set_result(message["result"])
            else:
                self._note(message["method"], message.get("params", {}))

    def _note(self, method: str, told: dict[str, Any]) -> None:
        if method == "Network.requestWillBeSent":
            self.asked.append(told["request"]["url"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(str(told["exceptionDetails"]))
        elif method == "Log.entryAdded":
            self.complaints.append(f"{told['entry']['text']} {told['entry'].get('url', '')}")
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(str(told["args"]))

    async def open(self, url: str) -> None:
        await self._call("Page.navigate", url=url)

    async def find(self, script: str) -> Any:
        """Return what an expression is in the page, a promise's value too."""
        found = await self._call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    async def until(self, script: str) -> None:
        """Wait until an expression is true."""
        wait = (
            f"new Promise((done) => {{ const look = () => ({script}) ? done(true)"
            f" : setTimeout(look, {1_000 * LOOK_S}); look(); }})"
        )
        try:
            await self.find(wait)
        except TimeoutError:
            body = await self.find("document.body.innerText")
            raise AssertionError(f"not so: {script}; the page says {body}") from None

    async def press(self, *keys: tuple[str, int]) -> None:
        """Press keys, each with its code."""
        for key, code in keys:
            fields = {"key": key, "code": key, "windowsVirtualKeyCode": code}
            text = {"text": "\r"} if key == "Enter" else {}
            await self._call("Input.dispatchKeyEvent", type="keyDown", **fields, **text)
            await self._call("Input.dispatchKeyEvent", type="keyUp", **fields)

    async def look_like(self, width: int, scheme: str) -> None:
        """Be of some width, and light or dark."""
        await self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=900, deviceScaleFactor=1, mobile=width < 600,
        )  # fmt: skip
        feature = {"name": "prefers-color-scheme", "value": scheme}
        await self._call("Emulation.setEmulatedMedia", features=[feature])

    async def picture(self, path: Path, *, is_whole: bool = False) -> None:
        """Write how it looks, for people; `is_whole`: with what one has to scroll to."""
        fields: dict[str, Any] = {"format": "png"}
        if is_whole:
            size = (await self._call("Page.getLayoutMetrics"))["cssContentSize"]
            fields |= {"captureBeyondViewport": True, "clip": size | {"scale": 1}}
        shot = await self._call("Page.captureScreenshot", **fields)
        await asyncio.to_thread(path.write_bytes, base64.b64decode(shot["data"]))


@asynccontextmanager
async def browsing(folder: Path) -> AsyncIterator[Browser]:
    """Yield a browser whose files are in a folder."""
    assert CHROMIUM is not None, "see needs_chromium"
    to_read, to_write, from_read, from_write = *os.pipe(), *os.pipe()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-S", "-c", _WRAPPER, str(to_read), str(from_write),
        CHROMIUM, f"--user-data-dir={folder / 'profile'}", *_OPTIONS,
        pass_fds=(to_read, from_write),
        stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL,
    )  # fmt: skip
    os.close(to_read)
    os.close(from_write)
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=MESSAGE_BYTES_MAX)
    reading, _ = await loop.connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(from_read, "rb")
    )
    transport, protocol = await loop.connect_write_pipe(
        asyncio.streams.FlowControlMixin, os.fdopen(to_write, "wb")
    )
    browser = Browser(reader, asyncio.StreamWriter(transport, protocol, None, loop))
    listening = asyncio.create_task(browser.listen())
    try:
        await browser.begin()
        yield browser
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        transport.close()
        reading.close()
