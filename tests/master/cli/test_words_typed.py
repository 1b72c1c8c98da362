"""Words as people type them: commands, games, pasted texts, and files of any game."""

from __future__ import annotations

import gzip
import io
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from engine_ext import contexts, services
from engine_ext.backgammon.ids import to_gnubg_id, to_xgid
from engine_ext.backgammon.xgid import state_from_xgid
from master.cli.app import manyply
from master.cli.arguments import reads_text
from master.cli.errors import CommandError, usage_line
from master.cli.input_lines import with_input
from master.cli.manual import PROGRAMS
from master.config.fleet_specs import fleet_options
from master.games.backgammon.levels import LEVELS
from master.games.backgammon.typed import read_id
from master.games.errors import OtherTextError
from master.games.recognised import game_of, no_record_error
from master.games.table import fronts
from protocol.guards.renamed_option import RenamedOption, all_names

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
OTHER = "XGID=-b----E-C---eE---c-e----B-:0:0:1:63:0:0:0:0:10"
START_ID = "4HPwATDgc/ABMA"

PGN = '[Event "Club"]\n[White "Ann"]\n[Black "Bob"]\n[Result "*"]\n\n1. e4 e5 2. Qh5 Nf6 *\n'
GGF = (
    "(;GM[Othello]PC[GGS]DT[2003]PB[ann]PW[bob]RE[+2]TI[15]TY[8]BO[8 "
    "---------------------------O*------*O--------------------------- *]B[d3]W[c5];)"
)
MAT = " 5 point match\n\n Game 1\n ann : 0      bob : 0\n  1) 31: 8/5 6/5      21: 13/11 6/5\n"


def ran(*words: str, typed: str | bytes | None = None) -> Any:
    return CliRunner().invoke(manyply, words, prog_name="manyply", input=typed)


def complaint(*words: str) -> str:
    """Return the one line of a mistake."""
    try:
        manyply.main(list(words), prog_name="manyply", standalone_mode=False)
    except click.ClickException as error:
        return usage_line(error)
    except CommandError as error:
        return str(error)
    raise AssertionError("there is no mistake")


def test_help_of_a_command_is_that_of_its_option() -> None:
    assert ran("help").stdout == ran("--help").stdout
    assert ran("help", "cube").stdout == ran("cube", "--help").stdout
    assert ran("help", "play", "chess").stdout == ran("play", "chess", "--help").stdout
    assert ran("help", "analyze").stdout == ran("analyse", "--help").stdout


@pytest.mark.parametrize("words", [("version",), ("-V",)])
def test_version_has_three_names(words: tuple[str, ...]) -> None:
    assert ran(*words).stdout == ran("--version").stdout
    assert ran(*words).stdout.startswith("manyply, version ")


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("helpp",), "'help'"),
        (("analysee", "x.mat"), "'analyse'"),
        (("search", "ches"), "'chess'"),
        (("play", "otello"), "'othello'"),
        (("analyse", "othelo", "x.ggf"), "'othello'"),
        (("bench", "backgamon"), "'backgammon'"),
        (("rollout", START_ID, "--trails", "3"), "'--trials'"),
        (("search", "othello", "start", "--plie", "3"), "'--plies'"),
        (("rollout", START_ID, "--locals", "2"), "'--workers'"),
        (("search", "chess", "--tim", "2"), "'--seconds'"),
        (("play", "chess", "--depht", "2"), "'--plies'"),
    ],
)
def test_mistyped_word_gets_the_nearest_one(words: tuple[str, ...], meant: str) -> None:
    assert "id you mean" in complaint(*words)
    assert meant in complaint(*words)


def test_unlike_word_gets_the_games_that_there_are() -> None:
    assert "expected othello, chess" in complaint("simulate", "zzz")


def test_suggestions_are_loaded_only_for_a_mistake() -> None:
    code = "import sys; from master.cli.app import manyply; assert 'difflib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


