"""Every command after a plain `pip install .`, in a checkout never compiled and elsewhere."""

import re
import subprocess
import zipfile
from pathlib import Path

import pytest

from master.cli import app
from tests.daemons.command_line import POSITION
from tests.daemons.installed import BUILT, Installed, install
from tests.tidy.source_files import ROOT as TREE

pytestmark = [pytest.mark.slow, pytest.mark.sockets, pytest.mark.timeout(240)]

QUICK = ("--trials", "36", "--truncate", "2", "--local", "1")
PROGRAMS = ("manyply", "manyply-master", "manyply-analyser", "manyply-relay")
BOARD = ("-" * 27 + "OX------XO" + "-" * 27, "X")
TRIED: dict[str, tuple[tuple[str, ...], ...]] = {
    "rollout": (
        ("rollout", POSITION, "--dice", "31", *QUICK),
        ("rollout", POSITION, "--trials", "36", "--truncate", "2", "--local", "0", "--analyser",
         "exec:manyply-analyser --stdio --workers 1"),
        ("rollout", POSITION, "--trials", "36", "--truncate", "2", "--local", "0", "--analyser",
         "exec:manyply-relay --stdio --local 1"),
    ),
    "resume": (("resume", "1", "--local", "1"),),
    "again": (("again", "1", "--help"),),  # ends with the job: see test_job_commands
    "extend": (("extend", "1", "--trials", "12", "--local", "1"),),
    "attach": (("attach", "1"),),
    "replay": (("replay", "--help"),),  # a record: see test_master_daemon
    "halt": (),  # of a master: see test_cli
    "priority": (),  # of a master: see test_job_commands
    "jobs": (("jobs",),),
    "show": (("show", "1"),),
    "forget": (("forget", "2"),),
    "backup": (("backup", "--force", "copy.sqlite3"),),
    "salvage": (("salvage",),),
    "fleet": (("fleet", "list"),),
    "analyse": (("analyse", "list.txt", "--plies", "0", "--local", "1"),),
    "profile": (("profile", "Nobody", "--help"),),  # of match files: see test_studying
    "quiz": (("quiz", "--help"),),
    "eval": (("eval", POSITION),),
    "move": (("move", POSITION, "--dice", "31"),),
    "cube": (("cube", POSITION),),
    "play": (("play", "--match", "1", "--seed", "1"), ("play", "othello", "--depth", "1")),
    "search": (("search", "othello", *BOARD, "--depth", "4"),),
    "nboard": (("nboard",),),
    "uci": (("uci",),),
    "web": (("web", "--help"),),  # of a master: see test_access
    "external": (("external",),),
    "ubgi": (("ubgi",),),
    "simulate": (
        ("simulate", "othello", "--positions", "FFO40", "--processors", "1", "--help"),
    ),
    "perft": (("perft", "backgammon", "1"),),
    "bench": (("bench", "backgammon", "--help"),),  # `bench network`: below
    "service": (("service", "show", "--user"), ("service", "show", "--system", "inetd")),
    "secret": (("secret", "--help"),),
    "cert": (("cert", "--help"),),  # of an extra, which is not installed here
    "completion": (("completion", "bash"),),
}  # fmt: skip


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return install(tmp_path_factory.mktemp("installed"))


def test_every_command_is_tried() -> None:
    assert set(TRIED) == set(app.commands())


def works(installed: Installed, cwd: Path, *argv: str) -> None:
    done = installed.run("manyply", *argv, cwd=cwd, stdin_text="quit\n")
    assert done.returncode == 0, (argv, done.stderr)
    assert "Traceback" not in done.stderr, argv


@pytest.mark.when_changed
def test_commands_work_in_a_checkout_where_nothing_was_compiled(installed: Installed) -> None:
    (installed.checkout / "list.txt").write_text(f"{POSITION} 31 8/5 6/5\n")
    for argv in [argv for some in TRIED.values() for argv in some]:
        works(installed, installed.checkout, *argv)


@pytest.mark.when_changed
def test_commands_work_elsewhere(installed: Installed) -> None:
    for argv in TRIED["rollout"]:
        works(installed, installed.home, *argv)


@pytest.mark.when_changed
def test_network_bench_finds_the_installed_analyser(installed: Installed) -> None:
    part = (
        "import asyncio, master.cli.bench.bench_network as b; "
        "print(len(asyncio.run(b._round_trips(3))), b.__file__)"
    )
    done = installed.run("python", "-P", "-c", part)
    where = installed.packages / "master/cli/bench/bench_network.py"
    assert (done.returncode, done.stdout) == (0, f"3 {where}\n"), done.stderr


@pytest.mark.when_changed
def test_master_of_deploy_runs_a_job_and_leaves(installed: Installed) -> None:
    argv = [installed.program("manyply-master"), "--local", "1", "--control", "m.sock"]
    with subprocess.Popen(
        argv, cwd=installed.checkout, env=installed.environ, stderr=subprocess.PIPE, text=True
    ) as master:
        assert master.stderr is not None
        assert any("ready" in line for line in master.stderr)
        there = ("--master", "m.sock")
        quick = ("--trials", "36", "--truncate", "2", *there)
        done = installed.run("manyply", "rollout", POSITION, *quick)
        assert "36 trials, complete" in done.stdout, done.stderr
        works(installed, installed.checkout, "jobs", *there)
        master.terminate()
        assert master.wait(timeout=30) == 0


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.when_changed
def test_programs_say_what_they_are(installed: Installed, program: str) -> None:
    for option in ("--version", "--help"):
        assert installed.run(program, option).returncode == 0


@pytest.mark.when_changed
def test_wheel_holds_what_runs_and_nothing_else(installed: Installed) -> None:
    (wheel,) = installed.environment.parent.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    for needed in (
        "engine_ext/backgammon/data/contact.net", "engine_ext/othello/data/patterns.weights",
        "protocol/SPEC.md", "master/py.typed", "engine_ext/rng.pyi",
        "master/cli/service/templates/manyply-master.service",
        "master/cli/service/templates/inetd.conf",
    ):  # fmt: skip
        assert needed in names
    manuals = [name for name in names if "/share/man/man1/" in name]
    assert sorted(Path(name).stem for name in manuals) == sorted(PROGRAMS)
    assert not [
        n for n in names if n.endswith((".pyx", ".c", ".h")) or n.startswith(("tests", "training"))
    ]


@pytest.mark.when_changed
def test_units_and_manuals_of_the_wheel_are_in_the_environment(installed: Installed) -> None:
    shown = installed.run("manyply", "service", "show", "--system", "analyser", "inetd").stdout
    assert f"ExecStart={installed.program('manyply-analyser')} $OPTIONS" in shown
    assert (
        f" manyply-inetd {installed.program('manyply-analyser')} manyply-analyser --stdio" in shown
    )
    folder = installed.environment / "share/man/man1"
    assert sorted(path.stem for path in folder.iterdir()) == sorted(PROGRAMS)


@pytest.mark.when_changed
def test_extensions_are_stripped_and_name_no_folder_of_the_build(installed: Installed) -> None:
    extensions = sorted(installed.packages.rglob(BUILT))
    ours = [path for path in extensions if path.is_relative_to(installed.packages / "engine_ext")]
    assert len(ours) > 20
    for path in ours:
        content = path.read_bytes()
        assert b".debug_info" not in content, f"{path.name}: build the extensions again"
        assert b".symtab" not in content, path.name
        texts = re.findall(rb"/[\w./-]{6,}", content)
        assert not [text for text in texts if bytes(TREE) in text], path.name
