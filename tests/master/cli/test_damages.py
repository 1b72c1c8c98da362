"""Commands on damaged databases: the right digits or one line that names the trouble.

Here every way of damaging is tried once; `python -m tests.master.cli.test_damages 0 60` tries
sixty databases, and 60 1000 others.
A file that an option or an argument names may be anything: one line says what was expected."""

import json
import os
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine_ext.control import RunControl
from engine_ext.services import trial_runner
from master.cli.app import manyply
from master.cli.backgammon.rule_options import read_match_table
from master.cli.configuration import read_settings
from master.cli.errors import CommandError, ExitCode
from master.cli.playing.game_file import read_text
from master.config.fleet_list import read_fleet
from master.contract.errors import MasterError
from master.contract.job_words import JobState
from master.contract.views import JobRequest
from master.fold.trials import TrialFold
from master.games.backgammon.matches.files import read_match_file
from master.games.backgammon.rollout_report import rollout_report
from master.games.backgammon.rollout_request import RolloutOptions, to_context
from master.games.backgammon.typed import read_id
from master.games.othello.analysis.records import read_record_file
from master.service.job_requests import to_new_job
from master.service.listed_jobs import to_view
from master.store.answers import AnswerRow, write_answers
from master.store.records import JobEnd, RunsIn
from master.store.runs import TrialRun, insert_run, write_snapshot
from master.store.store import Store
from protocol.guards.secret_files import SecretError, read_secret
from protocol.guards.tls import TlsIdentity
from tests.master.cli.damages import DAMAGES, damage
from tests.master.cli.shown import POSITION

GAMES = 40  # of each of two alternatives
STORED = 50  # trials of the job that was interrupted
RUN = 6  # trials of a row
HERE = ("--local", "1", "--json")
COMMANDS = (
    ("jobs", "--json"),
    ("show", "1", "--json"),
    ("show", "2", "--json"),
    ("attach", "1", "--json"),
    ("resume", "2", *HERE),
    ("extend", "1", "--trials", "2", *HERE),
    ("show", "1", "--json"),
    ("show", "2"),
    ("jobs",),
)
SAYS = re.compile(r"manyply: .*(jobs\.sqlite3|job|disk|damaged)")


@dataclass(frozen=True)
class Sound:
    """The state directory before it is damaged, and every right report of its jobs."""

    state_dir: Path
    reports: dict[tuple[int, int], Any]  # by job and games

    def check(self, args: tuple[str, ...], code: int, out: str, err: str) -> None:
        """Fail unless the command gave right digits or one line."""
        assert "Traceback" not in err, err
        assert code in list(ExitCode)
        if code:
            assert any(map(SAYS.match, err.splitlines())), err
        if "--json" not in args:
            return
        for line in out.splitlines():
            report = json.loads(line)
            if "alternatives" in report and args[0] != "jobs":
                self._check_report(args, code, report)

    def _check_report(self, args: tuple[str, ...], code: int, report: Any) -> None:
        right = self.reports[report["job"], report["trials"]]
        assert report["alternatives"] == right["alternatives"]
        assert (report["seed"], report["engine"]) == (right["seed"], right["engine"])
        if args[0] in ("resume", "extend") and code == 0:
            assert report["trials"] == GAMES + 2 * (args[0] == "extend")
        if report["stopped_by"] == "trials":
            assert report["trials"] >= GAMES


def make_sound(state_dir: Path) -> Sound:
    """Store a job that is done and one that was interrupted, in rows of a few trials."""
    options = RolloutOptions(is_cube=True, truncation_ply=2, variance_reduction=False)
    new = to_new_job(JobRequest(to_context(read_id(POSITION), options).to_text(), GAMES))
    values = trial_runner(new.context).run(0, 2 * (GAMES + 2), RunControl())
    store = Store(state_dir)
    reports = {}
    for stored, is_done in ((2 * GAMES, True), (STORED, False)):
        job = store.create_job(new)
        fold = TrialFold(2, len(new.value_names))
        for seq, trial in enumerate(values):
            if seq % 2 == 0:
                reports[job, fold.rounds] = rollout_report(to_view(store.job(job), fold))
            if seq == stored and is_done:
                write_snapshot(store._database, job, fold.folded, fold.snapshot())
            fold.add(seq, trial)
        reports[job, fold.rounds] = rollout_report(to_view(store.job(job), fold))
        for first in range(0, stored, RUN):
            run = TrialRun(first, values[first : min(stored, first + RUN)])
            insert_run(store._database, job, run)
        store.set_running(job, RunsIn.COMMAND)
        if is_done:
            store.set_ended(job, JobState.DONE, JobEnd("trials", "", stored))
    answers = [AnswerRow(bytes([n]) * 32, new.engine, f"answer {n}") for n in range(9)]
    write_answers(store._database, answers, [], 20_000)
    store.close()
    return Sound(state_dir, reports)


