"""`manyply rollout`: what was typed becomes one job, and a mistake one line."""

import asyncio
import hashlib
import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from engine_ext.backgammon.limits import SEED_DEFAULT
from master.cli.app import manyply
from master.cli.backgammon.rollout_command import play_options
from master.cli.errors import CommandError
from master.cli.jobs import watching
from master.cli.place import Place
from master.contract.views import JobRequest
from master.games.backgammon.rollout_defaults import (
    CANDIDATES_DEFAULT,
    SETTLED_DEFAULT,
    TRIALS_CAP,
    TRIALS_DEFAULT,
)
from master.games.backgammon.rollout_request import RolloutOptions, to_context
from master.games.backgammon.typed import read_id
from tests.master.cli.shown import POSITION
from tests.master.cli.taken_options import taken

ROOT = Path(__file__).parents[4]
MATCH_ID = "cAlAAAAAAAAE"
TINY = ("--trials", "12", "--truncate", "2", "--local", "1")


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["rollout", *args])


def complaint(*args: str) -> str:
    """Return what the command refuses with."""
    result = ran(*args)
    assert isinstance(result.exception, CommandError | SystemExit), result
    reported = (
        str(result.exception) if isinstance(result.exception, CommandError) else result.stderr
    )
    assert reported
    return reported


class Asked:
    """A master that keeps what it is asked, and computes nothing."""

    def __init__(self) -> None:
        self.requests: list[JobRequest] = []
        self.places: list[tuple[Place, bool]] = []
        self.layouts: list[str | None] = []

    async def submit(self, request: JobRequest) -> int:
        self.requests.append(request)
        return len(self.requests)

    def run_job(
        self,
        place: Place,
        start: Callable[["Asked"], Awaitable[int]],
        *,
        is_json: bool,
        games: tuple[str, ...],
        layout: str | None,
    ) -> None:
        assert games == ("backgammon",), "no other engine is loaded"
        self.layouts.append(layout)

        async def started() -> int:
            return await start(self)

        self.places.append((place, is_json))
        assert asyncio.run(started()) == len(self.requests)

    def request(self, *args: str) -> JobRequest:
        """Return the job that a command line asks for."""
        result = ran(*args)
        assert result.exit_code == 0, result.output
        return self.requests[-1]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Asked:
    asked = Asked()
    monkeypatch.setattr(watching, "run_job", asked.run_job)
    return asked


def text_of(**options: Any) -> str:
    return to_context(read_id(POSITION), RolloutOptions(**options)).to_text()


def test_position_alone_is_rolled_out_with_every_default(asked: Asked) -> None:
    request = asked.request(POSITION)
    assert request == JobRequest(text_of(), TRIALS_DEFAULT, None, f"{POSITION}:cAkAAAAAAAAA")
    assert text_of(seed=SEED_DEFAULT, candidates=CANDIDATES_DEFAULT) == request.context


@pytest.mark.parametrize(
    ("args", "options"),
    [
        (("--dice", "31"), {"dice": (3, 1)}),
        (("--dice", "31", "--candidates", "0"), {"dice": (3, 1), "candidates": 0}),
        (("--cube",), {"is_cube": True}),
        (("--seed", "77"), {"seed": 77}),
        (("--dice", "31", "--move", "8/5 6/5", "--move", "24/20"),
         {"dice": (3, 1), "moves": ("8/5 6/5", "24/20")}),
    ],
)  # fmt: skip
def test_each_option_reaches_the_question(
    asked: Asked, args: tuple[str, ...], options: dict[str, Any]
) -> None:
    request = asked.request(POSITION, *args)
    assert request.context == text_of(**options)
    assert request.context != text_of()


