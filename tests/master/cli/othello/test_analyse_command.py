"""`manyply analyse othello`, by a fleet or against the clock."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine_ext.othello.solving import move_scores
from master.cli.app import manyply
from master.cli.errors import CommandError, ExitCode
from master.cli.othello import analyse_command
from master.cli.othello import analyse_command as module
from master.cli.othello.analyse_command import analyse_alone
from master.config.paths import database_path, default_state_dir
from master.games.othello.analysis.judging import AnalysedGame, judged
from master.games.othello.level import Level
from master.games.othello.record import OthelloRecord, read_record, write_ggf
from tests.master.games.othello.games import random_game

QUICK = ("--depth", "2", "--exact", "8")
GAMES = [random_game(seed, 60) for seed in (1, 2)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.ggf"
    names = (("Ann", "Bob"), ("Cid", "Dora"))
    records = (OthelloRecord(game, *pair) for game, pair in zip(GAMES, names, strict=True))
    path.write_text("".join(map(write_ggf, records)))
    return path


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["analyse", "othello", *args])


@pytest.mark.slow
def test_every_move_is_judged_and_the_end_exactly(file: Path) -> None:
    result = ran(str(file), *QUICK, "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert list(document) == [
        "depth", "exact", "seconds", "games", "skipped", "skipped_count",
    ]  # fmt: skip
    for game, found in zip(GAMES, document["games"], strict=True):
        assert tuple(move["move"] for move in found["moves"]) == game.squares
        for board, move in zip(game.boards, found["moves"], strict=False):
            if board.empties <= 8 and move["value"] is not None:
                scores = move_scores(board)
                assert move["exact"] is True
                assert move["value"] == scores[move["move"]]
                assert move["best_value"] == max(scores.values()) == scores[move["best"]]
    assert ran(str(file), *QUICK, "--json").stdout == result.stdout


@pytest.mark.slow
def test_games_are_chosen_and_shown_to_people(file: Path) -> None:
    result = ran(str(file), *QUICK, "--games", "2", "--errors", "3")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("Game 2: Cid - Dora, ")
    assert "Ann" not in result.stdout
    errors = result.stdout.partition("better")[2].splitlines()[1:]
    assert len(errors) == 3


def test_time_may_be_the_limit(tmp_path: Path) -> None:
    path = tmp_path / "short.txt"
    path.write_text("f5d6c3\n")
    found = json.loads(ran(str(path), "--seconds", "0.1", "--json").stdout)
    assert (found["depth"], found["seconds"]) == (None, 0.1)
    assert [move["lost"] >= 0 for move in found["games"][0]["moves"]] == [True] * 3


@pytest.mark.slow
def test_what_was_analysed_is_not_analysed_again(file: Path) -> None:
    first = ran(str(file), *QUICK, "--local", "2")
    with closing(sqlite3.connect(database_path(default_state_dir()))) as database:
        kept = database.execute("SELECT count(*) FROM answer").fetchone()[0]
    decisions = sum(len(board.moves()) > 1 for game in GAMES for board in game.boards)
    assert kept == decisions
    assert ran(str(file), *QUICK, "--local", "1").stdout == first.stdout


def test_an_interruption_leaves_the_games_that_are_done(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> Iterator[None]:
        raise KeyboardInterrupt

    monkeypatch.setattr(analyse_command, "answer", stopped)
    result = ran(str(file), "--seconds", "0.1", "--json")
    assert result.exit_code == ExitCode.INTERRUPTED
    assert json.loads(result.stdout)["games"] == []
    assert "stopped; 0 of 2 games are analysed" in result.stderr


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--depth", "3", "--seconds", "1"), "--plies and --seconds exclude each other"),
        (("--seconds", "1", "--local", "2"), "--seconds is for one thread here: leave out"),
        (("--games", "0"), "Invalid value for '--games'"),
        (("--depth", "0"), "Invalid value for '--plies'"),
    ],
)
def test_options_that_are_none_are_named(
    file: Path, options: tuple[str, ...], expected: str
) -> None:
    result = ran(str(file), *options)
    assert result.exit_code == 2
    assert expected in result.stderr


def test_files_that_hold_no_games_are_named(file: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    bad.write_text("f5d6a1")
    for args, complaint in (
        ((str(bad),), "bad.txt, game 1, line 1: move 3 (a1): a1 turns no disc of O; X may play c3"),
        ((str(tmp_path / "none"),), "cannot read"),
        ((str(file), "--games", "3"), "games.ggf has 2 games: there is no game 3"),
    ):
        error = ran(*args).exception
        assert isinstance(error, CommandError)
        assert complaint in str(error)


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--html", "--text"])
def test_file_that_is_analysed_is_not_written_over(file: Path, option: str) -> None:
    before = file.read_bytes()
    refused = ran(str(file), option, str(file)).exception
    assert isinstance(refused, CommandError)
    assert str(refused) == f"cannot write {file}: it is the file that is analysed"
    assert file.read_bytes() == before


def test_page_is_written_of_the_games_that_were_analysed(file: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    result = ran(str(file), *QUICK, "--html", str(page))
    assert result.exit_code == 0, result.output
    html = page.read_text()
    moves = sum(len(game.turns) for game in GAMES)
    assert html.count('<article class="turn') + html.count('<p class="slim"') == moves
    assert "Dora" in html


def test_page_of_too_many_games_is_refused_before_they_are_analysed(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyse_command, "GAMES_MAX", 1)
    page = tmp_path / "page.html"
    result = ran(str(file), "--html", str(page))
    assert isinstance(result.exception, CommandError)
    assert "2 games, and a page has at most 1: choose some with --games" in str(result.exception)
    assert not page.exists()


@pytest.mark.slow
def test_a_bad_game_is_named_and_skipped_and_the_others_are_analysed(tmp_path: Path) -> None:
    file = tmp_path / "games.ggf"
    lines = [write_ggf(OthelloRecord(random_game(seed, 2))).strip() for seed in (1, 2)]
    anti = lines[0].replace("(;GM[Othello]", "(;GM[Othello]TY[8a]", 1)
    file.write_text("\n".join([anti, *lines]))
    result = ran(str(file), "--seconds", "0.1", "--json")
    assert isinstance(result.exception, CommandError)
    assert result.exception.exit_code == ExitCode.BAD_INPUT
    assert str(result.exception) == "games.ggf: 1 game skipped; 2 read"
    reason = "TY[8a] is an anti game, which fewer discs win"
    assert result.stderr == f"manyply: games.ggf, game 1, line 1: {reason}; skipped\n"
    document = json.loads(result.stdout)
    assert [game["number"] for game in document["games"]] == [2, 3]
    assert document["skipped"] == [{"number": 1, "line": 1, "reason": reason}]
    assert document["skipped_count"] == 1


LEVEL = Level(4, 4, 0.01)


def asked(*texts: str) -> list[AnalysedGame]:
    return [AnalysedGame(number, read_record(text)[0], ()) for number, text in enumerate(texts, 1)]


def test_every_move_with_a_choice_is_judged() -> None:
    games: list[AnalysedGame] = []
    assert not analyse_alone(asked("f5d6c3", "f5f6"), LEVEL, games, is_quiet=True)
    assert [game.number for game in games] == [1, 2]
    assert [len(game.moves) for game in games] == [3, 2]
    assert all(move.judgement is not None for game in games for move in game.moves)


def test_games_before_an_interruption_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    games: list[AnalysedGame] = []
    (good,) = asked("f5d6c3")

    def until_the_second(record: OthelloRecord, *args: object) -> Iterator[object]:
        if record is not good.record:
            raise KeyboardInterrupt
        return judged(record, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "judged", until_the_second)
    other = AnalysedGame(2, OthelloRecord(random_game(1, 9)), ())
    assert analyse_alone([good, other], LEVEL, games, is_quiet=True)
    assert [game.number for game in games] == [1]


SHORT = "f5d6c3d3c4"


def named(black: str, white: str) -> str:
    return write_ggf(OthelloRecord(read_record(SHORT)[0].game, black, white))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with two files of three games, and one of something else."""
    folder = tmp_path / "club"
    folder.mkdir()
    (folder / "a.ggf").write_text(named("Ann", "Bob") + named("Cid", "Ann"))
    (folder / "b.txt").write_text(named("Bob", "Cid"))
    (folder / "notes.txt").write_text("nothing of the kind")
    return folder