def try_all(sound: Sound, home: Path, number: int) -> list[int]:
    """Damage a copy in one way, and give every command; return the exit codes."""
    codes = []
    shutil.copytree(sound.state_dir, home / "manyply")
    name = damage(home / "manyply", number)
    for args in COMMANDS:
        result = CliRunner().invoke(manyply, args)
        error = result.exception
        if isinstance(error, CommandError):
            code, err = int(error.exit_code), f"{result.stderr}manyply: {error}"
        else:
            assert error is None or isinstance(error, SystemExit), (number, name, args, error)
            code, err = result.exit_code, result.stderr
        try:
            sound.check(args, code, result.stdout, err)
        except (AssertionError, KeyError) as failed:
            raise AssertionError(f"damage {number}, {name}: manyply {' '.join(args)}") from failed
        codes.append(code)
    return codes


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Sound:
    return make_sound(tmp_path_factory.mktemp("sound") / "manyply")


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.when_changed
def test_damaged_database_gives_right_digits_or_one_line(
    sound: Sound, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(len(DAMAGES)):
        home = tmp_path / str(number)
        monkeypatch.setenv("XDG_STATE_HOME", str(home))
        monkeypatch.setenv("XDG_RUNTIME_DIR", str(home))
        try_all(sound, home, number)


@pytest.mark.slow
def test_sound_database_is_resumed_and_extended(
    sound: Sound, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    shutil.copytree(sound.state_dir, tmp_path / "manyply")
    for args in COMMANDS:
        result = CliRunner().invoke(manyply, args)
        assert result.exit_code == 0, args
        assert "damaged" not in result.stderr
        sound.check(args, 0, result.stdout, "")


@pytest.mark.slow
@pytest.mark.parametrize("command", [("resume", "2"), ("extend", "2", "--trials", "1")])
def test_damaged_trials_are_computed_again(
    sound: Sound, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    shutil.copytree(sound.state_dir, tmp_path / "manyply")
    store = Store(tmp_path / "manyply")
    store._database.execute("UPDATE trial_run SET trial_values = zeroblob(24) WHERE first_seq < 9")
    store.close()
    refused = CliRunner().invoke(manyply, ["show", "2"])
    assert isinstance(refused.exception, CommandError)
    assert "`manyply resume 2` computes them again" in str(refused.exception)
    result = CliRunner().invoke(manyply, [*command, *HERE])
    assert result.exit_code == 0, result.exception
    assert "trials of job 2 from 0 on are damaged and are computed again" in result.stderr
    report = json.loads(result.stdout)
    right = sound.reports[2, GAMES + (command[0] == "extend")]
    assert report["alternatives"] == right["alternatives"]


def main() -> None:
    """Try databases of the numbers given."""
    first, last = map(int, sys.argv[1:3])
    codes = Counter[int]()
    with tempfile.TemporaryDirectory() as directory:
        sound = make_sound(Path(directory) / "sound")
        for number in range(first, last):
            home = Path(directory) / str(number)
            os.environ["XDG_STATE_HOME"] = os.environ["XDG_RUNTIME_DIR"] = str(home)
            codes.update(try_all(sound, home, number))
            shutil.rmtree(home)
    print(f"{last - first} damaged databases: right digits or one line; exit codes {dict(codes)}")


if __name__ == "__main__":
    main()


READERS: dict[str, Callable[[Path], object]] = {
    "configuration": lambda path: read_settings(path, ()),
    "fleet": read_fleet,
    "secret": read_secret,
    "TLS": TlsIdentity,
    "match": read_match_file,
    "Othello games": read_record_file,
    "kept game": lambda path: read_text(path, 1_000),
    "match equities": lambda path: read_match_table(str(path)),
}
ERRORS = (CommandError, MasterError, SecretError, ValueError)


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe", 0o600)
    return folder / "pipe"


NAMED: dict[str, Callable[[Path], Path]] = {
    "pipe": pipe,
    "folder": lambda folder: folder,
    "endless": lambda folder: Path("/dev/zero"),
    "missing": lambda folder: folder / "none" / "such",
}


PAIRS = {(reader, named) for reader in READERS for named in NAMED}
PAIRS -= {("configuration", "missing")}  # it need not be there


@pytest.mark.parametrize(("reader", "named"), sorted(PAIRS))
def test_what_is_no_file_is_refused_in_one_line(tmp_path: Path, reader: str, named: str) -> None:
    with pytest.raises(ERRORS) as caught:
        READERS[reader](NAMED[named](tmp_path))
    assert len(str(caught.value).splitlines()) == 1