@pytest.mark.parametrize(
    ("args", "trials", "stop_se"),
    [
        ((), TRIALS_DEFAULT, None),
        (("--trials", "7"), 7, None),
        (("--stop-se", "0.01"), TRIALS_CAP, 0.01),
        (("--stop-se", "0.01", "--trials", "7"), 7, 0.01),
    ],
)
def test_rollout_ends_by_its_games_or_by_its_standard_error(
    asked: Asked, args: tuple[str, ...], trials: int, stop_se: float | None
) -> None:
    request = asked.request(POSITION, *args)
    assert (request.trials, request.stop_se) == (trials, stop_se)


@pytest.mark.parametrize(
    ("args", "options"),
    [
        ((), {"ply": 3, "move_filter": "large"}),
        (("--plies", "1"), {"ply": 1, "move_filter": "large"}),
        (
            ("--filter", "tiny", "--cube-plies", "2"),
            {"ply": 3, "cube_ply": 2, "move_filter": "tiny"},
        ),
    ],
)
def test_level_sets_look_ahead_and_filter_unless_options_overrule_it(
    asked: Asked, args: tuple[str, ...], options: dict[str, Any]
) -> None:
    assert asked.request(POSITION, "--level", "deep", *args).context == text_of(**options)


def test_quick_level_is_the_default(asked: Asked) -> None:
    assert asked.request(POSITION, "--level", "quick").context == text_of()


@pytest.mark.parametrize(
    ("args", "stop_settled"),
    [((), None), (("--stop-settled",), SETTLED_DEFAULT), (("--stop-settled", "3"), 3.0)],
)
def test_rollout_ends_when_it_is_settled_if_asked_to(
    asked: Asked, args: tuple[str, ...], stop_settled: float | None
) -> None:
    request = asked.request(POSITION, "--cube", *args)
    assert (request.trials, request.stop_settled) == (TRIALS_DEFAULT, stop_settled)


def test_text_to_paste_has_no_drawing_above_it(asked: Asked) -> None:
    for option in ("--export", "--xg-table"):
        assert ran(POSITION, option, "--board").stdout == ""
    assert asked.layouts == ["export", "xg-table"]


def test_rules_given_take_the_place_of_the_ids_also_in_the_label(asked: Asked) -> None:
    by_id, ruled = asked.request(POSITION), asked.request(POSITION, "--no-jacoby")
    assert by_id.context != ruled.context
    assert (by_id.label, ruled.label) == (f"{POSITION}:cAkAAAAAAAAA", f"{POSITION}:cAkAAAAAAAAE")


def test_place_and_form_are_passed_on_and_an_object_has_no_drawing(asked: Asked) -> None:
    drawn = ran(POSITION, "--board", "--local", "3").stdout
    assert "BAR" in drawn
    assert ran(POSITION, "--board", "--json").stdout == ""
    assert [(place.local, is_json) for place, is_json in asked.places] == [(3, False), (None, True)]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ((), "Missing argument 'ID'"),
        (("nonsense",), "no ID in 'nonsense': expected XGID="),
        ((POSITION, "--local", "0"), "--workers 0 leaves nobody to compute"),
        ((POSITION, "--analyser", "attic"), "'attic' is not an address"),
        ((POSITION, "--master", "x", "--local", "1"), "leave out --analyser, --fleet"),
        ((POSITION, "--stop-se", "nan"), "not a standard error"),
        ((POSITION, "--cube", "--stop-settled", "0"), "not a number of standard errors"),
        (("--stop-settled", POSITION), "what else is given stands before the option"),
        ((POSITION, "--stop-settled"), "--stop-settled compares"),
        ((POSITION, "--export", "--json"), "in two ways"),
        ((POSITION, "--trials", "0"), "1 to "),
        ((POSITION, "--candidates", "-1"), "0 to 10000"),
        ((POSITION, "--dice", "31", "--move", "8/4 6/5"), "not one of the 16"),
        ((POSITION, "--dice", "37"), "37"),
        ((f"{POSITION}:{MATCH_ID}", "--jacoby"), "for money play"),
    ],
)
def test_mistake_is_named_and_nothing_is_begun(
    asked: Asked, args: tuple[str, ...], words: str
) -> None:
    assert words in complaint(*args)
    assert asked.requests == []


