"""Every command, on terminals of every width and of every kind: no line is broken by them."""

import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from master.cli.backgammon.playing.backgammon_session import Settings
from master.cli.bench.bench_figures import Figures, echo_figures
from master.cli.othello.simulate_command import SATIN
from master.cli.simulating.report import echo_report
from master.games.backgammon.matches.mat_write import write_mat
from tests.master.cli.backgammon import scripts as backgammon_scripts
from tests.master.cli.chess import scripts as chess_scripts
from tests.master.cli.othello import scripts as othello_scripts
from tests.master.cli.othello.test_simulate_command import REPORT
from tests.master.cli.shown import POSITION
from tests.master.cli.terminals import COLOUR, CONTROL, WIDTHS, process_shown, shown, terminal
from tests.master.cli.threes import scripts as threes_scripts
from tests.master.games.backgammon.matches.random_matches import Habits, random_match

MATCH = random_match(7, length=3, games_max=2, habits=Habits(double=0.1, drop=0.5, resign=0.01))
LONG_NAMES = ("Maximiliane Mustermann-Musterfrau", "Bob the Builder of Bearoff Boards")
BOARD = "-" * 27 + "OX------XO" + "-" * 27 + " X"
CARDS = "1 2 3 . 6144 12288 24 . . . 1536 3072 . 192 384 768"
MET_ID = f"{POSITION}:QYkqASAAIAAA"
ROLLOUT = (
    "rollout", POSITION, "--dice", "31", "--trials", "36", "--truncate", "2", "--local", "1",
)  # fmt: skip

COMMANDS = {
    "eval": ("eval", POSITION),
    "eval of a match": ("eval", MET_ID),
    "move": ("move", POSITION, "--dice", "11"),
    "move of all rolls": ("move", POSITION, "--all-rolls"),
    "cube": ("cube", POSITION),
    "cube of a match": ("cube", MET_ID),
    "show ID": ("show", MET_ID),
    "search": ("search", "othello", BOARD, "--depth", "6", "--all-moves"),
    "search of chess": ("search", "chess", "--depth", "9", "--lines", "3", "--threads", "1"),
    "perft": ("perft", "backgammon", "1"),
    "move of Threes!": (
        "move",
        "threes",
        CARDS,
        "--next",
        "12,24,48",
        "--bag",
        "444",
        "--depth",
        "1",
    ),
    "show board": ("show", "threes:1230456000abcdef"),
    "perft of Threes!": ("perft", "threes", CARDS),
}

FIGURES: dict[str, object] = {
    "rollout_trials_no_variance_reduction_per_s": 6460.5,
    "cpu": "A Processor (R) with a Name That Is as Long as Some Are @ 3.20GHz",
}