PASTED = [
    XGID,
    XGID.removeprefix("XGID="),
    f"> what now?\n> {XGID}\n> X:Ann O:Bob\n",
    f"({XGID})",
    f"what do you think of move 3 of this match? {XGID}",
    f"the position is {XGID.removeprefix('XGID=')}, I think",
    f"{XGID}\nX:Player 1 O:Player 2\nScore is X:0 O:0. Unlimited Game, Jacoby Beaver\n"
    f"Position ID: {START_ID} Match ID: cIkFAAAAAAAE",
    f"{XGID}\n{XGID}",
]


@pytest.mark.parametrize("text", PASTED)
def test_xgid_is_found_in_a_pasted_text(text: str) -> None:
    assert to_xgid(read_id(text)) == XGID


@pytest.mark.parametrize(
    "text",
    [
        f" GNU Backgammon  Position ID: {START_ID}\n                 Match ID   : cIkKAAAAAAAA\n",
        f"Position-ID: {START_ID} Match-ID: cIkKAAAAAAAA",
        f"> Position ID: {START_ID}\n> Match ID: cIkKAAAAAAAA",
        f"see {START_ID}:cIkKAAAAAAAA.",
    ],
)
def test_gnubg_ids_are_found_in_a_pasted_text(text: str) -> None:
    assert to_gnubg_id(read_id(text)) == f"{START_ID}:cIkKAAAAAAAA"


def test_position_id_alone_is_found_and_words_of_its_length_are_not() -> None:
    assert read_id(f"my recommendation: {START_ID}, transportation") == read_id(START_ID)
    with pytest.raises(OtherTextError, match="no ID in 'my recommendation'"):
        read_id("my recommendation")


@pytest.mark.parametrize(
    "text",
    [
        f"{XGID}\n{OTHER}",
        f"{XGID}\nPosition ID: sHPwATDgc/ABMA",
        f"Position ID: {START_ID} Match ID: cIkKAAAAAAAA and Position ID: sHPwATDgc/ABMA",
    ],
)
def test_different_ids_in_one_text_are_named(text: str) -> None:
    with pytest.raises(ValueError, match=r"the text has different IDs, .* and .*: expected one"):
        read_id(text)


def test_error_of_a_damaged_id_is_kept() -> None:
    with pytest.raises(ValueError, match="the turn in an XGID is 1 or -1"):
        read_id(f"> {XGID.replace(':0:0:1:', ':0:0:7:')}")
    with pytest.raises(ValueError, match=r"at most|characters"):
        read_id(f"{START_ID}:cAkAAAAAAAAAA")
    with pytest.raises(ValueError, match="give it as --dice 31"):
        read_id(f"{START_ID} 31")


BARE = XGID.removeprefix("XGID=")


@pytest.mark.parametrize("command", [("eval",), ("move",), ("move", "backgammon"), ("cube",)])
def test_bare_xgid_is_no_option(command: tuple[str, ...]) -> None:
    bare = BARE.replace(":31:", ":00:") if command == ("cube",) else BARE
    found = ran(*command, bare, "--plies", "0", "--json")
    assert found.exit_code == 0, found.output
    assert found.stdout == ran(*command, f"XGID={bare}", "--plies", "0", "--json").stdout


@pytest.mark.parametrize("text", PASTED)
def test_every_command_with_a_position_reads_pasted_texts(text: str) -> None:
    shown = ran("show", XGID, "--json").stdout
    assert ran("show", text, "--json").stdout == shown
    assert ran("show", *text.split(), "--json").stdout == shown
    assert ran("show", "-", "--json", typed=text).stdout == shown
    evaluated = ran("eval", XGID, "--plies", "0", "--json").stdout
    assert ran("eval", "-", "--plies", "0", "--json", typed=text).stdout == evaluated
    assert ran("perft", "backgammon", text, "1").stdout.startswith(f"{START_ID} depth 1: ")


def test_start_positions_have_a_word() -> None:
    assert ran("show", "start").stdout == ran("show", START_ID).stdout
    assert ran("show", "chess:startpos").stdout == ran("show", "chess:").stdout
    assert "--OX------XO--" in ran("show", "othello:start").stdout
    start = ran("search", "chess", "--depth", "2", "--json", "--mode", "reproducible").stdout
    word = ran("search", "chess", "startpos", "--depth", "2", "--json", "--mode", "reproducible")
    assert start.partition('"seconds"')[0] == word.stdout.partition('"seconds"')[0]