def test_files_and_their_folder_give_the_games_of_each_alone(folder: Path) -> None:
    files = [str(folder / name) for name in ("a.ggf", "b.txt")]
    together = json.loads(ran(*files, "--plies", "2", "--json").stdout)["games"]
    assert [(Path(game["file"]).name, game["number"]) for game in together] == [
        ("a.ggf", 1), ("a.ggf", 2), ("b.txt", 1),
    ]  # fmt: skip
    alone = [json.loads(ran(each, "--plies", "2", "--json").stdout)["games"] for each in files]
    assert [{**game} for games in alone for game in games] == [
        {key: value for key, value in game.items() if key != "file"} for game in together
    ]
    assert json.loads(ran(str(folder), "--plies", "2", "--json").stdout)["games"] == together
    said = ran(*files, "--plies", "2").stdout
    assert f"{files[0]}, game 2: Cid - Ann, not over, Tiger" in said


def test_a_players_moves_are_the_only_ones_that_are_judged(folder: Path) -> None:
    own = json.loads(ran(str(folder), "--plies", "2", "--json", "--player", "ANN ").stdout)["games"]
    assert [(game["black"], game["white"]) for game in own] == [("Ann", "Bob"), ("Cid", "Ann")]
    whole = json.loads(ran(str(folder), "--plies", "2", "--json").stdout)["games"]
    for game, full, name, side in zip(own, whole, ("black", "white"), "XO", strict=False):
        assert game["players"][name] == full["players"][name]
        for move, same in zip(game["moves"], full["moves"], strict=True):
            assert move == same if move["side"] == side else move["value"] is None
    heads = ran(str(folder), "--plies", "2", "--player", "Ann").stdout.splitlines()
    assert [line.split() for line in heads if line.strip() in ("Ann", "Bob", "Cid")] == [
        ["Ann"]
    ] * 2


