"""A person at the pipes of `manyply play`."""

import asyncio
from typing import Any

from tests.daemons.analyser_programs import Process
from tests.daemons.command_line import RUN_S_MAX, Ended, rest_of

PIPE: dict[str, Any] = {"stdin": asyncio.subprocess.PIPE}


class Person:
    """Types lines, and reads what is printed."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.out = ""
        self.lines_typed = 0

    async def heard(self, end: str) -> str:
        """Return what is printed up to these characters, or up to the process's end."""
        assert self.process.stdout is not None
        shown = ""
        async with asyncio.timeout(RUN_S_MAX):
            while not shown.endswith(end):
                more = (await self.process.stdout.read(65536)).decode()
                if not more:
                    break
                shown += more
                self.out += more
        return shown

    async def until(self, end: str) -> str:
        """Return what is printed up to these characters, which must come."""
        shown = await self.heard(end)
        assert shown.endswith(end), f"ended after {self.out!r}"
        return shown

    async def prompt(self) -> str:
        """Return what is printed up to the next prompt."""
        return await self.until("? ")

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())
        self.lines_typed += 1

    async def leave(self) -> Ended:
        """End the input, and wait for the process's end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        ended = await rest_of(self.process)
        self.out += ended.out
        return ended