@pytest.fixture(params=WIDTHS)
def columns(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.mark.parametrize("name", COMMANDS)
def test_no_line_of_an_answer_is_wider_than_the_terminal(
    name: str, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = shown(columns, monkeypatch, *COMMANDS[name])
    assert len(screen.lines) > 1
    assert screen.too_wide == []


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("rollout",),
        ("analyse",),
        ("search", "othello"),
        ("search", "chess"),
        ("bench", "network"),
        ("rollout", "threes"),
        ("move", "threes"),
        ("play", "threes"),
    ],
)
def test_no_line_of_help_is_wider_than_the_terminal(
    words: tuple[str, ...], columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert shown(columns, monkeypatch, *words, "--help").too_wide == []


def test_moves_keep_what_decides_between_them(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = shown(columns, monkeypatch, "move", POSITION, "--dice", "11", "--no-board")
    heading = next(line for line in screen.lines if "Move" in line)
    assert {"Move", "Equity", "Diff"} <= set(heading.split())
    assert ("W g" in heading) == (columns >= 80)
    ranked = [line for line in screen.lines if re.match(r" *\d+\. ", line)]
    assert all(re.search(r" [+-]\d\.\d{4} +[+-]\d\.\d{4}", line) for line in ranked[1:])


@pytest.mark.parametrize("names", [("Ann", "Bob"), LONG_NAMES])
def test_no_line_of_an_analysis_is_wider_than_the_terminal(
    names: tuple[str, str], columns: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("match.mat").write_text(write_mat(replace(MATCH, players=names)))
    Path("list.txt").write_text(f"{POSITION} 31 8/5 6/5\n{POSITION} 11 24/22 6/4\n{POSITION}\n")
    match = shown(columns, monkeypatch, "analyse", "match.mat", "--plies", "0")
    table = shown(columns, monkeypatch, "analyse", "match.mat", "--plies", "0", "--no-board")
    listed = shown(columns, monkeypatch, "analyse", "list.txt", "--plies", "0")
    assert match.too_wide + table.too_wide + listed.too_wide == []
    for screen in (match, table):
        words = " ".join(screen.lines)
        for word in ("PR", "Errors, equity (mwc)", "Luck", "very bad", "13/10 6/4*"):
            assert word in words
        assert words.count("-22.99%") == 1
    assert "|BAR|" in match.text
    assert "|BAR|" not in table.text
    assert "24/22 6/4" in " ".join(listed.lines)


def test_no_line_of_a_rollout_is_wider_than_the_terminal(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = shown(columns, monkeypatch, *ROLLOUT)
    cube = shown(columns, monkeypatch, *ROLLOUT[:2], "--cube", *ROLLOUT[4:])
    others = [shown(columns, monkeypatch, *words) for words in (("show", "1"), ("jobs",))]
    for screen in (live, cube, *others):
        assert screen.too_wide == []
    assert "36/36 trials each" in live.text
    drawn = [line for line in live.lines if re.match(r" 2\. .*\[", line)]
    assert drawn
    assert all(line.rstrip().endswith("]") for line in drawn)


def test_no_line_of_games_of_threes_is_wider_than_the_terminal(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("rollout", "threes", "--games", "20", "--plies", "1", "--local", "1")
    live = shown(columns, monkeypatch, *words)
    others = [shown(columns, monkeypatch, *words) for words in (("show", "1"), ("jobs",))]
    for screen in (live, *others):
        assert screen.too_wide == []
    (heading,) = [line for line in others[0].lines if line.startswith("of games")]
    assert [word for word in heading.split() if word.isdigit()] == ["5", "25", "50", "75", "95"]
    (bar,) = [line for line in others[0].lines if re.match(r" *1,536 .*#", line)]
    assert bar.count("%") == 4


def test_no_line_of_a_match_is_wider_than_the_terminal(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = ("hint", "help", "moves", "roll", "board", "hint", "nonsense of many words " * 5)
    script = backgammon_scripts.Script(*typed, "review", "double", "save x.sgf")
    with terminal(columns, monkeypatch) as screen:
        backgammon_scripts.play(script, Settings(3), 25)
    assert "points" in screen.text
    assert screen.too_wide == [line for line in script.prompts if len(line) > columns] == []


def test_no_line_of_a_game_of_othello_is_wider_than_the_terminal(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = othello_scripts.Script("hint", "help", "eval on", "f5", "review", "record", "quit")
    table = othello_scripts.session_of(script)
    table.record = replace(table.record, black=LONG_NAMES[0] * 2, white=LONG_NAMES[1])
    with terminal(columns, monkeypatch) as screen:
        othello_scripts.play(table)
    assert "empty squares" in screen.text
    assert screen.too_wide == []


def test_no_line_of_a_game_of_chess_is_wider_than_the_terminal(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = ("hint", "help", "moves", "e4", "Nd4", "e9", "record", "fen", "flip", "quit")
    script = chess_scripts.Script(*typed)
    table = chess_scripts.session_of(script)
    table.record = replace(table.record, white=LONG_NAMES[0] * 2, black=LONG_NAMES[1])
    with terminal(columns, monkeypatch) as screen:
        chess_scripts.play(table)
    assert "you may play" not in screen.text
    fen = [line for line in screen.lines if line.startswith("rnbq")]
    assert screen.too_wide == [line for line in fen if len(line) > columns]


def test_no_line_of_a_game_of_threes_is_wider_than_the_terminal(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = ("hint", "help", "moves", "urrl", "auto 3", "nonsense of many words " * 5, "undo")
    script = threes_scripts.Script(*typed, "review", "save x.threes", "quit")
    table = threes_scripts.session_of(script)
    table.settings = replace(table.settings, name=LONG_NAMES[0] * 2)
    with terminal(columns, monkeypatch) as screen:
        threes_scripts.play(table)
    assert "+-----+" in screen.text
    assert "Saved as x.threes" in screen.text
    assert screen.too_wide == [line for line in script.prompts if len(line) > columns] == []


@pytest.mark.parametrize(
    "show",
    [
        lambda: echo_report(REPORT, SATIN),
        lambda: echo_figures(
            "a machine", Figures(FIGURES, dict(zip(FIGURES, FIGURES, strict=True))), is_json=False
        ),
    ],
)
def test_no_line_of_a_measurement_is_wider_than_the_terminal(
    show: Callable[[], None], columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    with terminal(columns, monkeypatch) as screen:
        show()
    assert len(screen.lines) > 3
    assert screen.too_wide == []


KINDS: dict[str, dict[str, str | None]] = {
    "without colours": {"NO_COLOR": "1"},
    "dumb": {"TERM": "dumb"},
    "without a home": {"HOME": None},
    "of ASCII": {"LC_ALL": "C"},
}
"""What the environment says of terminals of several kinds."""

ADVICE = {"COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR", "PYTHONIOENCODING", "PYTHONUTF8"}
"""What else it may say."""


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.when_changed
def test_real_terminal_of_any_kind_is_sent_what_it_knows(kind: str, tmp_path: Path) -> None:
    changes: dict[str, str | None] = {"TERM": "xterm", "LC_ALL": "C.UTF-8", **KINDS[kind]}
    own = dict.fromkeys(("XDG_STATE_HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME"), str(tmp_path))
    given = {name: os.environ[name] for name in os.environ.keys() - ADVICE} | own | changes
    environ = {name: value for name, value in given.items() if value is not None}
    match = replace(MATCH, players=("Zoë", "Bob"))
    (tmp_path / "match.mat").write_text(write_mat(match), encoding="utf-8")
    screens = [
        process_shown(60, ROLLOUT, environ, tmp_path),
        process_shown(60, ("analyse", "match.mat", "--plies", "0"), environ, tmp_path),
        process_shown(60, ("play", "--seed", "4", "--local", "1"), environ, tmp_path, "quit\n"),
    ]
    for screen in screens:
        assert screen.too_wide == []
        assert "Traceback" not in screen.text
    text = "".join(screen.text for screen in screens)
    assert bool(CONTROL.search(text)) == (kind != "dumb")
    assert bool(COLOUR.search(text)) == (kind not in ("dumb", "without colours"))
    assert text.isascii() == (kind == "of ASCII")
    assert ("Zo?" in text) == (kind == "of ASCII")