FEN = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
BOARD = "-" * 27 + "XO" + "-" * 6 + "OX" + "-" * 27 + "X"


@pytest.mark.parametrize(
    "text",
    ["f5d6c3", "f5 d6 c3", "F5-D6", "1. f5 d6 2. c3", "f5d6c3d3c4f4f6", "FFO40", GGF],
)
def test_text_that_is_clearly_of_othello_is_shown_without_the_game(text: str) -> None:
    assert ran("show", text).stdout == ran("show", f"othello:{text}").stdout
    assert ran("show", text).exit_code == 0


def test_mistake_in_a_transcript_is_named() -> None:
    assert "move 4 (a1): a1 turns no disc" in complaint("show", "f5d6c3a1")
    assert "neither a job number nor a position" in complaint("show", "f5")


def searched(*words: str) -> str:
    """Return the position that a search is of."""
    result = ran("search", *words, "--plies", "1")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    return str(found.get("fen") or found["id"])


@pytest.mark.parametrize(
    ("game", "text"),
    [("othello", "f5d6c3"), ("othello", "f5 d6"), ("othello", "FFO40"), ("othello", BOARD),
     ("chess", "startpos"), ("chess", FEN), ("chess", FEN.removesuffix(" 2 3"))],
)  # fmt: skip
def test_search_takes_the_game_from_the_position(game: str, text: str) -> None:
    named = searched(game, text, "--json")
    assert searched(text, "--json") == named
    assert searched("--json", text) == named
    assert searched(*text.split(), "--json") == named
    assert searched("--plies", "2", *text.split(), "--json") == named


def test_search_takes_a_position_with_its_game_in_front() -> None:
    assert searched("othello:f5d6c3", "--json") == searched("othello", "f5d6c3", "--json")


def test_search_of_a_text_that_shows_no_game_names_the_forms() -> None:
    for text in ("start", "f5", "bogus.txt", "e4"):
        said = complaint("search", text)
        assert f"{text!r} is no game and no position: expected othello or chess" in said
        assert "or such as othello:f5d6c3 or chess:<FEN>" in said
    assert "did you mean 'othello'?" in complaint("search", "othelo")


def test_search_without_words_or_with_help_lists_its_games() -> None:
    for words in ((), ("--help",)):
        shown = ran("search", *words).output
        assert "Usage: manyply search [OPTIONS] COMMAND" in shown
        assert "othello  " in shown


def test_fen_is_found_in_a_pasted_text() -> None:
    shown = ran("show", f"chess:{FEN}").stdout
    short = FEN.removesuffix(" 2 3")
    for text in (FEN, f'[FEN "{FEN}"]', f"> what now?\n> {FEN}\n", f"{FEN}, or {FEN}"):
        assert ran("show", text).stdout == shown
        assert ran("search", "chess", text, "--plies", "2").exit_code == 0
    assert ran("show", *FEN.split()).stdout == shown
    assert ran("show", f"see {short}").stdout == ran("show", f"chess:{short} 0 1").stdout
    assert "different FENs" in complaint("show", f"{FEN} {FEN.replace(' w ', ' b ')}")
    assert "a FEN has eight ranks" in complaint("search", "chess", FEN.replace("/", "|"))


def test_word_that_is_no_position_gets_the_forms_of_positions() -> None:
    said = complaint("show", "bogus")
    assert "'bogus' is neither a job number nor a position. Positions: start, XGID=..." in said
    for form in ("position ID", "othello:f5d6c3", "threes:<16 hex digits>", "chess:<FEN>"):
        assert form in said


WTHOR_HEAD = bytes([20, 3, 6, 1]) + (1).to_bytes(4, "little") + bytes([0, 0, 211, 7, 8, 0, 0, 0])

