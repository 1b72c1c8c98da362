"""The page of a master that runs: found by `manyply web`, and as guarded as other endpoints."""

import asyncio
import re
import signal
import socket
import sys
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.error import HTTPError

import pytest

from engine_ext.noop.runner import noop_context
from master.api.client import MasterClient
from master.config.paths import control_socket_path
from master.contract.job_words import JobState
from master.contract.views import JobRequest
from tests.daemons.analyser_programs import HERE, line_with, started
from tests.daemons.command_line import Home, rest_of

pytestmark = [pytest.mark.sockets, pytest.mark.slow]
STEP_S_MAX = 20.0


@asynccontextmanager
async def mastering(home: Home, *options: str) -> AsyncIterator[str]:
    """Run a master; yield where its page is, if it has one."""
    argv = (sys.executable, "-m", "master", "--state-dir", str(home.state), *options)
    async with started(*argv, env=home.environ) as process:
        said = await line_with(process, "the page is on" if "--web" in options else "ready")
        found = re.search(r"http://\S+", said)
        if found is not None:
            await line_with(process, "ready")
        yield "" if found is None else found[0]


async def reported(asked: str | urllib.request.Request) -> str:
    """Return what is answered, in a thread."""

    def read() -> str:
        with urllib.request.urlopen(asked, timeout=STEP_S_MAX) as answer:
            return str(answer.read().decode())

    return await asyncio.to_thread(read)


@pytest.mark.when_changed
async def test_page_is_found_and_a_job_is_halted_there(home: Home) -> None:
    async with mastering(home, "--web", f"{HERE}:0") as url:
        ended = await home.run("web", "--no-browser")
        assert ended.code == 0, ended
        found, _, token = ended.out.strip().partition("#token=")
        assert found == url
        assert "<title>manyply</title>" in await reported(url)
        async with MasterClient(control_socket_path(home.state, home.environ)) as client:
            assert (await client.about()).page == url
            job = await client.submit(JobRequest(noop_context(), 1_000))
            assert '"state":"running"' in await reported(f"{url}api/jobs")
            assert '"rounds":[]' in await reported(f"{url}api/jobs/{job}/course")
            assert '"is_live":true' in await reported(f"{url}api/jobs/{job}/flow")
            fields = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
            halt = urllib.request.Request(f"{url}api/jobs/{job}/halt", b"{}", fields)
            assert await reported(halt) == f'{{"job":{job}}}'
            assert (await client.show(job)).state is JobState.HALTED


async def test_page_beyond_this_machine_takes_its_token(home: Home) -> None:
    async with mastering(home, "--web", "0.0.0.0:0", "--open") as url:
        assert await reported(f"{url}healthz") == "ok\n"
        with pytest.raises(HTTPError, match="401"):
            await reported(f"{url}api/jobs")


@pytest.mark.when_changed
async def test_master_without_a_page_says_so(home: Home) -> None:
    async with mastering(home):
        ended = await home.run("web")
    assert ended.code == 2
    assert "serves no page: start it with manyply-master --web" in ended.complaint


@pytest.mark.when_changed
async def test_without_a_master_one_is_started_for_the_page(home: Home) -> None:
    with socket.create_server((HERE, 0)) as other:
        port = str(other.getsockname()[1])
    async with home.running("web", "--local", "1", "--port", port) as web:
        said = await line_with(web, "until Ctrl-C")
        assert "a master runs in this terminal until Ctrl-C, with 1 worker" in said
        assert web.stdout is not None
        link = (await web.stdout.readline()).decode().strip()
        assert "<title>manyply</title>" in await reported(link.partition("#")[0])
        again = await home.run("web", "--no-browser")
        assert again.out.strip() == link
        refused = await home.run("web", "--local", "2")
        assert refused.code == 2
        assert refused.complaint.endswith("leave out --local to open its page")
        web.send_signal(signal.SIGINT)
        ended = await rest_of(web)
    assert (ended.code, ended.complaint) == (130, "")
