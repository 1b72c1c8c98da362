import asyncio
import sys

import pytest
import uvloop

from protocol.aio import new_runner


async def own_loop() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


def test_the_fastest_loop_is_taken() -> None:
    with new_runner() as runner:
        assert isinstance(runner.run(own_loop()), uvloop.Loop)


def test_the_standard_loop_is_taken_where_there_is_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "uvloop", None)
    with new_runner() as runner:
        assert not isinstance(runner.run(own_loop()), uvloop.Loop)