RECORDS: dict[str | None, list[str | bytes]] = {
    "chess": [PGN, "1. e4 e5 2. Nf3 *\n", "\ufeff" + PGN, "% a comment\n" + PGN],
    "othello": [GGF, "f5d6c3d3c4\n", "# of the club\nF5 D6 C3 D3 C4\n",
                "f5-d6-c3---d3--pass, c4 -- a1\n", WTHOR_HEAD + bytes(68)],
    "backgammon": [MAT, '; [Site "x"]\n' + MAT, f"{START_ID} 31 8/5 6/5\n", f"> {XGID}\n",
                   "(;FF[4]GM[6]CA[UTF-8]AP[GNU Backgammon:1.06]MI[length:1][game:0])"],
    None: [
        "f5d3c4" + "-" * 99 + "!",  # read in one way only: this takes no time
        "", "hello\n", '<?xml version="1.0"?>\n', bytes(200), "# only a comment\n"],
}  # fmt: skip


@pytest.mark.parametrize("suffix", ["", ".txt", ".mat", ".pgn", ".gz"])
@pytest.mark.parametrize(
    ("game", "content"), [(game, each) for game, texts in RECORDS.items() for each in texts]
)
def test_game_of_a_file_is_that_of_its_content(
    tmp_path: Path, game: str | None, content: str | bytes, suffix: str
) -> None:
    raw = content if isinstance(content, bytes) else content.encode()
    file = tmp_path / f"record{suffix}"
    file.write_bytes(gzip.compress(raw) if suffix == ".gz" else raw)
    assert game_of(file, fronts()) == game


def test_folder_is_of_the_game_of_its_first_record(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("notes")
    (tmp_path / "b.txt").write_text(GGF)
    assert game_of(tmp_path, fronts()) == "othello"
    assert game_of(tmp_path / "absent", fronts()) is None


@pytest.mark.parametrize(
    ("content", "options", "heading"),
    [
        (PGN, ("--nodes", "1000"), "Ann - Bob, *"),
        (GGF, ("--depth", "2"), "Game 1: ann - bob"),
        (MAT, ("--plies", "0"), "5-point match, ann - bob; 0-ply"),
        (f"Hi\n> {XGID}\n", ("--plies", "0"), "Line  Position"),
    ],
)
def test_file_and_standard_input_go_to_their_game(
    tmp_path: Path, content: str, options: tuple[str, ...], heading: str
) -> None:
    file = tmp_path / "record"
    file.write_text(content)
    found = ran("analyse", str(file), *options)
    assert found.stdout.startswith(heading), found.output
    assert ran("analyze", *options, str(file)).stdout == found.stdout
    assert ran("analyse", "-", *options, typed=content).stdout.startswith(heading)


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (b"hello\n", "text of another kind"),
        (b"h\xc3\xa9\n" * 30_000, "text of another kind"),
        (bytes(200), "binary data"),
        (b" \n", "an empty file"),
    ],
)
@pytest.mark.parametrize("name", ["x.pgn", "x.mat", "x"])
def test_file_of_no_game_is_refused_with_the_forms_of_all_games(
    tmp_path: Path, name: str, content: bytes, found: str
) -> None:
    file, page = tmp_path / name, tmp_path / "old.html"
    file.write_bytes(content)
    page.write_text("old")
    for words in ((file,), ("--json", file), (file, "--errors", "3"), ("--html", page, file, file)):
        said = complaint("analyse", *map(str, words))
        assert said.startswith(f"{name}: expected ")
        assert said.endswith(f", found {found}")
        forms = [front.record_form() for _, front in fronts() if front.record_form is not None]
        assert len(forms) == 3
        assert all(form in said for form in forms)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_game_behind_long_comments_is_not_refused(tmp_path: Path, encoding: str) -> None:
    file = tmp_path / "x"
    file.write_text("# a comment\n" * 8_000 + "f5d6c3d3c4\n", encoding=encoding)
    assert game_of(file, fronts()) is None
    assert no_record_error(file, fronts()) is None


def test_file_of_no_game_is_refused_by_a_game_that_is_named_with_its_own_form(
    tmp_path: Path,
) -> None:
    file = tmp_path / "x"
    file.write_text("hello")
    assert "GGF" not in complaint("analyse", "backgammon", str(file))
    assert "No such file" in complaint("analyse", str(tmp_path / "none"))
    assert "FILE" in complaint("analyse", "--html", str(file))
    for option in ("--help", "-h", "--help-fleet"):
        assert ran("analyse", str(file), option).exit_code == 0