def test_table_that_is_for_matches_is_refused_in_money_play(asked: Asked, tmp_path: Path) -> None:
    assert "for match play" in complaint(POSITION, "--met", table_file(tmp_path))
    assert asked.requests == []


def table_file(folder: Path) -> str:
    path = folder / "met.xml"
    row = "<row><me>0.5</me><me>0.8</me></row><row><me>0.2</me><me>0.5</me></row>"
    path.write_text(
        f"<met><pre-crawford-table>{row}</pre-crawford-table><post-crawford-table>"
        "<row><me>0.5</me><me>0.2</me></row></post-crawford-table></met>"
    )
    return str(path)


@pytest.mark.slow
def test_table_of_equities_changes_the_result(tmp_path: Path) -> None:
    by_table, shipped = (
        json.loads(ran(f"{POSITION}:{MATCH_ID}", *TINY, *met, "--json").stdout)["alternatives"]
        for met in (("--met", table_file(tmp_path)), ())
    )
    assert by_table != shipped


@pytest.mark.slow
def test_rollout_is_followed_to_its_end_and_reported() -> None:
    report = json.loads(ran(POSITION, *TINY, "--json").stdout)
    assert (report["trials"], report["stopped_by"], report["id"]) == (
        12, "trials", f"{POSITION}:cAkAAAAAAAAA",
    )  # fmt: skip


DEFAULTS = {field.name: field.default for field in fields(RolloutOptions)}


def given(*arguments: str) -> dict[str, Any]:
    """Return what a command gets that differs from the defaults."""
    options = taken(play_options, *arguments)
    return {name: value for name, value in options.items() if value != DEFAULTS[name]}


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ("", {}),
        ("--plies 2 --cube-plies 1", {"ply": 2, "cube_ply": 1}),
        (
            "--opponent-plies 1 --opponent-cube-plies 3",
            {"opponent_ply": 1, "opponent_cube_ply": 3},
        ),
        (
            "--late-after 5 --late-plies 0 --late-cube-plies 1",
            {"late_after": 5, "late_ply": 0, "late_cube_ply": 1},
        ),
        ("--filter tiny --truncate 11", {"move_filter": "tiny", "truncation_ply": 11}),
        ("--truncate-plies 0 --initial", {"evaluation_ply": 0, "rollout_initial": True}),
        (
            "--cubeless --no-variance-reduction",
            {"cubeful": False, "variance_reduction": False},
        ),
        (
            "--no-bearoff-truncation --no-quasi-random",
            {"bearoff_truncation": False, "quasi_random": False},
        ),
    ],
)
def test_options_fill_their_fields(arguments: str, options: dict[str, Any]) -> None:
    assert given(*arguments.split()) == options


@pytest.mark.parametrize(
    "arguments",
    ["--plies 4", "--late-plies x", "--filter wide", "--truncate 1001", "--late-after -1"],
)
def test_what_is_out_of_range_is_refused(arguments: str) -> None:
    with pytest.raises(click.UsageError, match="Invalid value for"):
        given(*arguments.split())


@pytest.mark.when_changed
@pytest.mark.sockets
@pytest.mark.slow
def test_digests_in_the_documents_are_those_of_their_command(state_dir: Path) -> None:
    """The command is that of README, `The same bits`; `cut` removes the number of the job."""
    words = "4HPwATDgc/ABMA --cube --trials 360 --json --workers 1"
    _, _, printed = ran(*words.split()).stdout.partition(",")
    for path in ("README.md", "deploy/relay.md"):
        text = (ROOT / path).read_text()
        assert words.removesuffix(" --workers 1") in text
        digests = set(re.findall(r"\b[0-9a-f]{64}\b", text))
        assert digests == {hashlib.sha256(printed.encode()).hexdigest()}, path
