"""Short commands load only what they use: a user waits for each module at every key press."""

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

_PROGRAM = """\
import atexit, json, sys
atexit.register(lambda: sys.stderr.write(json.dumps(sorted(sys.modules))))
sys.argv = ["manyply", *sys.argv[1:]]
from master.cli import main
main()
"""

MESSAGES = {"pydantic", "pydantic_core", "annotated_types", "h11", "starlette", "uvicorn", "anyio"}
LOOPS = {"asyncio", "uvloop", "ssl", "concurrent", "multiprocessing"}
LIBRARIES = {"rich", "difflib", "tomllib", "logging", "email", "importlib.metadata", "http"}
STORE = {"sqlite3", "hashlib", "master.store", "master.service.listed_jobs"}
PATHS = {"platformdirs"}
DAEMONS = {
    "analyser", "protocol.aio", "protocol.messages", "master.api", "master.scheduler",
    "master.search", "master.fold", "master.service.service", "master.service.job_records",
    "master.fleets", "master.relay", "master.timeline",
}  # fmt: skip
ENGINES = {"engine_ext.control", "engine_ext.services"}
"""Every engine imports these; limits and names of options are in modules without them."""

NEVER = MESSAGES | LOOPS | LIBRARIES | DAEMONS
OPTIONS_ONLY = NEVER | STORE | PATHS | ENGINES


def tab(line: str) -> dict[str, str]:
    """Return the environment in which bash asks what goes on at the end of a line."""
    words = line.split(" ")
    return {
        "_MANYPLY_COMPLETE": "bash_complete",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
    }


def denied(names: Iterable[str], denylist: Iterable[str]) -> set[str]:
    """Return the modules of a list that are denied, or are in a package that is."""
    return {name for name in names if any(f"{name}.".startswith(f"{each}.") for each in denylist)}


def started(arguments: list[str], home: Path, **environment: str) -> tuple[str, list[str]]:
    """Return what a command prints, and the modules that it has loaded."""
    xdg = {f"XDG_{kind}_HOME": str(home / kind) for kind in ("STATE", "CONFIG", "CACHE", "DATA")}
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, *arguments],
        capture_output=True, text=True, check=False,
        env=os.environ | xdg | {"XDG_RUNTIME_DIR": str(home)} | environment,
    )  # fmt: skip
    return done.stdout, json.loads(done.stderr.splitlines()[-1])


def test_package_is_denied_with_all_in_it_and_nothing_beside_it() -> None:
    assert denied(["sqlite3", "sqlite3.dbapi2", "sqlite33", "re"], {"sqlite3"}) == {
        "sqlite3", "sqlite3.dbapi2",
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "shown"),
    [(["--help"], "Positions:"), (["rollout", "--help"], "--variance-reduction"),
     (["jobs", "--help"], "--json"), (["show", "--help"], "--svg"),
     (["resume", "--help"], "--fleet")],
)  # fmt: skip
def test_help_loads_options_alone(arguments: list[str], shown: str, tmp_path: Path) -> None:
    text, modules = started(arguments, tmp_path)
    assert shown in text
    assert denied(modules, OPTIONS_ONLY) == set()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("environment", "offered"),
    [(tab("manyply "), "rollout"), (tab("manyply rollout --"), "--trials"),
     (tab("manyply jobs --"), "--json"), (tab("manyply show --"), "--svg")],
)  # fmt: skip
def test_completion_loads_options_alone(
    environment: Mapping[str, str], offered: str, tmp_path: Path
) -> None:
    text, modules = started([], tmp_path, **environment)
    assert f"plain,{offered}" in text.splitlines()
    assert denied(modules, OPTIONS_ONLY) == set()


@pytest.mark.slow
def test_completion_of_a_jobs_number_loads_the_database_alone(tmp_path: Path) -> None:
    text, modules = started([], tmp_path, **tab("manyply show "))
    assert text.strip() == ""
    assert "sqlite3" in modules
    assert denied(modules, OPTIONS_ONLY - {"sqlite3"} - PATHS) == set()


@pytest.mark.slow
def test_list_of_jobs_where_no_master_runs_loads_the_store_alone(tmp_path: Path) -> None:
    text, modules = started(["jobs"], tmp_path)
    assert text.startswith("Job ")
    assert "master.store.store" in modules
    assert denied(modules, NEVER) == set()