def test_value_of_an_option_does_not_choose_the_game(tmp_path: Path) -> None:
    record, page = tmp_path / "record", tmp_path / "old.html"
    record.write_text(GGF)
    page.write_text(PGN)
    found = ran("analyse", "--html", str(page), str(record), "--depth", "2")
    assert found.stdout.startswith("Game 1: ann - bob"), found.output


def test_files_of_two_games_are_named(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(PGN)
    (tmp_path / "b").write_text(MAT)
    said = complaint("analyse", str(tmp_path / "a"), str(tmp_path / "b"))
    assert "files of one game at a time" in said
    assert "a is chess" in said
    assert "b is backgammon" in said


def test_terminal_is_no_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sys, "stdin", type("Terminal", (io.StringIO,), {"isatty": lambda _: True})()
    )
    with pytest.raises(click.UsageError, match="expected a pipe"):
        reads_text(read_id)(click.Context(manyply), manyply.params[0], ("-",))


def test_closed_standard_input_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    context = click.Context(manyply)
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(click.UsageError, match="that is closed: expected a pipe"):
        reads_text(read_id)(context, manyply.params[0], ("-",))
    with pytest.raises(click.UsageError, match="that is closed: expected a pipe, or a file"):
        with_input(context, ("-",))


def test_state_of_an_xgid_is_that_without_prefix() -> None:
    assert read_id(BARE) == state_from_xgid(XGID)


def options_of(program: str, *path: str) -> list[click.Option]:
    command = PROGRAMS[program]
    for name in path:
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command, info_name=command.name), name)
        assert found is not None
        command = found
    return [param for param in command.params if isinstance(param, click.Option)]


RENAMED = [
    ("manyply rollout backgammon", "--local", "--workers"),
    ("manyply-master", "--local", "--workers"),
    ("manyply-relay", "--local", "--workers"),
    ("manyply search chess", "--time", "--seconds"),
    ("manyply search chess", "--depth", "--plies"),
    ("manyply search othello", "--depth", "--plies"),
    ("manyply analyse chess", "--time", "--seconds"),
    ("manyply analyse chess", "--depth", "--plies"),
    ("manyply play chess", "--time", "--seconds"),
    ("manyply play chess", "--depth", "--plies"),
    ("manyply play chess", "--fen", "--from"),
    ("manyply play othello", "--depth", "--plies"),
    ("manyply play othello", "--board", "--from"),
    ("manyply analyse othello", "--depth", "--plies"),
    ("manyply play threes", "--depth", "--plies"),
    ("manyply rollout threes", "--games", "--trials"),
    ("manyply analyse backgammon", "--depth", "--plies"),
    ("manyply move backgammon", "--depth", "--plies"),
    ("manyply rollout backgammon", "--depth", "--plies"),
    ("manyply quiz", "--count", "--errors"),
    ("manyply fleet up", "--give-up", "--give-up-after"),
]


@pytest.mark.parametrize(("command", "old", "new"), RENAMED)
def test_renamed_option_keeps_its_old_word_and_helps_name_the_new_one(
    command: str, old: str, new: str
) -> None:
    program, *path = command.split()
    (option,) = [each for each in options_of(program, *path) if new in each.opts]
    assert old in all_names(option)
    assert old not in option.opts
    shown = CliRunner().invoke(PROGRAMS[program], [*path, "--help"]).stdout
    assert f"{old} " not in shown


def taken(*words: str) -> dict[str, Any]:
    command = click.Command(
        "made", params=[RenamedOption(["--workers", "local"], old_names=["--local"], type=int)]
    )
    return command.make_context("made", list(words)).params


def test_old_and_new_word_give_one_value_and_the_last_one_counts() -> None:
    assert taken("--local", "2") == taken("--workers", "2") == {"local": 2}
    assert taken("--local", "2", "--workers", "3") == {"local": 3}


def test_error_of_an_old_word_names_the_new_one() -> None:
    with pytest.raises(click.BadParameter) as caught:
        taken("--local", "many")
    assert "'--workers'" in caught.value.format_message()
    assert "'--local'" not in caught.value.format_message()