def test_a_name_that_no_player_has_is_refused_with_the_names_of_some(folder: Path) -> None:
    error = ran(str(folder), "--player", "Zed").exception
    assert "nobody is called 'Zed': the players are 'Ann', 'Bob', 'Cid'" in str(error)


def test_text_has_every_judged_move_below_its_board(folder: Path, tmp_path: Path) -> None:
    file, out = str(folder / "b.txt"), tmp_path / "out.txt"
    assert ran(file, "--plies", "2", "--text", str(out)).stdout.startswith("Game 1: Bob - Cid")
    text = out.read_text()
    assert ran(file, "--plies", "2", "--text", "-").stdout == text
    for number, square in enumerate(read_record(SHORT)[0].game.squares, 1):
        assert f"\n{number}. {'XO'[(number + 1) % 2]} {square} " in text
    assert text.count("     a  b  c  d  e  f  g  h\n") == 10
    assert "60 empty squares" in text
    only = ran(file, "--plies", "2", "--text", "-", "--player", "Cid").stdout
    assert "\n2. O d6 " in only
    assert "\n1. X f5" not in only
    assert "give it a file" in ran(file, "--text", "-", "--json").stderr


def test_a_file_among_several_that_has_no_games_is_named_and_the_others_are_analysed(
    folder: Path,
) -> None:
    files = [str(folder / name) for name in ("notes.txt", "b.txt")]
    found = ran(*files, "--plies", "2", "--json")
    assert found.exit_code == ExitCode.BAD_INPUT
    assert "notes.txt" in found.stderr
    assert len(json.loads(found.stdout)["games"]) == 1
    assert "--games is for one file" in str(ran(*files, "--games", "1").exception)


def test_page_of_several_files_has_every_game(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert ran(str(folder), "--plies", "2", "--html", str(page)).exit_code == 0
    assert all(f'id="m{number}.1"' in page.read_text() for number in (1, 2, 3))
