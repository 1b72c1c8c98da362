"""A record's page: its link, what is served there, and its end."""

import asyncio
import json
import os
import signal
import urllib.request
from pathlib import Path

import pytest

from master.cli.jobs.replay_page import show_record
from master.contract.errors import MasterError
from master.timeline.reading import RecordedTimeline
from master.web.token_file import read_token
from protocol.address import Address
from tests.master.web.timeline.made_up import made_up

pytestmark = pytest.mark.sockets

STEP_S_MAX = 20.0


async def test_record_is_served_until_it_is_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded = RecordedTimeline(made_up().timeline, is_cut=True)
    here = Address("127.0.0.1", 0)
    showing = asyncio.create_task(show_record(recorded, "decisions.log", here, tmp_path))
    link = ""
    async with asyncio.timeout(STEP_S_MAX):
        while "\n" not in link:
            await asyncio.sleep(0)
            assert not showing.done(), showing
            link += capsys.readouterr().out
    url, _, fragment = link.strip().partition("#")
    assert f"#{fragment}" == f"{read_token(tmp_path).fragment}/timeline"

    def ask() -> bytes:
        with urllib.request.urlopen(f"{url}api/timeline", timeout=STEP_S_MAX) as answer:
            body: bytes = answer.read()
            return body

    reported = json.loads(await asyncio.to_thread(ask))
    assert (reported["title"], reported["is_live"], reported["is_cut"]) == (
        "decisions.log",
        False,
        True,
    )
    os.kill(os.getpid(), signal.SIGINT)
    async with asyncio.timeout(STEP_S_MAX):
        await showing


async def test_others_are_not_shown_it(tmp_path: Path) -> None:
    recorded = RecordedTimeline(made_up().timeline)
    with pytest.raises(MasterError, match="on this machine alone"):
        await show_record(recorded, "a", Address("0.0.0.0", 0), tmp_path)