def test_one_name_stands_for_one_thing_in_all_programs() -> None:
    """Each old word is hidden wherever its new one is known."""
    for old, new in {(old, new) for _, old, new in RENAMED} - {("--board", "--from")}:
        for program, command in PROGRAMS.items():
            for path, leaf in leaves(command, [program]):
                names = {name for param in leaf.params for name in param.opts}
                assert not {old, new} <= names or old == "--games", (path, old, new)


def test_values_of_options_are_named_by_their_meaning_in_all_programs() -> None:
    for program, command in PROGRAMS.items():
        for path, leaf in leaves(command, [program]):
            shown = CliRunner().invoke(leaf, ["--help"], prog_name=" ".join(path)).stdout
            assert not re.search(r" (INTEGER|FLOAT|TEXT|INTEGER RANGE)$| TEXT ", shown, re.M), path


def leaves(command: click.Command, path: list[str]) -> Iterator[tuple[list[str], click.Command]]:
    if not isinstance(command, click.Group):
        yield path, command
        return
    context = click.Context(command, info_name=command.name)
    for name in command.list_commands(context):
        found = command.get_command(context, name)
        assert found is not None
        yield from leaves(found, [*path, name])


@pytest.mark.parametrize("words", [("rollout",), ("move",), ("search", "chess"), ("web",)])
def test_help_has_own_options_and_help_fleet_the_others(words: tuple[str, ...]) -> None:
    own, fleet = ran(*words, "--help").stdout, ran(*words, "--help-fleet").stdout
    assert own.rindex("\n  --help-fleet ") > own.find("\n  --json")
    for option in ("--analyser HOST:PORT", "--fleet SPEC", "--fleet-file FILE", "--secret FILE",
                   "--workers N", "--master PATH", "--wait-for-analysers SECONDS"):  # fmt: skip
        assert f"\n  {option}" in fleet
        assert f"\n  {option}" not in own
    assert all(len(line) <= 80 for line in fleet.splitlines())


def test_master_takes_fleets_and_files_by_the_options_of_other_programs(tmp_path: Path) -> None:
    file = tmp_path / "fleet.toml"
    file.write_text('[[analyser]]\nname = "attic"\naddress = "attic:4321"\n')

    @click.command()
    @fleet_options
    def daemon(named: Any) -> None:
        fleet = named()
        click.echo([str(entry.address) for entry in fleet.entries if entry.name != "local"])
        click.echo([spec.text for spec in fleet.placed])

    def said(*words: str) -> list[str]:
        result = CliRunner().invoke(daemon, words, catch_exceptions=False)
        return list(result.output.splitlines())

    assert said("--fleet-file", str(file)) == ["['attic:4321']", "[]"]
    assert said("--fleet", str(file)) == said("--fleet-file", str(file))
    assert said("--fleet", "slurm:2", "--analyser", "loft:1") == ["['loft:1']", "['slurm:2']"]
    assert "names no fleet" in said("--fleet", "nowhere")[-1]


def test_engine_has_one_form() -> None:
    for text in ("uci:stockfish,Hash=64", "chess=uci:stockfish,Hash=64"):
        game, which = services.named_engine(text)
        assert game == "chess"
        assert which == "uci:stockfish,Hash=64"
    with pytest.raises(contexts.EngineChoiceError, match="expected uci:COMMAND, not 'stockfish'"):
        services.named_engine("stockfish")


@pytest.mark.parametrize("level", ["quick", "normal"])
def test_level_is_the_plies_and_filter_that_it_names(level: str) -> None:
    plies = str(LEVELS[level].ply)
    for words in (("eval", START_ID), ("cube", START_ID)):
        named = ran(*words, "--level", level, "--json").stdout
        assert named == ran(*words, "--plies", plies, "--json").stdout
    overruled = ran("eval", START_ID, "--level", level, "--plies", "1", "--json").stdout
    assert overruled == ran("eval", START_ID, "--plies", "1", "--json").stdout


def test_filter_of_a_ranking_is_that_of_its_option() -> None:
    def deep(*words: str) -> int:
        said = ran("move", START_ID, "--dice", "31", "--plies", "1", "--json", *words).stdout
        return sum(move["ply"] == 1 for move in json.loads(said)["moves"])

    assert deep("--filter", "tiny") < deep("--filter", "huge")
    assert deep() == deep("--filter", "normal")
